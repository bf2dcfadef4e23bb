package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/base/simtest"
)

func servers() []Server {
	return []Server{
		Single{1000}, Several{Rate: 50, Servers: 1}, Several{Rate: 50, Servers: 8}, Several{Rate: 2, Servers: 3},
		Threaded{Rate: 100, Cores: 2, Yield: .26}, Threaded{Rate: 100, Cores: 4, Yield: .5},
	}
}

// TestTruthIsWhatRunsMeasure: formulas and simulation share no code.
func TestTruthIsWhatRunsMeasure(t *testing.T) {
	simtest.Long(t)
	const seed, requests, runs = 5, 100_000, 8
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	shares := []float64{.5, .9}
	if simtest.Night() {
		shares = []float64{.1, .5, .8, .9}
	}
	for _, s := range servers() {
		for _, share := range shares {
			load := share * s.Capacity()
			for _, q := range []float64{.5, .99} {
				var sum, squares float64
				want := Quantile(s, load, q)
				for range runs {
					run := s.Run(r, load, requests)
					off := math.Log(run.Quantile(q) / want)
					sum, squares = sum+off, squares+off*off
					if got := run.Carried / load; math.Abs(got-1) > .02 {
						t.Errorf("%+v at %v: carried %v", s, share, got)
					}
				}
				mean := sum / runs
				se := math.Sqrt((squares/runs-mean*mean)/runs) + 2e-4
				if math.Abs(mean) > 4*se {
					t.Errorf("%+v at %v, p%v: %v ± %v off", s, share, 100*q, mean, se)
				}
			}
		}
	}
}

// TestSeveralAsElsewhere: base and line of c servers at rate 1, from a Python program that sums Erlang's C term by
// term and integrates wait and service numerically.
func TestSeveralAsElsewhere(t *testing.T) {
	for _, c := range []struct {
		servers       int
		q, base, line float64
	}{
		{1, .5, .771753, .550927}, {1, .99, 5.127417, .550927}, {3, .5, .695331, .763457},
		{3, .99, 4.608425, .819397}, {8, .5, .693149, .888198}, {8, .99, 4.605172, .929678},
	} {
		s := Several{Rate: 1, Servers: c.servers}
		base := Base(s, c.q)
		line := LineAt(s, c.q, 2*base) / s.Capacity()
		if math.Abs(base/c.base-1) > 2*precision || math.Abs(line/c.line-1) > 2*precision {
			t.Errorf("%d servers, p%v: base %v, line %v, want %v and %v", c.servers, 100*c.q, base, line, c.base, c.line)
		}
	}
}

// TestThreadsThatYieldAll: second threads as good as first ones are twice the servers.
func TestThreadsThatYieldAll(t *testing.T) {
	for _, cores := range []int{1, 3} {
		threaded, several := Threaded{Rate: 10, Cores: cores, Yield: 1}, Several{Rate: 10, Servers: 2 * cores}
		for _, share := range []float64{.05, .5, .9} {
			load := share * several.Capacity()
			for _, at := range []float64{.01, .1, .7} {
				if a, b := threaded.Beyond(load, at), several.Beyond(load, at); math.Abs(a-b) > 1e-6 {
					t.Errorf("%d cores at %v, beyond %v s: %v, %v", cores, share, at, a, b)
				}
			}
		}
	}
}

func TestNoQuantileFromTheCapacityOn(t *testing.T) {
	for _, s := range servers() {
		for _, over := range []float64{1, 1.5} {
			if got := Quantile(s, over*s.Capacity(), .5); !math.IsInf(got, 1) {
				t.Errorf("%+v at %v of its capacity: %v", s, over, got)
			}
		}
	}
}

// TestOverloadCarriesTheCapacity: what comes beyond it waits.
func TestOverloadCarriesTheCapacity(t *testing.T) {
	const seed, requests = 6, 100_000
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, s := range servers() {
		run := s.Run(r, 2*s.Capacity(), requests)
		if math.Abs(run.Carried/s.Capacity()-1) > 5/math.Sqrt(requests) || math.Abs(run.Busy-1) > .02 {
			t.Errorf("%+v: carried %v of %v, busy %v", s, run.Carried, s.Capacity(), run.Busy)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, s := range servers() {
		b.Run(fmt.Sprintf("%+v", s), func(b *testing.B) {
			for b.Loop() {
				s.Run(r, .8*s.Capacity(), 110_000)
			}
		})
	}
}

func BenchmarkTruth(b *testing.B) {
	for _, s := range servers() {
		b.Run(fmt.Sprintf("%+v", s), func(b *testing.B) {
			for b.Loop() {
				LineAt(s, .99, 2*Base(s, .99))
			}
		})
	}
}
