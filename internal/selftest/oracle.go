package selftest

import (
	"math"

	"plimsoll/internal/stat"
)

// oracleSessions is the number of sessions simulated by method-sim/s2b.py for each row.
const oracleSessions = 4000

// sigmas is how many standard errors of their difference two simulations may differ by: with a dozen rows, one in
// thirty certificates then fails by chance.
const sigmas = 3

// oracle gates sequential sessions against an independent simulation of them, row hull+AR of method-sim/s2b.py.
func (t tests) oracle() ([]Gate, error) {
	var out []Gate
	for _, c := range []struct {
		setting
		claim, pairs, covered float64
	}{
		{equal("A/A, sd 2 %", normal(.02)), .032, 17.3, .969},
		{faster("+2 %, sd 2 %", .02, normal(.02)), .977, 13.2, .983},
		{equal("A/A, AR .3", repeating(.3)), .088, 19.7, .912},
		{equal("A/A, AR .6", repeating(.6)), .218, 20.1, .782},
	} {
		c.name = "as method-sim, " + c.name
		got, err := t.sequential(c.setting)
		if err != nil {
			return nil, err
		}
		out = append(out,
			likeShare(c.name+": claims", claims(got), len(got), c.claim),
			likeShare(c.name+": interval holds the truth", covered(got), len(got), c.covered),
			likePairs(c.name+": pairs, mean", got, c.pairs))
	}
	return out, nil
}

func likeShare(name string, k, n int, oracle float64) Gate {
	g := shareGate(name, k, n, AtMost, oracle)
	variance := oracle * (1 - oracle)
	// The oracle's figures are rounded to a tenth of a percent.
	return asOracle(g, oracle, sigmas*math.Sqrt(variance/float64(n)+variance/oracleSessions)+.0005)
}

func likePairs(name string, got []outcome, oracle float64) Gate {
	pairs := make([]float64, len(got))
	for i, o := range got {
		pairs[i] = float64(o.pairs)
	}
	mean, variance, n := stat.Mean(pairs), math.Pow(stat.SD(pairs), 2), float64(len(got))
	off := 1.645 * math.Sqrt(variance/n)
	g := chanced(name, Pairs, mean, mean-off, mean+off, len(got), AtMost, oracle)
	return asOracle(g, oracle, sigmas*math.Sqrt(variance/n+variance/oracleSessions)+.05)
}
