package render

import (
	"io"

	"plimsoll/internal/present/media/term"
)

// ListedSuite is an embedded suite.
type ListedSuite struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Suite writes one suite. The error is the writer's.
func Suite(w io.Writer, style term.Style, s ListedSuite) error {
	p := term.NewPrinter(w, style)
	p.Note(0, titled(s.Name, s.Doc), 0)
	p.Note(2, labelled("", "plimsoll run "+s.Name), 0)
	return p.Err
}
