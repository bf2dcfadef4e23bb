package stat

import "slices"

// evenOutDelays evens out a silence whose missing bytes follow soon after it, on top of the usual flow: nothing was
// throttled, but the observer (such as a host that lost its CPU) or the notification was late. A regulator never
// catches up: after its silences data flow as at other times.
//
// The usual flow is the 70th percentile of the sixteen preceding non-empty bins, because bins at the ends of bursts are
// not whole. A silence is late if 60% of its deficit, and of that of other silences until then, is made up within
// twice its length plus eight bins: threads that were held up do not all wake at once.
func evenOutDelays(x []float64) []float64 {
	const before, rush, makesUp = 16, 8, 0.6
	out := slices.Clone(x)
	flows := offLevel * slices.Max(x) // lower bound of the usual flow: this much is never silence
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

// madeUp returns where the deficit of a silence is made up best, and the share made up: x is silent in bins from to to,
// and searched up to last.
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

// usualIn returns the 70th percentile of the non-zero values; 0 if there are none. near is scratch space.
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
