package term

import (
	"io"

	"plimsoll/internal/block"
)

// Write writes a document. The error is the writer's.
func Write(w io.Writer, style Style, parts []block.Section) error {
	p := NewPrinter(w, style)
	p.Documents(parts)
	return p.Err
}
