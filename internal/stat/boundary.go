package stat

import "fmt"

// Boundary holds the two-sided error rates at which to read Student's t and the signed ranks at each interim analysis.
// Fixed makes one for a single analysis at a number of pairs chosen beforehand; Repeated and Early make one for interim
// analyses that may stop a session.
type Boundary struct {
	T, Rank float64
	Looks   []int // numbers of pairs of the interim analyses; nil: one analysis, at any n

	// Futile is the probability of a decision below which a session ends undecided; 0: it never does before its last
	// analysis. Ignoring such an end leaves the error rates as they are.
	Futile float64
}

// Crit returns the factor of s/√n in the t-interval of n values.
func (b Boundary) Crit(n int) float64 { return tCrit(b.T, float64(n-1)) }

// K returns the k of SignedRankK for n values.
func (b Boundary) K(n int) int { return SignedRankK(n, b.Rank) }

// Fixed returns the boundary of a session of fixed length: the ordinary 1-alpha interval.
func Fixed(alpha float64) Boundary { return Boundary{T: alpha, Rank: alpha} }

// Repeated returns the boundary of a session with interim analyses after 5, 6, 7, 8, 10, 12, 15, 18, 22, 26 and 30
// pairs, which stops when it can decide. Over all of them together the error rate is alpha, which must be 0.01, 0.05 or
// 0.10.
//
// The rates per analysis make repeated confidence intervals with a flat boundary on the p-value (Jennison and Turnbull,
// Group Sequential Methods, 2000, chapter 9), found by simulating a million normal sessions.
func Repeated(alpha float64) (Boundary, error) {
	return lookup(alpha, []int{5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30}, []Boundary{
		{T: 0.00155, Rank: 0.0027}, {T: 0.00947, Rank: 0.0141}, {T: 0.02134, Rank: 0.0305},
	})
}

// Early returns Repeated with further analyses after 3 and 4 pairs, as --quick uses. Signed ranks are not read below 8
// pairs, so their rates are the same.
func Early(alpha float64) (Boundary, error) {
	return lookup(alpha, []int{3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30}, []Boundary{
		{T: 0.00124, Rank: 0.0027}, {T: 0.00754, Rank: 0.0141}, {T: 0.01695, Rank: 0.0305},
	})
}

func lookup(alpha float64, looks []int, table []Boundary) (Boundary, error) {
	for i, known := range []float64{0.01, 0.05, 0.10} {
		if alpha == known {
			b := table[i]
			b.Looks = looks
			return b, nil
		}
	}
	return Boundary{}, fmt.Errorf("no constants for interim analyses at alpha %g\nhint: use 0.01, 0.05 or 0.1, or fix "+
		"the number of replicates", alpha)
}
