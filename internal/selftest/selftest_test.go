package selftest

import (
	"context"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

// TestKnownBadIsAsBadAsKnown holds what is published to METHOD sections 1 and 2, and to 20,000 simulations of what
// order says of replicates, within what chance adds.
func TestKnownBadIsAsBadAsKnown(t *testing.T) {
	simtest.Long(t)
	const chance = .10
	// in the order of the rows; METHOD's shares in blocks, whose order was not asked, are .872, .573 and .428
	want := map[string]float64{
		"each machine repeats .6": .218, "slow on one side only": .85, "ramp": .60, "step": .37, "wandering": .22,
		"plain 95%": .128, "one pool": .136,
		"of only 10, each repeats .9": .18, "of only 10, 3% in all": .60,
		"of claims alone": .23,
	}
	n, c := simulations(200), Certificate{}
	t.Logf("seed %d, %d simulations", DefaultSeed, n)
	for _, part := range []func(tests) ([]Gate, error){tests.percentiles, tests.stops, tests.knownBad} {
		gates, err := part(tests{ctx: context.Background(), in: Real(), seed: DefaultSeed, n: n})
		if err != nil {
			t.Fatal(err)
		}
		c.Gates = append(c.Gates, gates...)
	}
	for part, share := range want {
		found := 0
		for _, g := range c.KnownBad() {
			if strings.Contains(g.Name, part) {
				found++
				if math.Abs(g.Value-share) > chance || g.Pass {
					t.Errorf("%s: %v (passes: %v), METHOD has %v", g.Name, g.Value, g.Pass, share)
				}
			}
		}
		if found != 1 {
			t.Errorf("%d rows of %q, want 1", found, part)
		}
	}
	if n := len(c.KnownBad()); n != len(want) {
		t.Errorf("%d rows are known to be bad, %d are held to METHOD", n, len(want))
	}
}

func TestSameCertificateOnAnyNumberOfCPUs(t *testing.T) {
	simtest.Long(t)
	once := func(cpus int, seed uint64) []Gate {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cpus))
		return gatesOf(t, seed)
	}
	one, three := once(1, 3), once(3, 3)
	if !reflect.DeepEqual(one, three) {
		t.Errorf("on one CPU %+v\non three %+v", one, three)
	}
	if other := once(2, 4); reflect.DeepEqual(three, other) {
		t.Error("two seeds give one certificate")
	}
}

// gatesOf returns the gates of a certificate: by day without the two parts whose simulations are few and long.
func gatesOf(t *testing.T, seed uint64) []Gate {
	t.Helper()
	t.Logf("seed %d", seed)
	if simtest.Night() {
		c, err := Run(context.Background(), Real(), Options{Seed: seed, Simulations: 10})
		if err != nil {
			t.Fatal(err)
		}
		return c.Gates
	}
	var out []Gate
	for _, p := range parts() {
		if slices.Contains([]string{"load lines searched for", "imports"}, p.name) {
			continue
		}
		gates, err := p.gates(tests{ctx: context.Background(), in: Real(), seed: seed, n: 5})
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		out = append(out, gates...)
	}
	return out
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Real(), Options{}); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("error %v", err)
	}
}

func TestASessionThatNeverEndsIsAnError(t *testing.T) {
	in := Real()
	first := in.Next
	in.Next = func(p record.Plan, _ []record.Trial) (record.Order, bool) { return first(p, nil) }
	if _, err := Run(context.Background(), in, Options{Simulations: 1}); err == nil ||
		!strings.Contains(err.Error(), "did not end") {
		t.Errorf("error %v", err)
	}
}

// TestShareGate: a gate fails only where chance does not explain it. The ends are where sums of
// binomial probabilities, in Python, are 5%.
func TestShareGate(t *testing.T) {
	g := shareGate("", 30, 400, AtMost, .06)
	if math.Abs(*g.Lo-.05449819677905) > 1e-12 || math.Abs(*g.Hi-.10035450478085) > 1e-12 || !g.Pass {
		t.Errorf("%v to %v, passes: %v", *g.Lo, *g.Hi, g.Pass)
	}
	for _, c := range []struct {
		k     int
		sense Sense
		gate  float64
		pass  bool
	}{{0, AtMost, 0, true}, {400, AtLeast, 1, true}, {399, AtLeast, 1, false}, {40, AtMost, .06, false},
		{370, AtLeast, .945, true}, {350, AtLeast, .945, false}} {
		if got := shareGate("", c.k, 400, c.sense, c.gate); got.Pass != c.pass {
			t.Errorf("%d of 400, %s %v: %v", c.k, c.sense, c.gate, got.Pass)
		}
	}
}

func TestMedianGate(t *testing.T) {
	g := medianGate("", []int{9, 1, 5, 7, 3}, 6)
	if g.Value != 5 || *g.Lo != 1 || *g.Hi != 9 || !g.Pass {
		t.Errorf("%+v", g)
	}
	if medianGate("", []int{7, 8, 7, 9, 8, 7, 8}, 6).Pass {
		t.Error("all are over the gate, and it passes")
	}
}

func TestHistogramQuantile(t *testing.T) {
	var h histogram
	for i := range 1000 {
		h.add(float64(i) / 1000)
	}
	if got := h.quantile(.99); math.Abs(got-.9895) > binWidth {
		t.Errorf("p99 %v", got)
	}
}
