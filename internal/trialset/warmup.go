package trialset

import (
	"math"
	"slices"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// WarmUp is how the fresh servers of a cell's trials became as fast as they get.
type WarmUp struct {
	N          int                `json:"n"`       // trials whose heat was recorded
	HeatS      float64            `json:"heat_s"`  // seconds at full load before the warm-up, the longest
	Settled    int                `json:"settled"` // of N, those that became steady in the heat
	Noisy      int                `json:"noisy"`   // of N, those whose throughput scattered too much to tell
	From       float64            `json:"from_s"`  // seconds after which the first of these was steady
	To         float64            `json:"to_s"`    // the last
	Gain       float64            `json:"gain"`    // throughput then over that of the first second, geometric mean
	Rise       *estimate.Estimate `json:"rise"`    // of throughput over the measured window, as a fraction; nil where that is not known
	RiseTrials int                `json:"rise_n"`
}

// The limits of a rise in the measured window, those of a drift.
const (
	maxRise = 0.01
	risesP  = 0.01
)

// rises says whether throughput still rose in the measured window.
func rises(r record.Rise) bool { return r.Change > maxRise && r.P < risesP }

// maxHalf is how well a heat's steady throughput must be known, as a fraction, to say when it was reached.
const maxHalf = 0.10

// noisy says whether a heat tells nothing: on a machine that others use its throughput may scatter by more than a warm-up changes it.
func noisy(h record.WarmUp) bool { return h.Half > maxHalf }

// heated says whether a server was steady before its heat was over: for a quarter of it, as a trial must be.
func heated(h record.WarmUp) bool { return stat.SteadyState{Kept: h.Kept}.Holds() }

// unheated says whether a server is known not to have been steady when its heat was over.
func unheated(h *record.WarmUp) bool { return h != nil && !noisy(*h) && !heated(*h) }

// Warming says what speaks against a trial's server being as fast as it gets. A trial of 30 windows says more of that itself.
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

// WarmUpOf puts trials together; nil where none had a heat.
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

// riseTerm is the mean change of trials with Student's interval; the trials are independent, whatever their windows are.
func riseTerm(changes []float64) *estimate.Estimate {
	if len(changes) == 0 || slices.ContainsFunc(changes, math.IsNaN) {
		return nil
	}
	rise := estimate.MeanOf(changes, 0)
	return &rise
}
