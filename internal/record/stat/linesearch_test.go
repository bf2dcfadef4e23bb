package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/base/simtest"
)

// kneeAt is a latency that doubles from base at a load.
func kneeAt(line, base float64) func(load float64) float64 {
	// base/(1 - load/capacity) is twice its value at 10% if 1 - x is half of 0.9.
	capacity := line / .55
	return func(load float64) float64 { return base / (1 - load/capacity) }
}

// follow carries out a search of a machine.
func follow(s LineSearch, measure func(LineStep) LineProbe) []LineProbe {
	var done []LineProbe
	for {
		step, more := s.Next(done)
		if !more {
			return done
		}
		p := measure(step)
		p.Load, p.Base = step.Load, step.Base
		done = append(done, p)
	}
}

func TestLineSearchFindsTheLine(t *testing.T) {
	latency := kneeAt(700, .004)
	s := LineSearch{Capacity: 1200, Probes: 10}
	done := follow(s, func(step LineStep) LineProbe {
		return LineProbe{Latency: latency(step.Load), CPU: 100 * step.Load / 1272, Over: step.Load > 1250}
	})
	if len(done) != 13 || !done[0].Base || done[0].Load != 180 || done[2].Load != 60 || done[3].Base {
		t.Fatalf("probes %+v", done)
	}
	want := 1272.7 * (1 - latency(1)/(2*latency(120))) // where it is twice that of the middle base probe
	found, ok := s.Line(done)
	if !ok || !found.Crossed || math.Abs(found.Load/want-1) > .01 || math.Abs(found.Base-latency(120)) > 1e-12 ||
		found.Limit != 2*found.Base {
		t.Errorf("%+v, want %v", found, want)
	}
}

func TestLineSearchByObjective(t *testing.T) {
	latency := kneeAt(700, .004)
	s := LineSearch{Capacity: 1200, Probes: 10, Objective: .020}
	found, ok := s.Line(follow(s, func(step LineStep) LineProbe {
		return LineProbe{Latency: latency(step.Load), CPU: math.NaN(), Over: step.Load > 1250}
	}))
	if want := 1272.7 * .8; !ok || math.Abs(found.Load/want-1) > .01 {
		t.Errorf("%+v, want %v", found, want)
	}
}

// A base probe that is not below 20% CPU is followed by lower ones.
func TestLineSearchLowersItsBase(t *testing.T) {
	s := LineSearch{Capacity: 1000, Probes: 1}
	done := follow(s, func(step LineStep) LineProbe { return LineProbe{Latency: .001, CPU: step.Load / 4} })
	lowest, idle := math.Inf(1), 0
	for _, p := range done {
		if p.Base && p.CPU < 20 {
			idle++
		}
		lowest = min(lowest, p.Load)
	}
	if idle != 3 || lowest >= 50 {
		t.Errorf("%d base probes below 20%%, the lowest at %v: %+v", idle, lowest, done)
	}
	busy := follow(s, func(LineStep) LineProbe { return LineProbe{Latency: .001, CPU: 60} })
	if _, ok := s.Line(busy); ok || len(busy) != mostBase {
		t.Errorf("never below 20%%: %d probes, a line %t", len(busy), ok)
	}
}

// A machine that carries whatever is offered has no line up to there.
func TestLineSearchThatEndsBelow(t *testing.T) {
	s := LineSearch{Capacity: 1000, Probes: 10}
	done := follow(s, func(LineStep) LineProbe { return LineProbe{Latency: .001, CPU: 5} })
	found, ok := s.Line(done)
	if !ok || found.Crossed || found.Load < 1100 {
		t.Errorf("%+v %t", found, ok)
	}
	// Where the loads above are not carried, the line lies between.
	cliff := follow(s, func(step LineStep) LineProbe { return LineProbe{Latency: .001, CPU: 5, Over: step.Load > 800} })
	if found, ok = s.Line(cliff); !ok || !found.Crossed || math.Abs(found.Load/800-1) > .05 {
		t.Errorf("a cliff at 800: %+v", found)
	}
}

// A later search starts at the line found by earlier ones.
func TestLineSearchAroundAnEarlierOne(t *testing.T) {
	s := LineSearch{Capacity: 1000, Around: 640, Probes: 10}
	done := []LineProbe{{Load: 150, Base: true, Latency: .001}, {Load: 100, Base: true, Latency: .001},
		{Load: 50, Base: true, Latency: .001}}
	if step, ok := s.Next(done); !ok || math.Abs(step.Load/640-1) > .05 {
		t.Errorf("begins at %v", step.Load)
	}
}

// TestLineSearchStaysInBounds: for any results.
func FuzzLineSearch(f *testing.F) {
	f.Add(uint64(1), 1000.0)
	f.Fuzz(func(t *testing.T, seed uint64, capacity float64) {
		if !(capacity > 1e-3 && capacity < 1e9) {
			return
		}
		r := rand.New(rand.NewPCG(seed, 0))
		s := LineSearch{Capacity: capacity, Probes: 8}
		done := follow(s, func(LineStep) LineProbe {
			return LineProbe{Latency: math.Exp(3 * r.NormFloat64()), CPU: 100 * r.Float64(), Over: r.IntN(4) == 0}
		})
		if len(done) > mostBase+8 {
			t.Errorf("%d probes", len(done))
		}
		highest := capacity // or what was within the limit above it, from where the search climbs
		for _, p := range done {
			if p.Load > 1.1*capacity && !p.Over {
				highest = max(highest, 1.5*p.Load)
			}
		}
		for _, p := range done {
			if !(p.Load > 0 && p.Load <= 1.21*highest) {
				t.Errorf("a probe at %v of %v", p.Load, capacity)
			}
		}
		if l, ok := s.Line(done); ok && !(l.Load > 0 && l.Load <= 1.21*highest) {
			t.Errorf("line %+v of %v", l, capacity)
		}
	})
}

// With a generator that cannot exceed 500, the search ends, with a line of at least its maximum.
func TestLineSearchBeyondTheGenerator(t *testing.T) {
	latency := kneeAt(700, .004)
	for most, crossed := range map[float64]bool{500: false, 900: true} {
		s := LineSearch{Capacity: 1200, Probes: 10}
		done := follow(s, func(step LineStep) LineProbe {
			if step.Load > most {
				return LineProbe{Void: true}
			}
			return LineProbe{Latency: latency(step.Load), CPU: math.NaN()}
		})
		found, ok := s.Line(done)
		if len(done) < 13 || len(done) > 23 || !ok || found.Crossed != crossed || found.Load > most {
			t.Errorf("up to %v: %d probes, %+v", most, len(done), found)
		}
		if least := min(.8*most, 680); found.Load < least {
			t.Errorf("up to %v: the line is at %v, less than %v", most, found.Load, least)
		}
	}
	none := follow(LineSearch{Capacity: 1200, Probes: 10}, func(LineStep) LineProbe { return LineProbe{Void: true} })
	if _, ok := (LineSearch{Capacity: 1200}).Line(none); ok || len(none) != mostBase {
		t.Errorf("nothing could be measured: %d probes, a line %t", len(none), ok)
	}
}

// TestFewRequestsAreNoLimitOfTheGenerator: probes of too few requests were made, so that the search does not descend.
func TestFewRequestsAreNoLimitOfTheGenerator(t *testing.T) {
	s := LineSearch{Capacity: 1000, Objective: .02, Probes: 8}
	done := []LineProbe{{Load: 100, Latency: .001, Few: true}, {Load: 110, Latency: .001, Few: true},
		{Load: 120, Latency: .001, Few: true}}
	if got := s.measurable(500, done, s.Objective); got != 500 {
		t.Errorf("%v instead of 500", got)
	}
}

// TestLineSearchWithLateGenerators: probes that a late generator made void say nothing about the line: three in ten of
// them cost a search at most a tenth of its lines within 5%, and if each one is void it does not descend.
func TestLineSearchWithLateGenerators(t *testing.T) {
	simtest.Long(t)
	const seed, line = 11, 700.0
	searches := simtest.Times(400, 100)
	latency := kneeAt(line, .004)
	near := map[float64]int{}
	for _, share := range []float64{0, .3} {
		rng := rand.New(rand.NewPCG(seed, 0))
		for range searches {
			s := LineSearch{Capacity: 1000, Probes: 10}
			done := follow(s, func(step LineStep) LineProbe {
				return LineProbe{Void: !step.Base && rng.Float64() < share,
					Latency: latency(step.Load) * math.Exp(.05*rng.NormFloat64()), CPU: math.NaN()}
			})
			if l, ok := s.Line(done); ok && math.Abs(l.Load/line-1) < .05 {
				near[share]++
			}
		}
	}
	if t.Logf("seed %d: lines within 5%%, of %d, by share of void probes: %v", seed, searches,
		near); near[.3] < near[0]*9/10 {
		t.Errorf("void probes cost more than a tenth of them")
	}
}

// TestLineSearchAfterLateness: a search whose first probes near the line are void tries about the same rate once more,
// then goes where it can measure, and comes back.
func TestLineSearchAfterLateness(t *testing.T) {
	const line = 700.0
	latency, tries := kneeAt(line, .004), 0
	s := LineSearch{Capacity: 1000, Probes: 14}
	done := follow(s, func(step LineStep) LineProbe {
		if !step.Base {
			tries++
		}
		return LineProbe{Void: !step.Base && tries <= 4, Latency: latency(step.Load), CPU: math.NaN()}
	})
	near := nearLineProbes(done)
	if near[1].Load < near[0].Load || near[3].Load >= near[0].Load {
		t.Errorf("%+v", near)
	}
	if l, ok := s.Line(done); !ok || !l.Crossed || math.Abs(l.Load/line-1) > .03 {
		t.Errorf("%+v after %+v", l, near)
	}
}

// TestBracket: its ends are probes that lie on their side of the line in all likelihood. One that stalled among many
// does not end it, void probes say nothing, and between those that contradict each other the line can lie.
func TestBracket(t *testing.T) {
	const limit = 5
	at := func(load, latency float64) LineProbe { return LineProbe{Load: load, Latency: latency} }
	often := func(probes ...LineProbe) []LineProbe { return slices.Concat(probes, probes, probes, probes) }
	for _, c := range []struct {
		name     string
		probes   []LineProbe
		lo, hi   float64
		contrary int
		higher   int
	}{
		{"between", often(at(300, 90), at(100, 1), at(200, 1)), 200, 300, 0, 0},
		{"probes contradict each other", often(at(100, 1), at(200, 9), at(210, 3), at(300, 90)), 100, 300, 0, 0},
		{"one that stalled among many", append(often(at(100, 1), at(200, 1), at(300, 90)), at(50, 70)), 200, 300, 1, 0},
		{"nothing over it", often(at(100, 1), at(200, 2)), 200, 0, 0, 0},
		{"not handled", often(at(100, 1), LineProbe{Load: 150, Over: true}), 100, 150, 0, 0},
		{"void says nothing", often(at(100, 1), LineProbe{Load: 150, Void: true}, at(200, 70)), 100, 200, 0, 0},
		{"all over it", often(at(100, 60), at(200, 70)), 0, 100, 0, 0},
		{"nothing", nil, 0, 0, 0, 0},
		{"none over it above those within", append(often(at(100, 1)), at(150, 9), at(170, 9), at(200, 3)), 100, 0, 0, 1},
	} {
		s := LineSearch{Capacity: 1000, Objective: limit}
		if got := s.Bracket(c.probes, limit); got.Within.Load != c.lo || got.Above.Load != c.hi ||
			got.Contrary != c.contrary || got.Higher != c.higher {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestLateProbes: what is within the limit is within it however late the generator was, and what is over it says
// nothing if the lateness explains that, and what it says if it does not.
func TestLateProbes(t *testing.T) {
	for _, c := range []struct {
		probe LineProbe
		want  Side
	}{
		{LineProbe{Latency: .019, Late: .018}, Within},
		{LineProbe{Latency: .020}, Within},
		{LineProbe{Latency: .021, Late: .002}, InDoubt},
		{LineProbe{Latency: .030, Late: .002}, Above},
		{LineProbe{Latency: .021}, Above},
		{LineProbe{Over: true, Late: 1}, Above},
		{LineProbe{Latency: .001, Void: true}, InDoubt},
		{LineProbe{Latency: .001, Few: true}, InDoubt},
		{LineProbe{Latency: .021, Few: true}, Above},
	} {
		if got := c.probe.Side(.020); got != c.want {
			t.Errorf("%+v: %v, want %v", c.probe, got, c.want)
		}
	}
}

// TestLineSearchOfAnObjective: the line is found wherever it lies: far below the throughput of the closed loop, whose
// clients may have been too many, and above it, if they were too few.
func TestLineSearchOfAnObjective(t *testing.T) {
	for _, truth := range []float64{15, 90, 640, 1500} {
		s := LineSearch{Capacity: 1000, Objective: .02, Probes: 14}
		done := follow(s, func(step LineStep) LineProbe {
			return LineProbe{Latency: .02 * math.Pow(step.Load/truth, 2), CPU: 5, Over: step.Load > 2*truth}
		})
		if found, ok := s.Line(done); !ok || !found.Crossed || math.Abs(found.Load/truth-1) > .05 {
			t.Errorf("a line at %v: %+v", truth, found)
		}
	}
	s := LineSearch{Capacity: 1000, Objective: .02, Probes: 10}
	if done := follow(s, func(LineStep) LineProbe { return LineProbe{Latency: .03, CPU: 5} }); s.Bracket(done,
		.02).Above.Load > 30 {
		t.Errorf("nothing is within the limit: %+v", done)
	}
}
