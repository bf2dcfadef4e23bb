package stat

import "math"

// Curve is throughput as a function of the number n of CPUs that carry it:
//
//	X(n) = Gamma · w(n) / (1 + Alpha·(n−1) + Beta·n·(n−1))
//	w(n) = min(n, Cores) + Yield·max(0, n−Cores)
//
// Without Cores w(n) = n, which is the universal scalability law (Gunther,
// Guerrilla Capacity Planning, 2007); with Beta = 0 as well it is Amdahl's law.
// Cores is where cores run out and second threads begin, Yield what such a
// thread carries of what a core alone does.
type Curve struct {
	Gamma float64 // throughput of one CPU
	Alpha float64 // contention, 0 or more
	Beta  float64 // coherency, 0 or more
	Yield float64 // 1 is as much as a core; without meaning where Cores is 0
	Cores int     // 0: every CPU is alike
}

// At is the throughput of n CPUs, in the unit of Gamma.
func (c Curve) At(n float64) float64 { return c.Gamma * c.relative(n) }

// relative is the throughput in that of one CPU.
func (c Curve) relative(n float64) float64 {
	work := n
	if cores := float64(c.Cores); cores > 0 && n > cores {
		work = cores + c.Yield*(n-cores)
	}
	return work / (1 + c.Alpha*(n-1) + c.Beta*n*(n-1))
}

// CPUsFor is the smallest number of CPUs, a fraction included, that carries x on
// the curve, between from and to. It is false where the curve does not rise
// from below x to x in that range.
func (c Curve) CPUsFor(x, from, to float64) (float64, bool) {
	const steps = 4096
	prev := from
	if c.At(from) >= x {
		return from, c.At(from) == x
	}
	for i := 1; i <= steps; i++ {
		n := from + (to-from)*float64(i)/steps
		if c.At(n) >= x {
			return bisect(func(n float64) bool { return c.At(n) >= x }, prev, n), true
		}
		prev = n
	}
	return math.NaN(), false
}

// bisect finds where reached turns true between lo, where it is false, and hi.
func bisect(reached func(float64) bool, lo, hi float64) float64 {
	for range 60 {
		if mid := (lo + hi) / 2; reached(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// ExtraCPUs is how many CPUs more than n a machine needs to carry ratio times
// what it carries, were its scaling linear, which is the optimistic case.
func ExtraCPUs(n, ratio float64) float64 { return n * (ratio - 1) }

// YieldAtFull is the Yield of a machine with two threads a core whose CPUs, all
// loaded, each carry the given share of what one carries alone.
func YieldAtFull(perThread float64) float64 { return 2*perThread - 1 }
