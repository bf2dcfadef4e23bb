package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func servers() []Server {
	return []Server{
		Single{1000}, Several{Rate: 50, Servers: 1}, Several{Rate: 50, Servers: 8}, Several{Rate: 2, Servers: 3},
		Threaded{Rate: 100, Cores: 2, Yield: .26}, Threaded{Rate: 100, Cores: 4, Yield: .5},
	}
}

// TestTruthIsWhatRunsMeasure: formulas and simulation share no code.
func TestTruthIsWhatRunsMeasure(t *testing.T) {
	const seed, requests, runs = 5, 100_000, 20
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, s := range servers() {
		for _, share := range []float64{.1, .5, .8, .9} {
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

func TestX(t *testing.T) {
	for _, s := range servers() {
		for _, q := range []float64{.5, .99} {
			fmt.Printf("%+v p%v line %.4f\n", s, 100*q, LineAt(s, q, 2*Base(s, q))/s.Capacity())
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
