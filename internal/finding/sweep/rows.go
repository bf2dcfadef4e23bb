package sweep

import (
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

func speedupRows(c finding.Cell) []finding.Row {
	t := KindSpeedup.Of(c)
	if t == nil {
		return nil
	}
	return []finding.Row{{Name: "over 1 cpu", Value: *t, Scale: figure.Scale{Factor: 1, Unit: "times"}}}
}

func memoryRows(c finding.Cell) []finding.Row {
	m := KindMemoryBandwidth.Of(c)
	if m == nil {
		return nil
	}
	return []finding.Row{{Name: "of memory", Value: m.Estimate(), Scale: finding.Percents()}}
}
