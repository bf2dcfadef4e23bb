package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// swept carries out a sweep of a machine.
func swept(s LoadSweep, measure func(load float64) LineProbe) []LineProbe {
	var done []LineProbe
	for {
		load, more := s.Next(done)
		if !more {
			return done
		}
		p := measure(load)
		p.Load = load
		done = append(done, p)
	}
}

func TestLoadSweep(t *testing.T) {
	shares := []float64{.05, .25, .5, .75, 1}
	machine := func(capacity, most float64) func(float64) LineProbe {
		return func(load float64) LineProbe {
			return LineProbe{Latency: .001, CPU: 100 * load / most, Over: load > most}
		}
	}
	for _, c := range []struct {
		name    string
		measure func(float64) LineProbe
		want    []float64
	}{
		{"the capacity is what is carried", machine(1000, 1000), []float64{50, 250, 500, 750, 1000}},
		{"two in a row are not carried", machine(1000, 300), []float64{50, 250, 500, 750}},
		{"carried in between", func(load float64) LineProbe {
			return LineProbe{CPU: load / 10, Over: load == 250 || load == 750}
		}, []float64{50, 250, 500, 750, 1000}},
		{"far below the capacity", machine(1000, 30), []float64{50, 250, 50 / 3., 50 / 9.}},
		{"nothing is carried at all", func(float64) LineProbe { return LineProbe{Over: true} },
			[]float64{50, 250, 50 / 3., 50 / 9., 50 / 27., 50 / 81., 50 / 243.}},
		{"never below 20%", func(float64) LineProbe { return LineProbe{CPU: 30} },
			[]float64{50, 250, 500, 750, 1000, 50 / 3., 50 / 9., 50 / 27., 50 / 81., 50 / 243.}},
		{"CPU use is not known", func(float64) LineProbe { return LineProbe{CPU: math.NaN()} },
			[]float64{50, 250, 500, 750, 1000}},
		{"what is void is not over", func(float64) LineProbe { return LineProbe{Void: true} },
			[]float64{50, 250, 500, 750, 1000, 50 / 3., 50 / 9., 50 / 27., 50 / 81., 50 / 243.}},
	} {
		done := swept(LoadSweep{Capacity: 1000, Shares: shares}, c.measure)
		same := len(done) == len(c.want)
		for i := 0; same && i < len(done); i++ {
			same = math.Abs(done[i].Load/c.want[i]-1) < 1e-12
		}
		if !same {
			t.Errorf("%s: %+v, want loads %v", c.name, done, c.want)
		}
	}
}

func TestLoadSweepEnds(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	s := LoadSweep{Capacity: 1000, Shares: []float64{.05, .1, .2, .5, 1}}
	for range 2000 {
		done := swept(s, func(float64) LineProbe {
			return LineProbe{CPU: 100 * r.Float64(), Over: r.IntN(2) == 0, Void: r.IntN(3) == 0}
		})
		if len(done) > len(s.Shares)+sweepLower {
			t.Fatalf("seed %d: %d loads: %+v", seed, len(done), done)
		}
	}
}

// TestBasedIsWhereASearchBegan: a low load that was placed by the search is none of its base.
func TestBasedIsWhereASearchBegan(t *testing.T) {
	s := LineSearch{Capacity: 1000, Probes: 4, Around: 60}
	latency := kneeAt(55, .001)
	var done []LineProbe
	for {
		step, more := s.Next(s.Based(done))
		if !more {
			break
		}
		if done = append(done, LineProbe{Load: step.Load, CPU: step.Load, Latency: latency(step.Load),
			Over: step.Load > 99}); len(done) > 50 {
			t.Fatalf("the search does not end: %+v", done)
		}
	}
	bases := 0
	for i, p := range s.Based(done) {
		if p.Base {
			bases++
		}
		if p.Base != (i < bases) {
			t.Errorf("probe %d is of the base after others that are not: %+v", i, done)
		}
	}
	// At 150, 100 and 50 it is not below 20%; then at 25, 12.5 and 6.25.
	if bases != mostBase || len(done) != mostBase+4 {
		t.Errorf("%d of %d probes are of the base: %+v", bases, len(done), done)
	}
	if found, ok := s.Line(s.Based(done)); !ok || math.Abs(found.Load/51-1) > .1 {
		t.Errorf("%+v", found)
	}
}
