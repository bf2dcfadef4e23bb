package stat

import "math"

// Curve is throughput as a function of the number n of CPUs:
//
//	X(n) = Gamma · w(n) / (1 + Alpha·(n−1) + Beta·n·(n−1))
//	w(n) = min(n, Cores) + Yield·max(0, n−Cores)
//
// Without Cores w(n) = n, which is the universal scalability law (Gunther, Guerrilla Capacity Planning, 2007); with
// Beta = 0 as well it is Amdahl's law. Beyond Cores, CPUs are second threads of cores in use, and Yield is the
// throughput that such a thread adds relative to a core of its own.
type Curve struct {
	Gamma float64 // throughput of one CPU
	Alpha float64 // contention, 0 or more
	Beta  float64 // coherency, 0 or more
	Yield float64 // 1 is as much as a core; undefined if Cores is 0
	Cores int     // 0: all CPUs are alike
}

// At returns the throughput of n CPUs, in the unit of Gamma.
func (c Curve) At(n float64) float64 { return c.Gamma * c.relative(n) }

// relative returns the throughput relative to one CPU.
func (c Curve) relative(n float64) float64 {
	work := n
	if cores := float64(c.Cores); cores > 0 && n > cores {
		work = cores + c.Yield*(n-cores)
	}
	return work / (1 + c.Alpha*(n-1) + c.Beta*n*(n-1))
}

// CPUsFor returns the smallest number of CPUs between from and to, possibly fractional, at which the curve reaches x.
// It returns false if the curve does not rise from below x to x in that range.
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

// bisect returns the point at which reached turns true between lo, where it is false, and hi.
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

// ExtraCPUs returns how many more CPUs than n a machine needs for ratio times its throughput under linear scaling, the
// optimistic case.
func ExtraCPUs(n, ratio float64) float64 { return n * (ratio - 1) }

// YieldAtFull returns the Yield of a machine with two threads a core whose CPUs under full load each have the given
// share of the throughput of one alone.
func YieldAtFull(perThread float64) float64 { return 2*perThread - 1 }
