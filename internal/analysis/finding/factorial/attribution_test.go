package factorial_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// truth is what simulated factors do, as logs: factor i at its second level b[i], pairs of them what they do together.
type planted struct {
	names []string
	b     []float64
	pairs map[[2]int]float64
	half  bool
}

func (p planted) at(cell int) float64 {
	y := 0.0
	for i, b := range p.b {
		y += b * float64(cell>>i&1)
	}
	for pair, b := range p.pairs {
		if cell>>pair[0]&1 == 1 && cell>>pair[1]&1 == 1 {
			y += b
		}
	}
	return y
}

// combinations are the cells of the design, as bits of all factors.
func (p planted) combinations() []int {
	var out []int
	for at := range 1 << len(p.b) {
		if !p.half || bits.OnesCount(uint(at))%2 == 0 {
			out = append(out, at)
		}
	}
	return out
}

func (p planted) levels(at int) map[string]string {
	out := map[string]string{}
	for i, n := range p.names {
		out[n] = []string{"off", "on"}[at>>i&1]
	}
	return out
}

// plan is the session's, under the hash "p1".
func (p planted) plan() []record.PlanLine {
	return plans(func(q *record.Plan) {
		for _, n := range p.names {
			q.Factors = append(q.Factors, record.Factor{Name: n, Levels: []string{"off", "on"}})
		}
		for _, at := range p.combinations() {
			q.Cells = append(q.Cells, record.Cell{Workload: "aes", Levels: p.levels(at), Params: record.Params(p.levels(at)),
				Load: record.LoadPoint{Kind: record.Once, Level: 1}})
		}
	})
}

// session is blocks of all combinations. Blocks share a disturbance of 5%; runs scatter by sd. CPU time per operation
// is the inverse of throughput, to the power 0.5.
func (p planted) session(r *rand.Rand, machine string, blocks int, sd float64) []record.Trial {
	var out []record.Trial
	for b := range blocks {
		shared := .05 * r.NormFloat64()
		for i, at := range p.combinations() {
			y := p.at(at) + shared + sd*r.NormFloat64()
			changes := []change{cellNo(i), measured(factorial.AttributedCPU, "s", record.Lower, math.Exp(-y/2))}
			for _, n := range p.names {
				changes = append(changes, key("factor."+n, p.levels(at)[n]), key("aes."+n, p.levels(at)[n]))
			}
			out = append(out, trial(machine, b, 1e9*math.Exp(y), changes...))
		}
	}
	return out
}

// attributions are those of the cells of trials.
func attributions(trials []record.Trial, plan []record.PlanLine) []finding.Finding {
	return factorial.Analyzers()[0].Run(finding.NewInput(trials, nil, plan))
}

// attributed are the bodies of those of throughput.
func attributed(trials []record.Trial, plan []record.PlanLine) []factorial.Attribution {
	var out []factorial.Attribution
	for _, f := range attributions(trials, plan) {
		if f.Metric == record.Throughput {
			out = append(out, *f.Body.(*factorial.Attribution))
		}
	}
	return out
}

func seededRand(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 7))
}

// three are METHOD's effects (section 7): 10, 5 and 3%, the first two together 4% less.
func three() planted {
	return planted{names: []string{"tls", "heap", "gc"}, b: []float64{.10, .05, .03},
		pairs: map[[2]int]float64{{0, 1}: -.04}}
}

func productOf(shares []factorial.Share) float64 {
	out := 1.0
	for _, s := range shares {
		out *= s.Ratio
	}
	return out
}

// TestAttributionOfSession: without noise the figures are those planted, shares multiply to the total, and it stands
// with the first cell.
func TestAttributionOfSession(t *testing.T) {
	p := three()
	trials := p.session(seededRand(t, 1), "m1", 4, 0)
	seen := 0
	for _, f := range attributions(trials, p.plan()) {
		if at := f.Cells[0]; at.Params != "gc=off heap=off size=16KiB tls=off" {
			t.Errorf("%s stands with %v", f.Metric, at)
		}
		seen++
		a, power := *f.Body.(*factorial.Attribution), 1.0
		if f.Metric == factorial.AttributedCPU {
			power = -.5
		}
		if a.Design != record.DesignFull || a.Blocks != 4 || a.LeftOut != 0 || a.DF != 21 || a.Alpha != .05 ||
			a.SD != stat.SDFloor || len(a.Doubts) != 0 || len(a.Interactions) != 4 {
			t.Errorf("%s: %+v", f.Metric, a)
		}
		for i, want := range []float64{.08, .03, .03} {
			close(t, "share of "+p.names[i], math.Log(a.Shares[i].Ratio), want*power)
			close(t, "of the total", *a.Shares[i].OfTotal, want/.14)
			close(t, "alone", math.Log(a.Alone[i].Ratio), p.b[i]*power)
			close(t, "main", math.Log(a.Mains[i].Ratio), want*power)
			if !slices.Equal(a.Shares[i].Factors, p.names[i:i+1]) {
				t.Errorf("shares %+v", a.Shares)
			}
		}
		close(t, "total", math.Log(a.Total.Ratio), .14*power)
		close(t, "product of the shares", productOf(a.Shares), a.Total.Ratio)
		for _, x := range a.Interactions {
			together := slices.Equal(x.Factors, []string{"tls", "heap"})
			if x.Excludes(1) != together {
				t.Errorf("interaction %+v", x)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d attributions, want those of the primary metric and of CPU time", seen)
	}
}

func close(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestAttributionCovers: noise of 2%, five blocks of which each shares 5%. Intervals of shares and of interactions,
// planted and absent, hold the truth in 95% of sessions.
func TestAttributionCovers(t *testing.T) {
	simtest.Long(t)
	const sessions = 600
	p, r := three(), seededRand(t, 2)
	var share, together, absent int
	for range sessions {
		a := attributed(p.session(r, "m1", 5, .02), p.plan())[0]
		holds := func(s factorial.Share, want float64) int {
			if !s.Excludes(math.Exp(want)) {
				return 1
			}
			return 0
		}
		share += holds(a.Shares[0], .08)
		together += holds(a.Interactions[0], -.04)
		absent += holds(a.Interactions[3], 0)
	}
	t.Logf("of %d: share %d, interaction %d, of three %d", sessions, share, together, absent)
	// 600 at 95% have a standard deviation of 5.3; four of them either way.
	for _, n := range []int{share, together, absent} {
		if n < 549 || n > 591 {
			t.Errorf("%d of %d intervals hold the truth, want 570", n, sessions)
		}
	}
}

func TestHalfFraction(t *testing.T) {
	p := planted{names: []string{"tls", "heap", "gc", "jdk"}, b: []float64{.10, .05, .03, .08},
		pairs: map[[2]int]float64{{0, 1}: -.04}, half: true}
	got := attributed(p.session(seededRand(t, 3), "m1", 3, 0), p.plan())
	if len(got) != 1 || got[0].Design != record.DesignHalf || got[0].Relation != "I = ABCD" || len(got[0].Alone) != 0 {
		t.Fatalf("%+v", got)
	}
	a := got[0]
	for i, want := range []float64{.08, .03, .03, .08} {
		close(t, "share", math.Log(a.Shares[i].Ratio), want)
	}
	if x := a.Interactions[0]; !slices.Equal(x.Factors, []string{"tls", "heap"}) ||
		!slices.Equal(x.Alias, []string{"gc", "jdk"}) || !x.Excludes(1) {
		t.Errorf("interaction %+v", x)
	}
	if !slices.Equal(a.Shares[0].Alias, []string{"heap", "gc", "jdk"}) {
		t.Errorf("aliases %+v", a.Shares[0])
	}
}

// TestWithoutTrials: blocks that lack a combination are left out, and where one has no trial at all no share is said.
func TestWithoutTrials(t *testing.T) {
	p := planted{names: []string{"tls", "heap"}, b: []float64{.10, .05}}
	at := func(cell int, replicates ...int) func(record.Trial) bool {
		return func(t record.Trial) bool { return t.Cell == cell && slices.Contains(replicates, t.Replicate) }
	}
	for _, c := range []struct {
		name         string
		alter        func([]record.Trial) []record.Trial
		blocks, left int
		shares       int
		doubt        string
	}{
		{"one void", func(x []record.Trial) []record.Trial { return alter(x, at(2, 1), void("steal")) }, 3, 1, 2,
			"1 of 4 blocks are incomplete and left out"},
		{"hardly a block", func(x []record.Trial) []record.Trial {
			return alter(alter(x, at(2, 0, 1), void("steal")), at(1, 2), void("steal"))
		}, 1, 3, 2, "fewer than two blocks are complete"},
		{"none of one", func(x []record.Trial) []record.Trial { return alter(x, at(3, 0, 1, 2, 3), void("steal")) }, 0, 4, 0,
			"values are missing, so the factors' shares are unknown: tls=on heap=on"},
		{"one block", func(x []record.Trial) []record.Trial { return x[:4] }, 1, 0, 0,
			"one block cannot separate effects from noise"},
		{"not positive", func(x []record.Trial) []record.Trial {
			return alter(x, at(0, 0), func(t *record.Trial) { t.Values[0].Value = 0 })
		}, 3, 1, 2, "a value is zero or negative"},
		{"disturbed", func(x []record.Trial) []record.Trial { return alter(x, at(0, 0), steal(9)) }, 4, 0, 2,
			"1 of 16 runs were disturbed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := attributed(c.alter(p.session(seededRand(t, 4), "m1", 4, .01)), p.plan())
			if len(got) != 1 {
				t.Fatalf("%+v", got)
			}
			a := got[0]
			if a.Blocks != c.blocks || a.LeftOut != c.left || len(a.Shares) != c.shares || (a.Total == nil) != (c.shares == 0) ||
				!flagged(a.Doubts, c.doubt) {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestNoFactorial says what is no factorial, and why.
func TestNoFactorial(t *testing.T) {
	two := planted{names: []string{"tls", "heap"}, b: []float64{.1, .05}}
	many := planted{names: []string{"a", "b", "c", "d", "e"}, b: make([]float64, 5)}
	levels := two.plan()
	levels[0].Plan.Factors[0].Levels = []string{"off", "on", "half"}
	levels[0].Plan.Cells = append(levels[0].Plan.Cells,
		record.Cell{Workload: "aes", Levels: map[string]string{"tls": "half", "heap": "off"}})
	missing := two.plan()
	missing[0].Plan.Cells = missing[0].Plan.Cells[:3]
	for want, plan := range map[string][]record.PlanLine{
		"the shares of tls, heap are unknown: factor tls has 3 levels":                   levels,
		"a factorial takes at most 4 factors, not 5":                                     many.plan(),
		"1 of the 4 combinations of 2 factors are missing from the plan: tls=on heap=on": missing,
	} {
		got := factorial.Unattributed(plan)
		if len(got) != 1 || !strings.Contains(got[0].Text(), want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := factorial.Unattributed(two.plan()); len(got) > 0 {
		t.Errorf("of a factorial: %q", got)
	}
}

// TestSessionsJoin: two sessions of one factorial on one machine are one, with the blocks of both; those of two
// machines are two.
func TestSessionsJoin(t *testing.T) {
	p, r := three(), seededRand(t, 5)
	first, second := p.session(r, "m1", 2, .01), p.session(r, "m1", 3, .01)
	for i := range second {
		second[i].Plan = "p2"
	}
	both := append(p.plan(), record.PlanLine{Hash: "p2", Plan: p.plan()[0].Plan})
	got := attributed(append(slices.Clone(first), second...), both)
	if len(got) != 1 || got[0].Blocks != 5 || got[0].DF != 28 {
		t.Errorf("%+v", got)
	}
	got = attributed(append(slices.Clone(first), p.session(r, "m2", 2, .01)...), both)
	if len(got) != 2 || got[0].Blocks != 2 || got[1].Blocks != 2 {
		t.Errorf("%+v", got)
	}
}

// TestLooksWiden: of a session that could end at a look the intervals are read at the rate of a look.
func TestLooksWiden(t *testing.T) {
	p := three()
	plan := p.plan()
	plan[0].Plan.Stop = &record.Stop{Looks: []int{5, 6}, Alone: 5}
	a := attributed(p.session(seededRand(t, 6), "m1", 5, .02), plan)[0]
	b := attributed(p.session(seededRand(t, 6), "m1", 5, .02), p.plan())[0]
	if a.Alpha != .0098 || !flagged(a.Doubts, "the error rate of 0.98% assumes a single analysis") ||
		*a.Shares[0].Hi-*a.Shares[0].Lo < 1.2*(*b.Shares[0].Hi-*b.Shares[0].Lo) {
		t.Errorf("%+v, of a fixed number %+v", a, b)
	}
}

// TestPartsOfTheTotal are said where no factor goes against it: else they are 300 and −200%.
func TestPartsOfTheTotal(t *testing.T) {
	for _, c := range []struct {
		b    []float64
		said bool
	}{{[]float64{.10, .05}, true}, {[]float64{.10, 0}, true}, {[]float64{.30, -.20}, false},
		{[]float64{.20, -.20}, false}} {
		p := planted{names: []string{"tls", "heap"}, b: c.b}
		a := attributed(p.session(seededRand(t, 8), "m1", 4, 0), p.plan())[0]
		if (a.Shares[0].OfTotal != nil) != c.said || (a.Shares[1].OfTotal != nil) != c.said {
			t.Errorf("%v: %+v", c.b, a.Shares)
		}
	}
}

// TestHalfIsNotCompared: no two of its cells differ in one factor alone, and it says what to ask instead.
func TestHalfIsNotCompared(t *testing.T) {
	p := planted{names: []string{"tls", "heap", "gc", "jdk"}, b: []float64{.1, .05, .03, .08}, half: true}
	_, err := judge.Compare(p.session(seededRand(t, 9), "m1", 3, 0), nil, p.plan(), judge.Options{By: "tls"})
	if err != (compare.Halved{By: "tls"}) ||
		!strings.Contains(err.Error(), "no two combinations differ in it alone\nhint: plimsoll show FILE states its effect") {
		t.Errorf("%v", err)
	}
	if q := p.plan()[0].Plan; !q.Apart("tls") {
		t.Error("a plan without designs has levels that cannot be compared")
	} else if q.Designs = []record.Design{{Kind: record.DesignHalf, Factors: p.names}}; q.Apart("tls") ||
		!q.Apart("other") {
		t.Errorf("%+v", q.Designs)
	}
}
