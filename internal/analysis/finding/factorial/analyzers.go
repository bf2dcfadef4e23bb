package factorial

import "plimsoll/internal/analysis/finding"

// The kinds of this room.
const (
	KindAttribution finding.Kind[Attribution]     = "attribution"
	KindByFactor    finding.Kind[MachineByFactor] = "machine_by_factor"
)

// Analyzers returns those of factorials.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{
			Kind: string(KindAttribution), Doc: "the part of each factor in a factorial's change", Body: KindAttribution.Body(),
			Run: attributions, Brief: true, Show: shows,
		},
		{
			Kind: string(KindByFactor), Doc: "the part of each factor in the gap between two machines",
			Body: KindByFactor.Body(),
			Pair: machinesByFactor, Says: gapsSaid,
		},
	}
}

// attributions returns those of two factors or more, of the primary metrics and of CPU time per operation. The effect
// of one factor is its share.
func attributions(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, metric := range []string{"", AttributedCPU} {
		for _, l := range layouts(in.Condensed, in.Plans, metric) {
			if len(l.design.factors) > 1 {
				a := l.attribution()
				out = append(out, finding.About(l.metric.Name, KindAttribution.New(&a, l.place))...)
			}
		}
	}
	return out
}
