package stat

import "math"

// SDFloor is the smallest standard deviation of log values that an interval assumes: 0.5 %. Two capped machines repeat
// within 0.01 %, and without a floor a difference of 0.05 % between them would be certain every time.
const SDFloor = 0.005

// MinRanks is the number of pairs from which the signed ranks are used.
const MinRanks = 8

// Opts selects how an interval is made.
type Opts struct {
	Boundary Boundary
	SDFloor  float64 // of log values

	// Inflate widens the intervals of pairs by Inflation: repeated analyses of pairs that resemble their neighbours
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

// PairedLogRatio adds a robust second interval, which only pairs allow.
type PairedLogRatio struct {
	LogRatio
	T       Interval // Student's
	HL      float64  // Hodges-Lehmann: the median of the Walsh averages
	Rank    Interval // from the exact signed-rank distribution; infinite if n is too small for one
	Fragile bool     // only one of the two intervals excludes 0: a few unstable pairs decide
}

// PairedRatio estimates a ratio from d, one log ratio per pair, in the order measured. Student's interval is mean ±
// c·max(s, floor)/√n. From 8 pairs on the reported interval is its hull with the signed-rank interval (Hollander and
// Wolfe, Nonparametric Statistical Methods, 1999, section 3.1), if there is one at the requested error rate. With
// Inflate both are widened, each around its own estimate. It never leaves out a pair. Without pairs the mean is NaN and
// the intervals are infinite.
//
// A session whose noise is below the floor is never Fragile: there the intervals disagree because of the floor and not
// because of unstable pairs.
func PairedRatio(d []float64, o Opts) PairedLogRatio {
	n := len(d)
	widen := 1.0
	if o.Inflate {
		widen = Inflation(d)
	}
	widen = max(widen, o.Widen)
	r := PairedLogRatio{Rank: unknown(), T: TInterval(d, o.Boundary.T, o.SDFloor).widened(Mean(d), widen)}
	r.LogRatio = LogRatio{Mean: Mean(d), Hull: r.T, N: n}
	w := walshOf(d)
	r.HL = w.median()
	k := o.Boundary.K(n)
	if k == 0 {
		return r
	}
	r.Rank = Interval{w.at(k - 1), w.at(w.len() - k)}.widened(r.HL, widen)
	if n >= MinRanks {
		r.Hull = hull(r.T, r.Rank)
		r.Fragile = SD(d) >= o.SDFloor && r.T.Excludes(0) != r.Rank.Excludes(0)
	}
	return r
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
	half := tCrit(o.Boundary.T, df) * math.Sqrt(va+vb)
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
	if r.N < 2 {
		return r
	}
	va, vb := a.logError(o.SDFloor), b.logError(o.SDFloor)
	df := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	half := tCrit(o.Boundary.T, df) * math.Sqrt(va+vb)
	r.Hull = Interval{r.Mean - half, r.Mean + half}
	return r
}
