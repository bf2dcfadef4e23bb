package stat

import "slices"

// toldLate evens out a silence whose bytes come soon after it, beyond what flows there otherwise: nothing was held back,
// but who should have seen it, such as a host that lost its CPU, or who should have told it, was late. A regulator gives nothing
// back: after its silences data flow as they do at other times.
//
// What flows otherwise is the 70th percentile of the sixteen bins before with something in them: bins at the ends of bursts are
// not whole. A silence is late where 60 % of what it lacks, and of what other silences lack until then, is made up within twice its length
// and eight bins: threads that were held up do not all wake at once.
func toldLate(x []float64) []float64 {
	const before, rush, makesUp = 16, 8, 0.6
	out := slices.Clone(x)
	flows := offLevel * slices.Max(x) // at least: so much is no silence beside anything
	near := make([]float64, 0, before)
	for from := 0; from < len(x); {
		if x[from] >= flows {
			from++
			continue
		}
		usual := usualIn(near, x[max(0, from-before):from])
		to := from
		for to < len(x) && x[to] < offLevel*usual {
			to++
		}
		if to == from {
			from++
			continue
		}
		end, made := madeUp(x, usual, from, to, min(len(x), to+2*(to-from)+rush))
		if made < makesUp {
			from = to
			continue
		}
		level := sum(x[from:end]) / float64(end-from)
		for i := from; i < end; i++ {
			out[i] = level
		}
		from = end
	}
	return out
}

// madeUp is where what a silence lacks has been made up best, and how much of it: x is silent from one bin to another, and
// is looked at up to a last one.
func madeUp(x []float64, usual float64, from, to, last int) (end int, share float64) {
	lack := usual*float64(to-from) - sum(x[from:to])
	most := lack
	for i := to; i < last && lack > 0; i++ {
		lack += usual - x[i]
		most = max(most, lack)
		if made := 1 - lack/most; made > share {
			end, share = i+1, made
		}
	}
	return end, share
}

// usualIn is the 70th percentile of what is not nothing; 0 of none. near is room for it.
func usualIn(near, x []float64) float64 {
	near = near[:0]
	for _, v := range x {
		if v > 0 {
			near = append(near, v)
		}
	}
	if len(near) == 0 {
		return 0
	}
	slices.Sort(near)
	return Quantile(near, .7)
}
