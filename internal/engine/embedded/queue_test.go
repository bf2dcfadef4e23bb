package embedded

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// erlangC is the probability that a request waits in an M/M/c queue: Kleinrock,
// Queueing Systems, volume 1, equation 3.40. load is the arrival rate times the
// mean service time.
func erlangC(servers int, load float64) float64 {
	b := 1.0 // Erlang's loss formula, by its recursion over the number of servers
	for n := 1; n <= servers; n++ {
		b = load * b / (float64(n) + load*b)
	}
	rho := load / float64(servers)
	return b / (1 - rho + rho*b)
}

// TestQueueIsMMc holds the mean time in the queue against theory, over Poisson
// arrivals.
func TestQueueIsMMc(t *testing.T) {
	const requests, batches, mean = 400_000, 40, time.Millisecond
	for _, c := range []struct {
		servers int
		rho     float64
	}{{1, .5}, {1, .8}, {3, .7}, {16, .9}} {
		const seed = 7
		t.Logf("%d servers, %g of their capacity, seed %d", c.servers, c.rho, seed)
		q := newQueue(mean, c.servers, seed)
		arrivals := rand.New(rand.NewPCG(seed, 1))
		rate := c.rho * float64(c.servers) / mean.Seconds()
		now, sums := 0.0, make([]float64, batches)
		for i := range requests {
			now += arrivals.ExpFloat64() / rate
			at := time.Duration(now * 1e9)
			sums[i*batches/requests] += (q.admit(at) - at).Seconds() / (requests / batches)
		}
		got, half := meanOf(sums)
		want := mean.Seconds() * (1 + erlangC(c.servers, c.rho*float64(c.servers))/(float64(c.servers)*(1-c.rho)))
		if math.Abs(got-want) > 4*half {
			t.Errorf("%d servers at %g: mean time in the queue %.4g s ± %.2g, theory %.4g s", c.servers, c.rho, got, half, want)
		}
		t.Logf("%.4g s ± %.2g, theory %.4g s", got, half, want)
	}
}

// meanOf is the mean of batches and its standard error.
func meanOf(x []float64) (mean, err float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		err += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(err / float64(len(x)*(len(x)-1)))
}

// TestQueueServesInOrder: with one server requests do not overtake each other, and the server is busy whenever one
// waits, so that the work done is the sum of the services.
func TestQueueServesInOrder(t *testing.T) {
	const requests = 1000
	one, last := newQueue(time.Millisecond, 1, 3), time.Duration(0)
	for range requests {
		done := one.admit(0)
		if done < last {
			t.Fatalf("done at %v, after one that was done at %v", done, last)
		}
		last = done
	}
	services := rand.New(rand.NewPCG(3, 0))
	sum := time.Duration(0)
	for range requests {
		sum += time.Duration(services.ExpFloat64() * float64(time.Millisecond))
	}
	if last != sum {
		t.Errorf("%d requests that came at once were done in %v, their services take %v", requests, last, sum)
	}
}
