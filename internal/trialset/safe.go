package trialset

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
)

// Known returns a parameter's values over the trials that have one.
func Known(of []record.Trial, from func(*record.Regulation) *float64) []float64 {
	var out []float64
	for _, t := range of {
		if v := from(t.Regulation); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// The shares of a safe rate at which it is verified.
const (
	BelowSafe = 0.95
	AboveSafe = 1.05
)

// SafeRateOf returns the rate in bytes per second that earlier trials of a cell at full load show to be safe, and their
// bytes per I/O if they count them; it returns false if they show none.
func SafeRateOf(full []record.Trial) (rate, ioBytes float64, ok bool) {
	held := Filter(Valid(full), func(t *record.Trial) bool {
		return t.Counts() && t.Load.Kind == record.Closed && t.Regulation != nil && t.Regulation.SafeRate != nil
	})
	if len(held) == 0 {
		return 0, 0, false
	}
	rates := Known(held, func(r *record.Regulation) *float64 { return r.SafeRate })
	sizes := Known(held, func(r *record.Regulation) *float64 { return &r.IOBytes })
	return estimate.Average(rates), estimate.Average(sizes), true
}
