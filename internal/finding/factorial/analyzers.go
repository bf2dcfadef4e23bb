package factorial

import "plimsoll/internal/finding"

// Analyzers returns that of factorials.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{Kind: string(KindAttribution), Doc: "what each factor does of a factorial's change", Body: KindAttribution.Body(), Run: attributions}}
}

func attributions(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for of, a := range Attributed(in.Condensed, in.Plans) {
		for _, f := range KindAttribution.New(a, of.Place) {
			f.Metric = of.Metric
			out = append(out, f)
		}
	}
	return out
}
