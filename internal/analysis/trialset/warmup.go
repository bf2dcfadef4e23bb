package trialset

import (
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// WarmUp describes how the fresh servers of a benchmark's runs reached their full speed.
type WarmUp struct {
	N          int                `json:"n"`       // runs with a recorded heat
	HeatS      float64            `json:"heat_s"`  // seconds at full load before the warm-up, the longest
	Settled    int                `json:"settled"` // of N, those that became steady in the JIT warm-up
	Noisy      int                `json:"noisy"`   // of N, those whose throughput scattered too much to tell
	From       float64            `json:"from_s"`  // seconds until the first of these was steady
	To         float64            `json:"to_s"`    // seconds until the last was
	Gain       float64            `json:"gain"`    // throughput then over that of the first second, geometric mean
	Rise       *estimate.Estimate `json:"rise"`    // of throughput over the measured window, as a fraction; nil if unknown
	RiseTrials int                `json:"rise_n"`
}

// The limits of a rise in the measured window, equal to those of a drift.
const (
	maxRise = 0.01
	risesP  = 0.01
)

// rises reports whether throughput still rose in the measured window.
func rises(r record.Rise) bool { return r.Change > maxRise && r.P < risesP }

// maxHalf is the largest half-width of a heat's steady throughput, as a fraction, at which the time to reach it can be
// stated.
const maxHalf = 0.10

// noisy reports whether a heat tells nothing: on a shared machine throughput may scatter by more than a warm-up changes
// it.
func noisy(h record.WarmUp) bool { return h.Half > maxHalf }

// heated reports whether a server was steady before its heat ended: for a quarter of it, as a trial must be.
func heated(h record.WarmUp) bool { return stat.SteadyState{Kept: h.Kept}.Holds() }

// unheated reports whether a server is known not to have been steady when its heat ended.
func unheated(h *record.WarmUp) bool { return h != nil && !noisy(*h) && !heated(*h) }

// Warming returns notes against a trial's server being at full speed. If a trial has 30 windows, they tell more.
func Warming(t record.Trial) []note.Note {
	var out []note.Note
	if unheated(t.WarmUp) {
		out = append(out, note.New("not-steady-in-heat", t.WarmUp.Seconds))
	}
	if t.Rise != nil && t.Steady == nil && rises(*t.Rise) {
		out = append(out, note.New("still-warming", 100*t.Rise.Change))
	}
	return out
}

// WarmUpOf combines the trials' heats, or returns nil if none had one.
func WarmUpOf(trials []record.Trial) *WarmUp {
	w := WarmUp{From: math.Inf(1)}
	var gains, changes []float64
	for _, t := range trials {
		if t.Rise != nil {
			changes = append(changes, t.Rise.Change)
		}
		if t.WarmUp == nil {
			continue
		}
		w.N++
		w.HeatS = max(w.HeatS, t.WarmUp.Seconds)
		switch {
		case noisy(*t.WarmUp):
			w.Noisy++
		case heated(*t.WarmUp):
			w.Settled++
			w.From, w.To = min(w.From, t.WarmUp.SettledS), max(w.To, t.WarmUp.SettledS)
			gains = append(gains, t.WarmUp.Gain)
		}
	}
	if w.N == 0 {
		return nil
	}
	if w.Settled == 0 {
		w.From = 0
	}
	w.Gain = estimate.Average(gains)
	w.Rise, w.RiseTrials = riseTerm(changes), len(changes)
	return &w
}

// riseTerm returns the mean change of trials with Student's interval; the trials are independent even if their windows
// are not.
func riseTerm(changes []float64) *estimate.Estimate {
	if len(changes) == 0 || slices.ContainsFunc(changes, math.IsNaN) {
		return nil
	}
	rise := estimate.MeanOf(changes, 0)
	return &rise
}
