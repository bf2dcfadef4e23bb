package workload

import (
	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
)

// CostsOf returns the costs of a plan's cells besides warm-up and measurement, on machines by host.
func CostsOf(specs []Spec, p record.Plan, machines map[string]record.Machine) []forecast.Cost {
	return list.Map(p.Cells, func(c record.Cell) forecast.Cost { return costOf(specs, c, machines[c.Host]) })
}

func costOf(specs []Spec, c record.Cell, m record.Machine) forecast.Cost {
	spec, _ := Find(specs, c.Workload)
	if spec.Cost == nil {
		return forecast.Cost{}
	}
	p := NewParams(spec.Workload, c.Params)
	out := spec.Cost(p, c.Load, m)
	if spec.Path != nil {
		out.Path, _ = spec.Path(p)
	}
	return out
}
