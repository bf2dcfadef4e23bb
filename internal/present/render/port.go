package render

import (
	"io"

	"plimsoll/internal/analysis/finding/porting"
	"plimsoll/internal/analysis/port"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
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
