package render

import (
	"io"

	"plimsoll/internal/block"
	"plimsoll/internal/finding/porting"
	"plimsoll/internal/media/json"
	"plimsoll/internal/media/markdown"
	"plimsoll/internal/media/term"
	"plimsoll/internal/port"
)

// Port writes what stands in the way of arm64 in a format of PortFormat. The error is the writer's.
func Port(w io.Writer, format string, style term.Style, r port.Report, depth block.Depth, version string) error {
	switch format {
	case JSON:
		return json.Write(w, r)
	case SARIF:
		return portSARIF(w, r, version)
	case Markdown:
		return markdown.Write(w, reduced(porting.Sections(r, depth), depth))
	}
	return term.Write(w, style, reduced(porting.Sections(r, depth), depth))
}
