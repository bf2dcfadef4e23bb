package render

import "io"

// ListedSuite is an embedded suite.
type ListedSuite struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Suites writes the embedded suites. The error is the writer's.
func Suites(w io.Writer, style Style, list []ListedSuite) error {
	p := newPrinter(w, style)
	for _, s := range list {
		p.gap()
		p.note(0, note{s.Name, strong, s.Doc}, 0)
		p.note(2, note{Text: "plimsoll run " + s.Name}, 0)
	}
	return p.err
}
