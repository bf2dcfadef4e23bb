package render

import (
	"io"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// ListedEngine is an engine with its state on this machine.
type ListedEngine struct {
	Name    string         `json:"name"`
	Doc     string         `json:"doc"`
	Params  []record.Param `json:"params"`
	Found   *FoundEngine   `json:"found,omitempty"`
	Problem string         `json:"problem,omitempty"` // why it cannot run here, with the command that helps; "" if it can
}

// FoundEngine is the location of an engine, or of its runtime.
type FoundEngine struct {
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Path    string        `json:"path"`
	From    string        `json:"from"` // how it was found
	Uses    []FoundEngine `json:"uses,omitempty"`
}

// Engine writes one engine: its parameters, and its location or the reason why it cannot run here. The error is the
// writer's.
func Engine(w io.Writer, style term.Style, e ListedEngine) error {
	p := term.NewPrinter(w, style)
	p.Note(0, titled(e.Name, e.Doc), 0)
	p.Notes(2, engineNotes(e))
	paramTables(p, 2, "parameters", e.Params)
	return p.Err
}

func engineNotes(e ListedEngine) []block.Sentence {
	if e.Problem != "" {
		return finding.Caveat("cannot run here", block.Bad, e.Problem)
	}
	if e.Found == nil {
		return nil
	}
	out := []block.Sentence{foundNote("version", *e.Found)}
	for _, u := range e.Found.Uses {
		out = append(out, foundNote(u.Name, u))
	}
	return out
}

func foundNote(lead string, f FoundEngine) block.Sentence {
	return labelled(lead, f.Version+" in "+f.Path+" ("+f.From+")")
}
