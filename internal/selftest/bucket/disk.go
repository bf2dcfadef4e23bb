package bucket

import "math/rand/v2"

// Step is the length of a bin of a Run, in seconds.
const Step = 1e-3

// Disk completes I/Os of one size, one after the other.
type Disk struct {
	Size  float64 // bytes per I/O
	Rate  float64 // bytes per second while not throttled
	Noise float64 // standard deviation of an I/O's service time, as a share of its mean; at most 1
	Gate  Gate    // nil: none
}

// Gate decides when an I/O may be served.
type Gate interface {
	// Open returns the earliest time, not before now, at which an I/O of that size may start. It is called once for
	// each I/O, with non-decreasing times.
	Open(now, size float64) float64
	// Pace returns the factor by which an I/O that starts now takes longer than at the disk's rate.
	Pace(now float64) float64
}

// Run holds the completions in each step.
type Run struct{ Bytes, IOs []float64 }

// Run serves I/Os for some seconds. Those in progress at the end are not counted.
func (d Disk) Run(r *rand.Rand, seconds float64) Run {
	n := int(seconds/Step + .5)
	out := Run{make([]float64, n), make([]float64, n)}
	now := 0.0
	for {
		pace := 1.0
		if d.Gate != nil {
			now = d.Gate.Open(now, d.Size)
			pace = d.Gate.Pace(now)
		}
		now += pace * d.Size / d.Rate * (1 + d.Noise*(r.ExpFloat64()-1))
		at := int(now / Step)
		if at >= n {
			return out
		}
		out.Bytes[at] += d.Size
		out.IOs[at]++
	}
}
