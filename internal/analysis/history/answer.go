package history

import (
	"plimsoll/internal/analysis/changepoint"
	"plimsoll/internal/analysis/explore"
)

// Answer is the answer of /api/history.
type Answer struct {
	Format  int         `json:"format"`
	Cells   []Followed  `json:"cells"`   // without cell=: those that two sessions or more measured, most sessions first
	Cell    *Followed   `json:"cell"`    // with cell=
	Control *Side       `json:"control"` // that nights are compared with; null: the nights before
	Nights  []Night     `json:"nights"`
	Changes []Suspected `json:"changes"` // suspected changes of level: of the ratio to the control, else of the value
	// probability of a suspected change in a history without one, if nights are independent
	Alpha   float64 `json:"alpha"`
	Pending int     `json:"pending"` // files that have not been read yet: ask again
}

// AnswerCells returns the answer that lists cells.
func AnswerCells(kept []explore.Kept) Answer {
	out := empty()
	out.Cells = followable(kept)
	return out
}

// AnswerCell returns the answer about a cell; false if no session measured it.
func AnswerCell(kept []explore.Kept, id string) (Answer, bool) {
	out := empty()
	h, ok := Cell(kept, id)
	if ok {
		out.Cell, out.Control, out.Nights, out.Changes = &h.Followed, h.Control, h.Nights, h.Changes
	}
	return out, ok
}

func empty() Answer {
	return Answer{Format: explore.Format, Cells: []Followed{}, Nights: []Night{}, Changes: []Suspected{},
		Alpha: changepoint.Alpha}
}
