package stat

import "math"

// SDFloor is the smallest standard deviation of log values that an interval assumes: 0.5%. Two capped machines repeat
// within 0.01%, and without a floor a difference of 0.05% between them would be certain every time.
const SDFloor = 0.005

// MinRanks is the number of pairs from which the signed ranks are used.
const MinRanks = 8

// Opts selects how an interval is made.
type Opts struct {
	Boundary Boundary
	SDFloor  float64 // of log values

	// Inflate widens the intervals of pairs by inflation: repeated analyses of pairs that resemble their neighbours
	// would otherwise conclude too early.
	Inflate bool

	// Widen is the factor of the standard error from OrderOf; 0 is 1.
	Widen float64
}

// OptsFor returns the options for verdicts from pairs under a boundary: with the floor, and inflated exactly if the
// boundary has interim analyses. A session of a fixed number of pairs is not inflated: it has one chance to err, and at
// 5 pairs the factor would be 1.2 on average for noise without any autocorrelation.
func OptsFor(b Boundary) Opts {
	return Opts{Boundary: b, SDFloor: SDFloor, Inflate: b.Looks != nil}
}

// LogRatio is an estimate of the log of a ratio; all numbers but N are logs.
type LogRatio struct {
	Mean float64  // exp(Mean) is the ratio of geometric means
	Hull Interval // the interval to report
	N    int      // pairs, or values of the smaller side
}

// Leaning returns the estimate moved by lean, within its interval.
func (r LogRatio) Leaning(lean float64) LogRatio {
	r.Mean = min(max(r.Mean+lean, r.Hull.Lo), r.Hull.Hi)
	return r
}

// PairedLogRatio adds how the estimate of pairs was made.
type PairedLogRatio struct {
	LogRatio
	ByRanks bool // Hodges-Lehmann's estimate with the signed-rank interval; else the mean with Student's
}

// PairedRatio estimates a ratio from d, one log ratio per pair, in the order measured. From MinRanks pairs on it is the
// Hodges-Lehmann estimate with the exact signed-rank interval (Hollander and Wolfe, Nonparametric Statistical Methods,
// 1999, section 3.1), if there is one at the requested error rate: a stalled run moves neither, and of normal noise it
// takes as many pairs as Student's to decide (docs/derivations.md#intervals). Below it is the mean ± c·s/√n. The
// interval is at least as wide as one of pairs with the floor's standard deviation. With Inflate it is widened around
// the estimate. It never leaves out a pair. Without pairs the mean is NaN and the interval is infinite.
func PairedRatio(d []float64, o Opts) PairedLogRatio {
	n := len(d)
	r := PairedLogRatio{LogRatio: LogRatio{Mean: Mean(d), N: n}}
	r.Hull = TInterval(d, o.Boundary.Rate, o.SDFloor)
	if n >= MinRanks {
		if k := signedRankK(n, o.Boundary.Rate); k > 0 {
			w := walshOf(d)
			r.ByRanks, r.Mean = true, w.median()
			least := o.Boundary.Crit(n) * o.SDFloor / math.Sqrt(float64(n))
			r.Hull = hull(Interval{w.at(k - 1), w.at(w.len() - k)}, Interval{r.Mean - least, r.Mean + least})
		}
	}
	widen := 1.0
	if o.Inflate {
		widen = inflation(d)
	}
	r.Hull = r.Hull.widened(r.Mean, max(widen, o.Widen))
	return r
}

// pairSpread returns the standard deviation of a pair by which the estimate of PairedRatio varies: that of d below
// MinRanks pairs, and from there on √n times the standard error of the Hodges-Lehmann estimate, which is half of its
// signed-rank interval at the confidence of one standard error on either side (Lehmann, Annals of Mathematical
// Statistics 34, 1963). One stalled run in 30 hardly changes it.
func pairSpread(d []float64) float64 {
	if len(d) < MinRanks {
		return SD(d)
	}
	f := float64(len(d))
	k := max(1, int(math.Round(f*(f+1)/4-math.Sqrt(f*(f+1)*(2*f+1)/24))))
	w := walshOf(d)
	return (w.at(w.len()-k) - w.at(k-1)) / 2 * math.Sqrt(f)
}

// WelchRatio estimates the ratio of b to a from the logs of unpaired values, with Student's t and the degrees of
// freedom of Welch and Satterthwaite (Welch, Biometrika 34, 1947). Each side's standard deviation is floored. The
// interval is infinite if a side has fewer than two values.
func WelchRatio(a, b []float64, o Opts) LogRatio {
	r := LogRatio{Mean: Mean(b) - Mean(a), Hull: unknown(), N: min(len(a), len(b))}
	if r.N < 2 {
		return r
	}
	va, vb := widenedError(a, o), widenedError(b, o)
	df := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	half := tCrit(o.Boundary.Rate, df) * math.Sqrt(va+vb)
	r.Hull = Interval{r.Mean - half, r.Mean + half}
	return r
}

// widenedError returns the squared standard error of the mean of replicates in their order. The floor is not widened:
// it stands for the limits of repeatability, not for scatter that neighbours share.
func widenedError(x []float64, o Opts) float64 {
	s := math.Max(SD(x)*max(o.Widen, 1), o.SDFloor)
	return s * s / float64(len(x))
}

// squaredError returns the squared standard error of the mean.
func squaredError(x []float64, floor float64) float64 {
	s := math.Max(SD(x), floor)
	return s * s / float64(len(x))
}

// logError returns the squared standard error of the log of the mean, by the first term of its series.
func (m Moments) logError(floor float64) float64 {
	sd := math.Max(m.SD/m.Mean, floor)
	return sd * sd / float64(m.N)
}

// MomentsRatio returns the ratio of two means with Welch's interval of its log.
func MomentsRatio(a, b Moments, o Opts) LogRatio {
	r := LogRatio{Mean: math.Log(b.Mean) - math.Log(a.Mean), Hull: unknown(), N: min(a.N, b.N)}
	if min(a.Freedom(), b.Freedom()) < 1 {
		return r
	}
	va, vb := a.logError(o.SDFloor), b.logError(o.SDFloor)
	df := (va + vb) * (va + vb) / (va*va/a.Freedom() + vb*vb/b.Freedom())
	half := tCrit(o.Boundary.Rate, df) * math.Sqrt(va+vb)
	r.Hull = Interval{r.Mean - half, r.Mean + half}
	return r
}
