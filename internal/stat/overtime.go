package stat

import (
	"math"
	"slices"
)

// Rates averages counts over windows of at least the given length: steps follow each other until their lengths add
// up to the window, to within half of a step. lengths are those of the steps, and of the windows in what is
// returned, in seconds. A step that is longer than the window is a window by itself; what is left at the end is left out.
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

// QuantileOfTime is the lowest of the rates that suffices for the share q of the time: windows with at most that rate last so
// long together. No interpolation: it is a rate that was needed. NaN for none.
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

// WindowsFor is how many windows tell what suffices for the share q of the time: one of them must be
// able to lie beyond.
func WindowsFor(q float64) int {
	if q >= 1 {
		return 1
	}
	const rounding = 1e-9
	return int(math.Ceil(1/(1-q) - rounding))
}

// Plateau is a level that a rate stays at and hardly ever exceeds.
type Plateau struct {
	Level float64
	Share float64 // of the windows that lie at it
	At    []int   // those windows
}

// The plateau's terms. There is no published rule; these were set on the sawtooth and noise of the tests beside
// them: a tenth of noise makes none, a regulator that lets by what it should to within 3 % does.
const (
	plateauBand  = 0.03 // of the level, either way
	plateauShare = 0.30 // of the windows that must lie in it
	plateauLeast = 10   // windows
	plateauAbove = 0.05 // of the windows that may lie above it
)

// PlateauOf finds the level that a rate is held down to; false where it is not. Whether it is a limit, or just what was asked for, the
// rate alone does not say.
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
	ok := level > 0 && len(p.At) >= plateauLeast && p.Share >= plateauShare && float64(above) <= plateauAbove*float64(len(rates))
	return p, ok
}

// medianWithin is the median of the values from lo to hi.
func medianWithin(sorted []float64, lo, hi float64) float64 {
	from, _ := slices.BinarySearch(sorted, lo)
	to := from
	for to < len(sorted) && sorted[to] <= hi {
		to++
	}
	return Quantile(sorted[from:to], .5)
}
