package execload

import (
	"plimsoll/internal/process"
	"plimsoll/internal/record"
)

// valuesOf returns the measurements of a run itself, in the order of metrics().
func valuesOf(o process.Outcome) []record.Value {
	measured := []float64{o.Wall.Seconds(), o.User.Seconds(), o.System.Seconds()}
	if b, ok := o.SeenMemory(); ok {
		measured = append(measured, b)
	}
	var vs []record.Value
	for i, m := range metrics()[:len(measured)] {
		m.Doc = ""
		vs = append(vs, record.Value{Metric: m, Value: measured[i]})
	}
	return vs
}
