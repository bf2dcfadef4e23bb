package render

import (
	"fmt"

	"plimsoll/internal/judge"
)

// familyNotes say how many times as large machines of one family must be to carry what another's do.
func familyNotes(families []judge.FamilyRatio) []note {
	var out []note
	for _, f := range families {
		out = append(out, note{"sizes", strong, familyText(f)})
		for _, d := range f.Doubts {
			out = append(out, note{"doubt", warn, d.Text()})
		}
	}
	return out
}

func familyText(f judge.FamilyRatio) string {
	where := crossingPlace(judge.Crossing{Workload: f.Workload, Params: f.Params, Load: f.Load, Metric: f.Metric})
	one := scale{factor: 1}
	m := f.Multiple
	if m.Lo == nil {
		return fmt.Sprintf("no interval, %d replicates of each size needed; by estimate %s needs %s times the vCPUs of %s to carry as much: %s",
			minReplicates, f.A, one.number(m.Value, digits), f.B, where)
	}
	return fmt.Sprintf("%s needs %s to %s times the vCPUs of %s to carry as much, by estimate %s: %s",
		f.A, one.number(*m.Lo, digits), one.number(*m.Hi, digits), f.B, one.number(m.Value, digits), where)
}
