package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

// bins joins as many steps as it takes for non-empty bins to hold eight I/Os on average: with one or two in a bin, a
// steady stream looks like stalls. Of a shallower load they hold as many as are in flight, if those are fewer. blind
// has the share of each bin that was not seen; nil if that is unknown.
func (t Timeline) bins() (bytes, blind []float64, bin float64) {
	least := float64(minIOs)
	if t.Shallower {
		least = min(least, t.InFlight/(sum(t.Bytes)/sum(t.IOs)))
	}
	for by := 1; by <= len(t.IOs)/fewestBins; by++ {
		ios := together(t.IOs, by)
		busy := 0.0
		for _, n := range ios {
			if n > 0 {
				busy++
			}
		}
		if sum(ios) >= least*busy && busy > 0 {
			blind = together(t.Unseen, by)
			for i := range blind {
				blind[i] /= float64(by)
			}
			return together(t.Bytes, by), blind, float64(by) * t.StepS
		}
	}
	return nil, nil, 0
}

// together sums every by consecutive values; the remainder at the end is dropped.
func together(x []float64, by int) []float64 {
	out := make([]float64, len(x)/by)
	for i := range out {
		out[i] = sum(x[i*by : (i+1)*by])
	}
	return out
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// Median returns the median of values in any order; NaN for none.
func Median(x []float64) float64 { return Quantile(slices.Sorted(slices.Values(x)), .5) }

func chosen(x []float64, of []int) []float64 {
	out := make([]float64, len(of))
	for i, at := range of {
		out[i] = x[at]
	}
	return out
}

// fullest returns the 98th percentile, or the median of the non-empty bins if bursts are rarer than that.
func fullest(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	first := slices.IndexFunc(sorted, func(v float64) bool { return v > 0 })
	if first < 0 {
		return 0
	}
	return math.Max(Quantile(sorted, .98), Quantile(sorted[first:], .5))
}

// flowing reports for each bin whether data flow in it.
func flowing(x []float64) []bool {
	least := offLevel * fullest(x)
	on := make([]bool, len(x))
	for i, v := range x {
		on[i] = v >= least && v > 0
	}
	return on
}

func shareOf(on []bool, of bool) float64 {
	n := 0
	for _, v := range on {
		if v == of {
			n++
		}
	}
	return float64(n) / float64(len(on))
}

// lengths returns the lengths of the runs of one state, in bins. Runs at either end count, although they may be longer.
func lengths(on []bool, of bool) []float64 {
	var out []float64
	for i, v := range on {
		switch {
		case v != of:
		case i > 0 && on[i-1] == of:
			out[len(out)-1]++
		default:
			out = append(out, 1)
		}
	}
	return out
}

// bridged lets data flow through inner silences shorter than some bins: a host that lost its CPU for a moment has not
// begun another burst.
func bridged(on []bool, shorter float64) []bool {
	out := slices.Clone(on)
	last := -1 // last bin that flowed
	for i, v := range on {
		if !v {
			continue
		}
		if last >= 0 && float64(i-last-1) < shorter {
			for j := last + 1; j < i; j++ {
				out[j] = true
			}
		}
		last = i
	}
	return out
}

// startsOf returns the bins in which bursts begin, except at the start of the timeline.
func startsOf(on []bool) []int {
	var out []int
	for i := 1; i < len(on); i++ {
		if on[i] && !on[i-1] {
			out = append(out, i)
		}
	}
	return out
}

// autoPeriod returns the lag in bins at which a series resembles itself most: the highest autocorrelation past its
// first minimum below half, refined by the parabola through its neighbours; NaN without a peak. Multiples of the period
// peak at similar heights, so it returns the first.
func autoPeriod(x []float64) float64 {
	c := correlations(x)
	from := slices.IndexFunc(c, func(v float64) bool { return v < .5 })
	if from < 0 {
		return math.NaN()
	}
	for from+1 < len(c) && c[from+1] < c[from] {
		from++
	}
	top := slices.Max(c[from:])
	for i := max(from, 1); i+1 < len(c); i++ {
		if c[i] >= .65*top && c[i] >= c[i-1] && c[i] >= c[i+1] && c[i] > 0 {
			bend := c[i-1] - 2*c[i] + c[i+1]
			if bend == 0 {
				return float64(i)
			}
			return float64(i) + (c[i-1]-c[i+1])/(2*bend)
		}
	}
	return math.NaN()
}

// correlations returns the autocorrelations at lags from 0 to a third of the series, each normalised by its number of
// pairs (by the Wiener–Khinchin theorem).
func correlations(x []float64) []float64 {
	n := 1
	for n < 2*len(x) {
		n *= 2
	}
	padded := make([]float64, n)
	m := Mean(x)
	for i, v := range x {
		padded[i] = v - m
	}
	ft := fourier.NewFFT(n)
	power := ft.Coefficients(nil, padded)
	for i, v := range power {
		power[i] = complex(real(v)*real(v)+imag(v)*imag(v), 0)
	}
	all := ft.Sequence(nil, power)
	out := make([]float64, len(x)/3)
	for lag := range out {
		out[lag] = all[lag] / all[0] * float64(len(x)) / float64(len(x)-lag)
	}
	return out
}
