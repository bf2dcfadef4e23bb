package stat

import (
	"math"
	"slices"
)

// Rates averages counts over windows of at least the given length: it joins consecutive steps until their lengths add
// up to the window, to within half of a step. lengths and the returned seconds are the lengths of the steps and of the
// windows. A step longer than the window is a window by itself; the remainder at the end is dropped.
func Rates(counts, lengths []float64, window, step float64) (rates, seconds []float64) {
	sum, passed := 0.0, 0.0
	for i, n := range counts {
		sum += n
		passed += lengths[i]
		if passed >= window-step/2 {
			rates, seconds = append(rates, sum/passed), append(seconds, passed)
			sum, passed = 0, 0
		}
	}
	return rates, seconds
}

// QuantileOfTime returns the lowest of the rates that suffices for the share q of the time: windows with at most that
// rate last so long together. It does not interpolate, so that the result is a rate that occurred. It is NaN for none.
func QuantileOfTime(rates, seconds []float64, q float64) float64 {
	order := make([]int, len(rates))
	total := 0.0
	for i := range order {
		order[i] = i
		total += seconds[i]
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case rates[a] < rates[b]:
			return -1
		case rates[a] > rates[b]:
			return 1
		}
		return 0
	})
	const rounding = 1e-9
	passed := 0.0
	for _, i := range order {
		if passed += seconds[i]; passed >= q*total*(1-rounding) {
			return rates[i]
		}
	}
	return math.NaN()
}

// WindowsFor returns the number of windows needed to tell the rate that suffices for the share q of the time: one of
// them must be able to lie beyond.
func WindowsFor(q float64) int {
	if q >= 1 {
		return 1
	}
	const rounding = 1e-9
	return int(math.Ceil(1/(1-q) - rounding))
}

// Plateau is a level at which a rate stays and which it hardly ever exceeds.
type Plateau struct {
	Level float64
	Share float64 // of the windows that lie at it
	At    []int   // indices of those windows
}

// Conditions of a plateau. There is no published rule; these were tuned on the sawtooth and noise of the tests: noise
// of a tenth makes none, a regulator that is accurate to 3% does.
const (
	plateauBand  = 0.03 // of the level, either way
	plateauShare = 0.30 // of the windows that must lie in it
	plateauLeast = 10   // windows
	plateauAbove = 0.05 // of the windows that may lie above it
)

// PlateauOf returns the level to which a rate is held down; false if there is none. The rate alone does not tell a
// limit from a constant demand.
func PlateauOf(rates []float64) (Plateau, bool) {
	if len(rates) < 2*plateauLeast {
		return Plateau{}, false
	}
	sorted := slices.Clone(rates)
	slices.Sort(sorted)
	top := Quantile(sorted, 1-plateauAbove)
	level := medianWithin(sorted, top*(1-2*plateauBand), top)
	var p Plateau
	above := 0
	for i, r := range rates {
		switch {
		case math.Abs(r-level) <= plateauBand*level:
			p.At = append(p.At, i)
		case r > level:
			above++
		}
	}
	p.Level, p.Share = level, float64(len(p.At))/float64(len(rates))
	ok := level > 0 && len(p.At) >= plateauLeast && p.Share >= plateauShare &&
		float64(above) <= plateauAbove*float64(len(rates))
	return p, ok
}

// medianWithin returns the median of the values from lo to hi.
func medianWithin(sorted []float64, lo, hi float64) float64 {
	from, _ := slices.BinarySearch(sorted, lo)
	to := from
	for to < len(sorted) && sorted[to] <= hi {
		to++
	}
	return Quantile(sorted[from:to], .5)
}
