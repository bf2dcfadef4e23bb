package judge

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// ProfileCost is what profiling did to a metric: profiled trials against those of the same cell and replicate that were not.
type ProfileCost struct {
	Ratio float64  `json:"ratio"` // profiled over not
	Lo    *float64 `json:"lo"`    // nil below three replicates
	Hi    *float64 `json:"hi"`
	N     int      `json:"n"` // replicates that have both
}

// profiles are the valid profiled trials by cell and replicate.
type profiles map[profiledAt]record.Trial

type profiledAt struct {
	cellID
	replicate int
}

func profilesOf(trials []record.Trial) profiles {
	out := profiles{}
	for _, t := range trials {
		if t.Profiled && t.Void == "" {
			out[profiledAt{idOf(t), t.Replicate}] = t
		}
	}
	return out
}

// complete adds to a cell of the primary metric, or of the CPU for an operation, what profiling did to it.
func (p profiles) complete(c *Cell, trials []record.Trial) {
	if len(p) == 0 || !c.Primary && c.Metric != record.CPUPerOp {
		return
	}
	var logs []float64
	for _, t := range valid(trials) {
		with, ok := p[profiledAt{idOf(t), t.Replicate}]
		if !ok {
			continue
		}
		a, okA := t.Value(c.Metric)
		b, okB := with.Value(c.Metric)
		if okA && okB && a.Value > 0 && b.Value > 0 && a.Unit == b.Unit {
			logs = append(logs, math.Log(b.Value/a.Value))
		}
	}
	if len(logs) == 0 {
		return
	}
	c.Profiled = &ProfileCost{Ratio: math.Exp(stat.Mean(logs)), N: len(logs)}
	if len(logs) >= minReplicates {
		const alpha = 0.05
		iv := stat.TInterval(logs, alpha, stat.SDFloor)
		lo, hi := math.Exp(iv.Lo), math.Exp(iv.Hi)
		c.Profiled.Lo, c.Profiled.Hi = &lo, &hi
	}
}
