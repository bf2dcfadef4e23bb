package stat

import "fmt"

// Boundary is how much evidence an interval must hold: the two-sided error
// rates at which Student's t and the signed ranks are read at any one look.
// Fixed makes it for one look at a number of pairs chosen beforehand, Repeated
// and Early for looks that may stop a session.
type Boundary struct {
	T, Rank float64
	Looks   []int // numbers of pairs at which the data may be looked at; nil: once, at any n
}

// Crit is the factor of s/√n in the t-interval of n values.
func (b Boundary) Crit(n int) float64 { return tCrit(b.T, float64(n-1)) }

// K is the k of SignedRankK for n values.
func (b Boundary) K(n int) int { return SignedRankK(n, b.Rank) }

// Fixed is the boundary of a session whose length was fixed beforehand: the
// ordinary 1-alpha interval.
func Fixed(alpha float64) Boundary { return Boundary{T: alpha, Rank: alpha} }

// Repeated is the boundary of a session that is looked at after 5, 6, 7, 8,
// 10, 12, 15, 18, 22, 26 and 30 pairs and stops when it can decide. Over all
// looks together the error rate is alpha, which must be 0.01, 0.05 or 0.10.
//
// The rates per look are repeated confidence intervals with a flat boundary on the
// p-value (Jennison and Turnbull, Group Sequential Methods, 2000, chapter 9), found by simulation
// of a million normal sessions.
func Repeated(alpha float64) (Boundary, error) {
	return lookup(alpha, []int{5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30}, []Boundary{
		{T: 0.00155, Rank: 0.0027}, {T: 0.00947, Rank: 0.0141}, {T: 0.02134, Rank: 0.0305},
	})
}

// Early is Repeated with looks after 3 and 4 pairs too, which is what --quick uses. The
// signed ranks have no say before 8 pairs, so their rates are the same.
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
	return Boundary{}, fmt.Errorf("no constants for repeated looks at alpha %g\nhint: use 0.01, 0.05 or 0.1, or fix the number of replicates", alpha)
}
