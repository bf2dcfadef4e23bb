package explore

import (
	"fmt"
	"slices"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/figure"
)

// File is what a directory tells of a session file.
type File struct {
	Name    string
	Bytes   int64
	Changed string // UTC
	Running bool   // a run writes it
	Read    int64  // bytes that the summary rests on; less than Bytes if the file is larger than what is read for a list
	Torn    bool   // its last line was cut short
	Bad     int    // lines that could not be read
	Cut     bool   // an import was cut short: its runs are left out
	Problem string // why it cannot be read at all, else ""
	Unread  bool   // it has not been read yet
}

// Kept is a session: its file and summary.
type Kept struct {
	File    File
	Summary Summary
}

// The states of a session.
const (
	Running     = "running"
	Done        = "done"
	Interrupted = "interrupted"
	Budget      = "budget" // it has cost as much as it may
	Failed      = "failed"
	Unfinished  = "unfinished" // it has no end, and nobody writes it
	Unreadable  = "unreadable"
	Unread      = "unread" // it has not been read yet
)

// Row is a line of the table: one machine of one session.
type Row struct {
	File string `json:"file"`
	// "running", "done", "interrupted", "budget", "failed", "unfinished", "unreadable" or "unread" (not yet: ask again)
	State     string            `json:"state"`
	Bytes     int64             `json:"bytes"`
	Changed   string            `json:"changed"` // UTC, of the file
	Plan      string            `json:"plan"`
	Workloads []string          `json:"workloads"`
	Labels    map[string]string `json:"labels,omitempty"`
	Machine   string            `json:"machine"`
	ID        string            `json:"machine_id,omitempty"`
	Type      string            `json:"type,omitempty"` // instance type
	CPU       string            `json:"cpu,omitempty"`
	VCPUs     int               `json:"vcpus,omitempty"`
	Began     string            `json:"began,omitempty"` // UTC
	Runs      int               `json:"runs"`            // all of them
	Failed    int               `json:"failed"`
	Disturbed int               `json:"disturbed"`
	Cells     int               `json:"cells"`
	Key       *Cell             `json:"key"` // the result that stands for the machine; null if there is none
	// the comparison that the session holds: its first other side against the first; null without one
	Change *Control `json:"change"`
	Notes  []string `json:"notes"`
}

// SessionsDocument is the answer of /api/sessions.
type SessionsDocument struct {
	Format   int      `json:"format"`
	Dir      string   `json:"dir"`
	Revision int64    `json:"revision"` // ask for later rows with since=
	Pending  int      `json:"pending"`  // files that have not been read yet: ask again
	Whole    bool     `json:"whole"`    // all rows are here; else those that changed since the revision that was given
	Rows     []Row    `json:"rows"`
	Gone     []string `json:"gone"` // files whose rows are to be replaced or left out
}

// StateOf returns the state of a session.
func StateOf(f File, s Summary) string {
	switch {
	case f.Problem != "":
		return Unreadable
	case f.Unread:
		return Unread
	case f.Running:
		return Running
	case slices.Contains([]string{Done, Interrupted, Budget, Failed}, s.Ended):
		return s.Ended
	}
	return Unfinished
}

// Rows returns the rows of a session: one for each machine, or one without.
func Rows(f File, s Summary) []Row {
	row := Row{File: f.Name, State: StateOf(f, s), Bytes: f.Bytes, Changed: f.Changed, Plan: s.Plan,
		Workloads: append([]string{}, s.Workloads...), Labels: s.Labels}
	notes := fileNotes(f, s)
	if len(s.Machines) == 0 {
		row.Notes = notes
		return []Row{row}
	}
	return list.Map(s.Machines, func(m Machine) Row {
		r := row
		r.Machine, r.ID, r.Type, r.CPU, r.VCPUs, r.Began = m.Name, m.ID, m.Type, m.CPU, m.VCPUs, m.Began
		r.Runs, r.Failed, r.Disturbed, r.Cells = m.Runs, m.Failed, m.Disturbed, len(m.Cells)
		if m.Key >= 0 {
			key := m.Cells[m.Key]
			r.Key = &key
		}
		r.Change = changeIn(m)
		r.Notes = append(slices.Clone(notes), machineNotes(m, r.Key)...)
		return r
	})
}

// changeIn returns the comparison of a machine's cells that decides most, the first of these; nil without one.
func changeIn(m Machine) *Control {
	var out *Control
	for _, c := range m.Cells {
		decided := c.Control != nil && c.Control.Verdict != "undecided"
		if c.Control != nil && (out == nil || decided && out.Verdict == "undecided") {
			out = c.Control
		}
	}
	return out
}

func fileNotes(f File, s Summary) []string {
	out := []string{}
	if f.Problem != "" {
		out = append(out, f.Problem)
	}
	if f.Read < f.Bytes && f.Problem == "" && !f.Unread {
		out = append(out, fmt.Sprintf("from the first %.0f of %.0f MB: open the session for all of it", float64(f.Read)/1e6,
			float64(f.Bytes)/1e6))
	}
	if f.Torn && !f.Running && f.Read == f.Bytes {
		out = append(out, "the last line was cut short")
	}
	if f.Bad > 0 {
		out = append(out, figure.Count(f.Bad, "bad line"))
	}
	if s.More > 0 {
		out = append(out, figure.Count(s.More, "further cell"))
	}
	return out
}

func machineNotes(m Machine, key *Cell) []string {
	var out []string
	if m.Failed > 0 {
		out = append(out, figure.Count(m.Failed, "failed run")+": "+m.Why)
	}
	if m.Disturbed > 0 {
		out = append(out, figure.Count(m.Disturbed, "disturbed run"))
	}
	if key != nil && !key.Bounded() && !key.AtLeast {
		out = append(out, "no interval: fewer than three runs")
	}
	return out
}
