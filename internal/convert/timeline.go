package convert

import (
	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// timeline is what a run says of its own time.
type timeline struct {
	durationS float64 // 0: not known
	stepNs    int64   // of the series
	series    []stepSeries
	doubt     string // why there is no series, where there should be
}

// stepSeries has a value for each step.
type stepSeries struct {
	name, unit string
	counts     []int64
}

// timed is a run that says what it did in each of its seconds: these are parts of one trial, and no replicates.
type timed interface{ timeline() timeline }

// addTimeline adds what a run says of its own time.
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
