package stat

import "math"

// walkStep is the distance of the sums that a walk follows, in standard deviations of one pair. The error of a sum over
// a grid falls as exp(-2π²/step²) for increments of standard deviation 1, and so is below 1e-30.
const walkStep = 0.5

// walkReach is how many standard deviations a walk follows its sums to either side: 2e-9 of them go beyond.
const walkReach = 6

// stage is one interim analysis of a walk.
type stage struct {
	n     float64   // pairs
	first int       // the smallest sum, in steps
	ends  []float64 // probability that the session ends here with that sum, and with each one step greater
	goOn  []float64 // probability that it goes on
}

// walkOf returns the law of the sum of pairs, whose log ratios are normal with mean drift and standard deviation 1, at
// each analysis of a session. goesOn returns the probability that a session with that mean goes on after analysis i;
// the last one ends it.
//
// It is the recursion of Armitage, McPherson and Rowe (Journal of the Royal Statistical Society A 132, 1969): the sums
// of the sessions that go on, convolved with those of the pairs up to the next analysis.
func walkOf(looks []int, drift float64, goesOn func(i int, mean float64) float64) []stage {
	out := make([]stage, len(looks))
	before := stage{goOn: []float64{1}}
	for i, look := range looks {
		n := float64(look)
		away := walkReach * math.Sqrt(n)
		lo, hi := int(math.Floor((drift*n-away)/walkStep)), int(math.Ceil((drift*n+away)/walkStep))
		s := stage{n: n, first: lo, ends: before.convolved(lo, hi, drift, n-before.n), goOn: make([]float64, hi-lo+1)}
		if i+1 < len(looks) {
			for at, p := range s.ends {
				s.goOn[at] = p * goesOn(i, s.sum(at)/n)
				s.ends[at] -= s.goOn[at]
			}
		}
		out[i], before = s, s
	}
	return out
}

func (s stage) sum(at int) float64 { return float64(s.first+at) * walkStep }

// convolved returns the probabilities of the sums from lo to hi steps once more pairs are added to those of the
// sessions that go on.
func (s stage) convolved(lo, hi int, drift, more float64) []float64 {
	out := make([]float64, hi-lo+1)
	away := walkReach * math.Sqrt(more)
	from := int(math.Floor((drift*more - away) / walkStep))
	added := make([]float64, int(math.Ceil(2*away/walkStep))+2)
	for k := range added {
		off := float64(from+k)*walkStep - drift*more
		added[k] = walkStep / math.Sqrt(2*math.Pi*more) * math.Exp(-off*off/2/more)
	}
	for at, p := range s.goOn {
		for k, q := range added {
			if to := s.first + at + from + k - lo; to >= 0 && to < len(out) {
				out[to] += p * q
			}
		}
	}
	return out
}

// meanAbove returns the probability that a session ends with a mean of at least mean if the drift is drift, from a walk
// with the drift walked: the two laws of a sum s of n pairs differ by the factor exp((d-w)s - n(d²-w²)/2).
func meanAbove(stages []stage, walked, drift, mean float64) float64 {
	all, above := 0.0, 0.0
	for _, st := range stages {
		for at, p := range st.ends {
			if p == 0 {
				continue
			}
			s := st.sum(at)
			p *= math.Exp((drift-walked)*s - st.n*(drift*drift-walked*walked)/2)
			all += p
			above += p * min(max((s-mean*st.n)/walkStep+.5, 0), 1) // the part of its step that lies above
		}
	}
	return above / all
}
