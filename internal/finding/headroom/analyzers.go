package headroom

import (
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
)

// Analyzers returns that of load lines.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{Kind: string(KindLoadLine), Doc: "how heavily a machine can be loaded before its latency breaks", Body: KindLoadLine.Body(), Run: loadLines}}
}

func loadLines(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	lines := loadline.LinesOf(in.Ramps, nil)
	loadline.AddSearched(lines, in.Counted, in.Plans)
	for at, l := range lines {
		out = slices.Concat(out, Lines(asked(in, at, l.Lines), at), KindLoadLine.Impossible(l.Reason, at))
	}
	return out
}
