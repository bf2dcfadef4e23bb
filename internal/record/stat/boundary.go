package stat

import (
	"fmt"
	"slices"
)

// Boundary holds the two-sided error rate at which an interval is read at each interim analysis. Fixed makes one for a
// single analysis at a number of pairs chosen beforehand; Repeated and Early make one for interim analyses that may
// stop a session.
type Boundary struct {
	Rate  float64
	Looks []int // numbers of pairs of the interim analyses; nil: one analysis, at any n

	// Futile is the probability of a decision below which a session ends undecided; 0: it never does before its last
	// analysis. Ignoring such an end leaves the error rates as they are.
	Futile float64
}

// Crit returns the factor of s/√n in the t-interval of n values.
func (b Boundary) Crit(n int) float64 { return tCrit(b.Rate, float64(n-1)) }

// Fixed returns the boundary of a session of fixed length: the ordinary 1-alpha interval.
func Fixed(alpha float64) Boundary { return Boundary{Rate: alpha} }

// The numbers of pairs that a session with interim analyses may have at most.
const (
	UsualPairs = 30
	MostPairs  = 1000
)

// Repeated returns the boundary of a session of at most that many pairs with interim analyses after 5, 6, 7, 8, 10, 12,
// 15, 18, 22, 26 and 30 pairs and then after about a fifth more each time, which stops when it can decide. Over all of
// them together the error rate is alpha, which must be 0.01, 0.05 or 0.10.
//
// The rate per analysis makes repeated confidence intervals with a flat boundary on the p-value (Jennison and Turnbull,
// Group Sequential Methods, 2000, chapter 9). It is the alpha quantile of the smallest p-value of 400,000 simulated
// normal sessions (seed 11), by Student's t and from MinRanks pairs on by the exact signed ranks.
func Repeated(alpha float64, most int) (Boundary, error) {
	return boundaryOf(alpha, 5, most, repeatedRates())
}

// Early returns Repeated with further analyses after 3 and 4 pairs, as --quick uses.
func Early(alpha float64, most int) (Boundary, error) {
	return boundaryOf(alpha, 3, most, earlyRates())
}

// perAnalysis are the rates per analysis for alpha of 0.01, 0.05 and 0.10, of sessions of at most that many pairs.
type perAnalysis struct {
	most int
	rate [3]float64
}

func repeatedRates() []perAnalysis {
	return []perAnalysis{{UsualPairs, [3]float64{.00155, .0098, .0229}}, {108, [3]float64{.00104, .0064, .0146}},
		{323, [3]float64{.00081, .0049, .0110}}, {MostPairs, [3]float64{.00063, .0039, .0089}}}
}

func earlyRates() []perAnalysis {
	return []perAnalysis{{UsualPairs, [3]float64{.00125, .00782, .0180}}, {108, [3]float64{.00086, .0054, .0123}},
		{323, [3]float64{.00069, .0042, .0096}}, {MostPairs, [3]float64{.00057, .0035, .0078}}}
}

func boundaryOf(alpha float64, first, most int, table []perAnalysis) (Boundary, error) {
	at := slices.Index([]float64{.01, .05, .10}, alpha)
	if at < 0 {
		return Boundary{}, fmt.Errorf("no constants for interim analyses at alpha %g\nhint: use 0.01, 0.05 or 0.1, or fix "+
			"the number of replicates", alpha)
	}
	if most < first || most > MostPairs {
		return Boundary{}, fmt.Errorf("at most %d pairs: interim analyses need %d to %d\nhint: fix their number with "+
			"--replicates %d", most, first, MostPairs, most)
	}
	row := slices.IndexFunc(table, func(r perAnalysis) bool { return most <= r.most })
	return Boundary{Rate: table[row].rate[at], Looks: looksUpTo(first, most)}, nil
}

// looksUpTo returns the numbers of pairs of the interim analyses. The last one is of all pairs.
func looksUpTo(first, most int) []int {
	const growth, nearly = 1.2, 1.05
	looks := []int{3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30}
	for looks[len(looks)-1] < most {
		looks = append(looks, int(float64(looks[len(looks)-1])*growth+.5))
	}
	looks = slices.DeleteFunc(looks, func(n int) bool {
		return n < first || n >= most || n > UsualPairs && float64(n)*nearly > float64(most)
	})
	return append(looks, most)
}
