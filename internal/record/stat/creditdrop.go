package stat

import "math"

// Conditions for a change of level to count as an exhausted credit: it explains 30% of the variance between pieces of
// the run, and the rate before it exceeds 1.3 times the rate after it (docs/derivations.md#throttling). To reject
// slow drifts, both stretches must also be flat and the change sharp.
const (
	dropPieces   = 300
	dropRatio    = 1.3
	dropExplains = 0.30
	dropFlat     = 0.20 // maximum difference between the halves of a stretch, as a share
	dropWander   = 0.35 // of the drop: maximum distance of parts of a stretch from its mean
	dropSharp    = 0.60 // of the drop must lie between the bins close to it on both sides
	dropOff      = 0.10 // of either stretch may be silent; more than that is not a steady level
)

// credit sets the class Credit if the timeline is one level, one drop and another level.
func credit(r *Regulation, x []float64, bin, warmup float64) bool {
	by := max(1, len(x)/dropPieces)
	coarse := together(x, by)
	at, gain := change(coarse, 5, len(coarse)-5)
	if at == 0 || gain < dropExplains*squares(coarse) {
		return false
	}
	at, _ = change(x, max(1, (at-2)*by), min(len(x)-1, (at+2)*by))
	before, after := x[:at], x[at:]
	high, low := Mean(before), Mean(after)
	if low <= 0 || high < dropRatio*low || shareOf(flowing(before), false) >= dropOff ||
		shareOf(flowing(after), false) >= dropOff {
		return false
	}
	if !flat(before, high-low) || !flat(after, high-low) || !sharp(before, after) {
		return false
	}
	r.Class = Credit
	r.ExhaustedS = warmup + bin*float64(at)
	r.BurstRate, r.Rate = high/bin, low/bin
	r.BucketBytes = (r.BurstRate - r.Rate) * r.ExhaustedS
	r.SafeRate, r.SafeBurst = r.Rate, r.BurstRate*r.ExhaustedS
	r.ZeroFraction = 0
	return true
}

// change returns the bin between a and b at which the mean of a series changes most, and the sum of squares that this
// explains.
func change(x []float64, a, b int) (at int, gain float64) {
	c := cumulated(x)
	n := len(x)
	for k := max(a, 1); k <= min(b, n-1); k++ {
		apart := c[k]/float64(k) - (c[n]-c[k])/float64(n-k)
		if g := float64(k) * float64(n-k) / float64(n) * apart * apart; g > gain {
			at, gain = k, g
		}
	}
	return at, gain
}

// squares returns the sum of the squared distances from the mean.
func squares(x []float64) float64 {
	m, s := Mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return s
}

// flat reports whether a stretch has a constant level: its halves are similar, and so are its eighths compared to the
// drop.
func flat(x []float64, drop float64) bool {
	const parts = 8
	if len(x) < 2*parts {
		return true
	}
	half := len(x) / 2
	first, second := Mean(x[:half]), Mean(x[half:])
	if math.Abs(first-second) > dropFlat*math.Max(first, second) {
		return false
	}
	m := Mean(x)
	for _, v := range together(x, len(x)/parts)[:parts] {
		if math.Abs(v/float64(len(x)/parts)-m) > dropWander*drop {
			return false
		}
	}
	return true
}

// sharp reports whether most of the drop lies between the adjacent twentieths on both sides.
func sharp(before, after []float64) bool {
	near := func(n int) int { return min(n, max(5, n/20)) }
	b, a := before[len(before)-near(len(before)):], after[:near(len(after))]
	return Mean(b)-Mean(a) >= dropSharp*(Mean(before)-Mean(after))
}
