package stat

import "math"

// What makes a change of level the end of a credit (METHOD section 6): it explains 30 % of the variance
// between pieces of the run, and what came before is more than 1.3 times what comes after. What METHOD lacks,
// and what a slow drift fails: both stretches are flat, and the change is sharp.
const (
	dropPieces   = 300
	dropRatio    = 1.3
	dropExplains = 0.30
	dropFlat     = 0.20 // how far the halves of a stretch may differ, as a share
	dropWander   = 0.35 // of the drop: how far parts of a stretch may lie from its mean
	dropSharp    = 0.60 // of the drop lies between what is close by on both sides
	dropOff      = 0.10 // of either stretch may be silent: a level that drops so is no matter of a few hiccups
)

// credit makes the class Credit where a timeline is one level, one drop and another level.
func credit(r *Regulation, x []float64, bin float64) bool {
	by := max(1, len(x)/dropPieces)
	coarse := together(x, by)
	at, gain := change(coarse, 5, len(coarse)-5)
	if at == 0 || gain < dropExplains*squares(coarse) {
		return false
	}
	at, _ = change(x, max(1, (at-2)*by), min(len(x)-1, (at+2)*by))
	before, after := x[:at], x[at:]
	high, low := Mean(before), Mean(after)
	if low <= 0 || high < dropRatio*low || shareOf(flowing(before), false) >= dropOff || shareOf(flowing(after), false) >= dropOff {
		return false
	}
	if !flat(before, high-low) || !flat(after, high-low) || !sharp(before, after) {
		return false
	}
	r.Class = Credit
	r.ExhaustedS = bin * float64(at)
	r.BurstRate, r.Rate = high/bin, low/bin
	r.BucketBytes = (r.BurstRate - r.Rate) * r.ExhaustedS
	r.SafeRate, r.SafeBurst = r.Rate, r.BurstRate*r.ExhaustedS
	r.ZeroFraction = 0
	return true
}

// change is where the mean of a series changes most, in bins from a to b, by the sum of squares that it explains.
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

func squares(x []float64) float64 {
	m, s := Mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return s
}

// flat says whether a stretch goes nowhere: its halves are alike, and so are its eighths, seen against the drop.
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

// sharp says whether most of the drop lies between the last and the first twentieth beside it.
func sharp(before, after []float64) bool {
	near := func(n int) int { return min(n, max(5, n/20)) }
	b, a := before[len(before)-near(len(before)):], after[:near(len(after))]
	return Mean(b)-Mean(a) >= dropSharp*(Mean(before)-Mean(after))
}
