package embedded

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	truth "plimsoll/internal/selftest/queue"
)

// drive sends Poisson arrivals through cores with second threads, and returns each request's time there in seconds.
func drive(q *threaded, r *rand.Rand, rate float64, requests int) []float64 {
	came, left := make([]float64, requests), make([]chan float64, requests)
	now := 0.0
	for i := range requests {
		now += r.ExpFloat64() / rate
		came[i], left[i] = now, make(chan float64, 1)
		q.come(now, left[i])
	}
	q.advance(math.Inf(1))
	out := make([]float64, requests)
	for i := range out {
		out[i] = <-left[i] - came[i]
	}
	return out
}

// TestThreadedAsSimulatedTruth compares quantiles with package queue's formulas, which share no code with this, and
// with M/M/2c if second threads are as good as first ones.
func TestThreadedAsSimulatedTruth(t *testing.T) {
	simtest.Long(t)
	const seed, requests, runs = 9, 60_000, 8
	t.Logf("seed %d", seed)
	for n, server := range []truth.Threaded{
		{Rate: 500, Cores: 1, Yield: .3}, {Rate: 250, Cores: 2, Yield: .2}, {Rate: 100, Cores: 4, Yield: .7},
		{Rate: 100, Cores: 2, Yield: 1}} {
		shares := []float64{.1, .5, .85}
		if !simtest.Night() {
			shares = shares[1+n%2:][:1]
		}
		for _, share := range shares {
			load := share * server.Capacity()
			for i, q := range []float64{.5, .99} {
				var off []float64
				want := truth.Quantile(server, load, q)
				for run := range runs {
					r := rand.New(rand.NewPCG(seed, uint64(100*i+run)))
					x := newThreaded(time.Duration(1e9/server.Rate), server.Cores, server.Yield, uint64(1000*i+run))
					got := drive(x, r, load, requests)
					slices.Sort(got)
					off = append(off, math.Log(got[int(q*requests)]/want))
				}
				mean, se := meanOf(off)
				if math.Abs(mean) > 5*se+2e-3 {
					t.Errorf("%+v at %g, p%g: %.4f ± %.4f off", server, share, 100*q, mean, se)
				}
			}
		}
	}
}

// TestThreadedCarriesItsCapacity: requests that come at once are served as fast as all threads can, to the last but
// few.
func TestThreadedCarriesItsCapacity(t *testing.T) {
	const seed, requests = 4, 100_000
	t.Logf("seed %d", seed)
	q := newThreaded(time.Millisecond, 4, .25, seed)
	left := make([]chan float64, requests)
	for i := range left {
		left[i] = make(chan float64, 1)
		q.come(0, left[i])
	}
	q.advance(math.Inf(1))
	last := 0.0
	for _, l := range left {
		last = max(last, <-l)
	}
	// The sum of so many exponential services has a standard deviation of 1/sqrt(requests) of itself.
	if off := requests/last/5000 - 1; math.Abs(off) > 5/math.Sqrt(requests) {
		t.Errorf("%g requests a second were served, want 5000", requests/last)
	}
	if _, some := q.next(); some || len(q.waiting) != 0 || q.head != 0 {
		t.Errorf("left behind: %d waiting from %d on", len(q.waiting), q.head)
	}
}

// TestThreadedIsLateForNobody: however seldom time is let pass, requests leave when they would have.
func TestThreadedIsLateForNobody(t *testing.T) {
	const seed, requests = 5, 5000
	t.Logf("seed %d", seed)
	often, seldom := newThreaded(time.Millisecond, 2, .4, seed), newThreaded(time.Millisecond, 2, .4, seed)
	r := rand.New(rand.NewPCG(seed, 1))
	now := 0.0
	var a, b []chan float64
	for range requests {
		for next := now + r.ExpFloat64()/2500; now < next; now = min(next, now+1e-4) {
			often.advance(now)
		}
		a, b = append(a, make(chan float64, 1)), append(b, make(chan float64, 1))
		often.come(now, a[len(a)-1])
		seldom.come(now, b[len(b)-1])
	}
	often.advance(math.Inf(1))
	seldom.advance(math.Inf(1))
	for i := range a {
		if x, y := <-a[i], <-b[i]; math.Abs(x-y) > 1e-9 {
			t.Fatalf("request %d leaves at %v, and at %v where time passes in small steps", i, y, x)
		}
	}
}
