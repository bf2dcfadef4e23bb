package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/media/term"
)

// ListedSuite is an embedded suite.
type ListedSuite struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Suites writes the embedded suites. The error is the writer's.
func Suites(w io.Writer, style term.Style, list []ListedSuite) error {
	p := term.NewPrinter(w, style)
	for _, s := range list {
		p.Gap()
		p.Note(0, block.Sentence{Lead: s.Name, Tone: block.Strong, Text: s.Doc}, 0)
		p.Note(2, block.Sentence{Text: "plimsoll run " + s.Name}, 0)
	}
	return p.Err
}
