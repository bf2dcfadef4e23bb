package convert

import (
	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// timeline is a run's activity over time.
type timeline struct {
	durationS float64 // 0: unknown
	stepNs    int64   // of the series
	series    []stepSeries
	doubt     string // why an expected series is missing
}

// stepSeries has one value per step.
type stepSeries struct {
	name, unit string
	counts     []int64
}

// timed is a run with a timeline: its seconds are parts of one trial, not replicates.
type timed interface{ timeline() timeline }

// addTimeline adds a run's timeline.
func (r *Result) addTimeline(run toolRun) error {
	of, ok := run.(timed)
	if !ok {
		return nil
	}
	t := of.timeline()
	r.DurationS = t.durationS
	if t.doubt != "" {
		r.Doubts = append(r.Doubts, t.doubt)
	}
	for _, s := range t.series {
		data, err := session.EncodeWindows(s.counts)
		if err != nil {
			return err
		}
		r.Series = append(r.Series, record.Series{Name: s.name, Unit: s.unit, StepNs: t.stepNs, Enc: record.EncWindows, Data: data})
	}
	return nil
}
