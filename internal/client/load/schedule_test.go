package load

import (
	"math"
	"slices"
	"testing"
)

func mustSchedule(t testing.TB, arrivals string, rate float64, seed uint64) Schedule {
	t.Helper()
	s, err := NewSchedule(arrivals, rate, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gaps returns n gaps of a schedule as multiples of their mean.
func gaps(s Schedule, rate float64, n int) []float64 {
	out := make([]float64, n)
	t := s.First()
	for i := range out {
		next := s.Next(t)
		out[i] = float64(next-t) * rate / 1e9
		t = next
	}
	return out
}

func TestPoissonGapsAreExponential(t *testing.T) {
	const n = 100_000
	for _, rate := range []float64{0.01, 50, 20_000, 1e6} {
		for seed := range uint64(5) {
			g := gaps(mustSchedule(t, Poisson, rate, seed), rate, n)
			var sum, lag1 float64
			for i, x := range g {
				sum += x
				if i > 0 {
					lag1 += (x - 1) * (g[i-1] - 1)
				}
			}
			if mean := sum / n; math.Abs(mean-1) > 4/math.Sqrt(n) {
				t.Errorf("rate %g seed %d: mean gap %g of the wanted", rate, seed, mean)
			}
			if r := lag1 / n; math.Abs(r) > 4/math.Sqrt(n) {
				t.Errorf("rate %g seed %d: gaps correlate by %g", rate, seed, r)
			}
			slices.Sort(g)
			var ks float64
			for i, x := range g {
				f := 1 - math.Exp(-x)
				ks = max(ks, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
			}
			// 1.95/sqrt(n) is exceeded by one true sample in 1000; a gap in whole
			// nanoseconds is off by half of one at most.
			if bound := 1.95/math.Sqrt(n) + rate/2e9; ks > bound {
				t.Errorf("rate %g seed %d: Kolmogorov-Smirnov distance %g over %g", rate, seed, ks, bound)
			}
		}
	}
}

func TestPoissonCounts(t *testing.T) {
	const bins, mean = 20_000, 8.0
	for seed := range uint64(5) {
		s := mustSchedule(t, Poisson, mean*1000, seed)
		counts := make([]float64, bins)
		for at := s.First(); at < bins*1e6; at = s.Next(at) {
			counts[at/1e6]++
		}
		var sum, squares float64
		for _, c := range counts {
			sum += c
			squares += (c - mean) * (c - mean)
		}
		near(t, "mean count", sum/bins, mean, 4/math.Sqrt(bins*mean))
		near(t, "variance of counts", squares/bins, mean, 4*math.Sqrt(2.0/bins))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestUniformKeepsItsRate(t *testing.T) {
	for _, rate := range []float64{0.3, 3, 7777, 1e6, maxRate} {
		s := mustSchedule(t, Uniform, rate, 42)
		at := s.First()
		if at < 0 || float64(at) > 1e9/rate {
			t.Errorf("rate %g: first arrival at %d ns, after more than a gap", rate, at)
		}
		const n = 200_000
		for i := range n {
			want := float64(s.First()) + float64(i)*1e9/rate
			if math.Abs(float64(at)-want) > 1 {
				t.Fatalf("rate %g: arrival %d at %d ns, want %f", rate, i, at, want)
			}
			at = s.Next(at)
		}
	}
}

// The times are those of every architecture: the schedule uses no float
// operation that a compiler may fuse.
func TestScheduleOfASeed(t *testing.T) {
	for _, c := range []struct {
		arrivals string
		seed     uint64
		want     []int64
	}{
		{Poisson, 1, []int64{1566283, 3714426, 4376950, 4394491, 4571879}},
		{Poisson, 2, []int64{1046445, 1211582, 2282776, 3211015, 3473499}},
		{Uniform, 1, []int64{479309, 1479309, 2479309, 3479309, 4479309}},
	} {
		s := mustSchedule(t, c.arrivals, 1000, c.seed)
		got := []int64{s.First()}
		for len(got) < 5 {
			got = append(got, s.Next(got[len(got)-1]))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, seed %d: %d, want %d", c.arrivals, c.seed, got, c.want)
		}
	}
}
