package stat

import "slices"

// toldLate spreads over a silence what was completed at its end beyond what flows there otherwise, where that makes up
// for it: nothing was held back, but who should have seen it, such as a host that lost its CPU, or who should have told
// it, was late. A regulator gives nothing back: after its silences data flow as they do at other times.
//
// What flows otherwise is the 70th percentile of the bins with something in them, ten to either side. Two bins may bring what was
// missed, since a bin can end while they are read.
func toldLate(x []float64) []float64 {
	const around, makesUp = 10, 0.6
	out := slices.Clone(x)
	flows := offLevel * slices.Max(x) // at least: so much is no silence beside anything
	near := make([]float64, 0, 4*around)
	for from := 0; from < len(x); {
		if x[from] >= flows || x[from] > 0 && x[from] >= offLevel*usualIn(&near, x, from-around, from, from+1, from+1+around) {
			from++
			continue
		}
		to := from + 1
		usual := 0.0
		for ; to < len(x); to++ {
			usual = usualIn(&near, x, from-around, from, to+2, to+2+around)
			if x[to] > offLevel*usual {
				break
			}
		}
		if to+1 >= len(x) {
			break
		}
		over := [2]float64{max(0, x[to]-usual), max(0, x[to+1]-usual)}
		silent := float64(to - from)
		if late := over[0] + over[1]; usual > 0 && late >= makesUp*silent*usual {
			out[to], out[to+1] = x[to]-over[0], x[to+1]-over[1]
			for i := from; i < to; i++ {
				out[i] += late / silent
			}
		}
		from = to + 1
	}
	return out
}

// usualIn is the 70th percentile of what is not nothing in bins a to b and c to d; 0 of none.
func usualIn(near *[]float64, x []float64, a, b, c, d int) float64 {
	*near = (*near)[:0]
	for _, part := range [][2]int{{a, b}, {c, d}} {
		for i := max(part[0], 0); i < min(part[1], len(x)); i++ {
			if x[i] > 0 {
				*near = append(*near, x[i])
			}
		}
	}
	if len(*near) == 0 {
		return 0
	}
	slices.Sort(*near)
	return Quantile(*near, .7)
}
