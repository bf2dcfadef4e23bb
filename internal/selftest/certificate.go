package selftest

import (
	"context"
	"fmt"
	"math"

	"plimsoll/internal/record/stat"
)

// How often to simulate each experiment.
const (
	DefaultSimulations = 500
	FullSimulations    = 2000 // for a publishable certificate
	DefaultSeed        = 1
)

// Certificate is the document of `selftest --json`.
type Certificate struct {
	Seed        uint64   `json:"seed"`
	Simulations int      `json:"simulations"` // of each experiment
	Pass        bool     `json:"pass"`        // no gate failed, except those known to be bad
	Gates       []Gate   `json:"gates"`
	NotBuilt    []string `json:"not_built"` // gates of the method that this build lacks
}

// Options sets the extent of the simulation. Zero values are defaults.
type Options struct {
	Seed        uint64
	Simulations int
}

// Run tests an instrument. It returns an error if a simulated session cannot be carried out or judged at all, or if the
// context ends; failed gates are part of the certificate.
func Run(ctx context.Context, in Instrument, o Options) (Certificate, error) {
	if o.Seed == 0 {
		o.Seed = DefaultSeed
	}
	if o.Simulations == 0 {
		o.Simulations = DefaultSimulations
	}
	t := tests{ctx: ctx, in: in, seed: o.Seed, n: o.Simulations}
	c := Certificate{Seed: o.Seed, Simulations: o.Simulations, NotBuilt: notBuilt()}
	for _, part := range parts() {
		gates, err := part.gates(t)
		if err != nil {
			return c, fmt.Errorf("selftest: %s: %w", part.name, err)
		}
		c.Gates = append(c.Gates, gates...)
	}
	c.Pass = len(c.Failed()) == 0
	return c, nil
}

// part is the rows of one kind of test.
type part struct {
	name  string
	gates func(tests) ([]Gate, error)
}

func parts() []part {
	return []part{
		{"equal machines", tests.equalMachines},
		{"drift", tests.drifts},
		{"unequal machines", tests.unequalMachines},
		{"runs that stall", tests.disturbed},
		{"stops", tests.stops},
		{"percentiles", tests.percentiles},
		{"prices", tests.prices},
		{"imports", tests.imports},
		{"counts", tests.counts},
		{"counts until decided", tests.stoppedCounts},
		{"method-sim", tests.oracle},
		{"known to be bad", tests.knownBad},
		{"closed forms", tests.closedForms},
		{"load lines of AWS", tests.awsLines},
		{"load lines searched for", tests.loadLines},
		{"single searches for load lines", tests.oneSearches},
		{"regulation of disks", tests.regulations},
		{"throughput of closed loops", tests.throughputs},
		{"crossings", tests.crossings},
		{"golden values", tests.golden},
		{"fits", tests.fits},
	}
}

// notBuilt returns nothing as long as every gate of the method has its rows.
func notBuilt() []string { return []string{} }

// Failed returns the gates that fail the certificate.
func (c Certificate) Failed() []Gate {
	return c.where(func(g Gate) bool { return !g.Pass && !g.KnownBad })
}

// KnownBad returns the gates published for information.
func (c Certificate) KnownBad() []Gate { return c.where(func(g Gate) bool { return g.KnownBad }) }

func (c Certificate) where(is func(Gate) bool) []Gate {
	var out []Gate
	for _, g := range c.Gates {
		if is(g) {
			out = append(out, g)
		}
	}
	return out
}

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
		{equal("A/A, sd 2%", normal(.02)), .032, 17.3, .969},
		{faster("+2%, sd 2%", .02, normal(.02)), .977, 13.2, .983},
		{equal("A/A, AR .3", repeating(.3)), .088, 19.7, .912},
		{equal("A/A, AR .6", repeating(.6)), .218, 20.1, .782},
	} {
		c.name, c.whole = "as method-sim, "+c.name, true
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
	n := float64(len(got))
	g := meanGate(name, got, oracle)
	return asOracle(g, oracle, sigmas*standardError(pairsOf(got))*math.Sqrt(1+n/oracleSessions)+.05)
}

func pairsOf(got []outcome) []float64 {
	pairs := make([]float64, len(got))
	for i, o := range got {
		pairs[i] = float64(o.pairs)
	}
	return pairs
}

func standardError(x []float64) float64 { return stat.SD(x) / math.Sqrt(float64(len(x))) }
