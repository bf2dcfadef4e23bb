package trialset

import (
	"plimsoll/internal/estimate"
	"plimsoll/internal/record"
)

// Known are the values of a parameter in the trials that have it.
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

// SafeRateOf is the rate, in bytes per second, that earlier trials of a cell at full load show to be safe, and the
// bytes of an I/O in them, as far as they count; false where they show none.
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
