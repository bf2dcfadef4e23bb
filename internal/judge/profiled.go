package judge

import (
	"math"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// ProfileCost is what profiling did to a metric: profiled trials against those of the same cell and replicate that were not.
type ProfileCost struct {
	Ratio float64  `json:"ratio"` // profiled over not
	Lo    *float64 `json:"lo"`    // nil below three replicates
	Hi    *float64 `json:"hi"`
	N     int      `json:"n"` // replicates that have both
}

// profiles are the profiled trials: the valid ones by cell and replicate, and what is said against any by cell.
type profiles struct {
	valid  map[profiledAt]record.Trial
	doubts map[trialset.CellID][]note.Note
}

type profiledAt struct {
	trialset.CellID
	replicate int
}

func profiledIn(trials []record.Trial) profiles {
	out := profiles{map[profiledAt]record.Trial{}, map[trialset.CellID][]note.Note{}}
	var void []record.Trial
	for _, t := range trials {
		if !t.Profiled {
			continue
		}
		id := trialset.IDOf(t)
		if t.Void != "" {
			void = append(void, t)
			continue
		}
		out.valid[profiledAt{id, t.Replicate}] = t
		for _, d := range t.Doubts {
			if strings.HasPrefix(d, record.ProfileDoubt) {
				out.doubts[id] = append(out.doubts[id], note.FromRecord(d))
			}
		}
	}
	// One that was tried again, and then was valid, is not missing.
	for _, t := range void {
		id := trialset.IDOf(t)
		if _, again := out.valid[profiledAt{id, t.Replicate}]; !again {
			out.doubts[id] = append(out.doubts[id], note.New("profile-left-out", record.ProfileDoubt, t.Replicate, t.Void))
		}
	}
	return out
}

// complete adds to a cell of the primary metric, or of the CPU for an operation, what profiling did to it.
func (p profiles) complete(c *finding.Cell, trials []record.Trial) {
	if !c.Primary && c.Metric != record.CPUPerOp {
		return
	}
	seen := map[trialset.CellID]bool{}
	var logs []float64
	for _, t := range trialset.Valid(trials) {
		if id := trialset.IDOf(t); c.Primary && !seen[id] {
			seen[id] = true
			c.Doubts = append(c.Doubts, p.doubts[id]...)
		}
		with, ok := p.valid[profiledAt{trialset.IDOf(t), t.Replicate}]
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
	ratio := estimate.FromLogs(stat.LogRatio{Mean: stat.Mean(logs), Hull: stat.TInterval(logs, estimate.Alpha, stat.SDFloor)}, len(logs))
	c.Add(KindProfiled.New(&ProfileCost{ratio.Value, ratio.Lo, ratio.Hi, len(logs)}, placeOfCell(*c)))
}
