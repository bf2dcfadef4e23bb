package trialset

import (
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Regulated returns how a trial's disk was throttled. A trial of a version that did not know what was in flight is
// judged by it too: its load says how many operations were.
func Regulated(t record.Trial) *record.Regulation {
	r := t.Regulation
	if r == nil || r.InFlight > 0 || t.Load.Kind != record.Closed || t.Load.Unit != record.ParamClients {
		return r
	}
	out := *r
	out.InFlight = t.Load.Level * r.IOBytes
	burst := r.Bytes / float64(r.Cycles+1)
	if r.QuantumBytes != nil {
		burst = *r.QuantumBytes
	}
	if r.Class != stat.Quantum && r.Class != stat.Stalls || burst > stat.FlowsFrom*out.InFlight {
		return &out
	}
	if r.Class == stat.Quantum {
		out.Class = stat.Bursts
	}
	out.BurstRate, out.AtLeast, out.Duty, out.SafeRate, out.SafeBurst = nil, false, nil, nil, nil
	return &out
}

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
		r := Regulated(*t)
		return t.Counts() && t.Load.Kind == record.Closed && r != nil && r.SafeRate != nil
	})
	if len(held) == 0 {
		return 0, 0, false
	}
	rates := Known(held, func(r *record.Regulation) *float64 { return r.SafeRate })
	sizes := Known(held, func(r *record.Regulation) *float64 { return &r.IOBytes })
	return estimate.Average(rates), estimate.Average(sizes), true
}
