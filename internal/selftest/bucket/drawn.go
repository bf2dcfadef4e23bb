package bucket

import (
	"math"
	"math/rand/v2"
)

// Truth is the truth about a random disk. Values that its kind does not have are 0.
type Truth struct {
	Class   string // "quantum", "credit", "stalls" or "smooth"
	Seconds float64
	Period  float64 // seconds
	Amount  float64 // bytes per period, or capacity of the bucket
	Rate    float64 // sustained bytes per second
	Burst   float64 // bytes per second while not throttled
}

// Kind is one kind of random disks.
type Kind struct {
	Name string
	Draw func(r *rand.Rand) (Disk, Truth)
}

// Kinds returns the kinds of docs/derivations.md#throttling, with drifts that are slow relative to a run.
func Kinds() []Kind {
	return []Kind{
		{"quantum, 20 to 1000 ms, duty 3 to 50%", quantum},
		{"credit", credit},
		{"smooth", smooth},
		{"refilled all the time", refilled},
		{"drift, 1 s", func(r *rand.Rand) (Disk, Truth) { return drift(r, 1) }},
		{"drift, 10 s", func(r *rand.Rand) (Disk, Truth) { return drift(r, 10) }},
		{"random stalls", stalls},
		{"periodic commits", commits},
	}
}

// between draws from a log-uniform distribution.
func between(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Exp(r.Float64()*math.Log(hi/lo))
}

// block returns the size of I/Os: eight fit into 4 ms, and a run has at most 300,000.
func block(r *rand.Rand, rate, seconds float64) float64 {
	size := []float64{16 << 10, 64 << 10, 256 << 10}[r.IntN(3)]
	return math.Max(math.Min(size, rate*.5e-3), rate*seconds/300e3)
}

func quantum(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "quantum", Period: between(r, .02, 1)}
	duty := between(r, .03, .5)
	t.Burst = between(r, 500e6, 3e9)
	t.Rate = t.Burst * duty
	t.Amount = t.Rate * t.Period
	t.Seconds = math.Max(5, 30*t.Period)
	return Disk{block(r, t.Rate, t.Seconds), t.Burst, .3, NewRenewed(r, t.Period, t.Amount, .01)}, t
}

func credit(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "credit", Seconds: 30, Rate: between(r, 50e6, 400e6)}
	t.Burst = t.Rate * between(r, 1.6, 12)
	t.Amount = (t.Burst - t.Rate) * between(r, 1, 10)
	return Disk{block(r, t.Rate, t.Seconds), t.Burst, .3, &Refilled{Rate: t.Rate, Bucket: t.Amount}}, t
}

func smooth(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "smooth", Seconds: 10, Rate: between(r, 50e6, 1e9)}
	return Disk{block(r, t.Rate, t.Seconds), t.Rate, .3 + .7*r.Float64(), nil}, t
}

func refilled(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "smooth", Seconds: 10, Rate: between(r, 50e6, 500e6)}
	t.Burst = t.Rate * between(r, 2, 10)
	size := block(r, t.Rate, t.Seconds)
	return Disk{size, t.Burst, .3, &Refilled{Rate: t.Rate, Bucket: 2 * size}}, t
}

func drift(r *rand.Rand, tau float64) (Disk, Truth) {
	t := Truth{Class: "smooth", Seconds: 30, Rate: between(r, 50e6, 500e6)}
	return Disk{block(r, t.Rate, t.Seconds), t.Rate, .5, &Wander{Tau: tau, SD: .1 + .25*r.Float64(), Random: r}}, t
}

func stalls(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "stalls", Seconds: 10, Burst: between(r, 100e6, 1e9)}
	gap, most := between(r, .05, .3), between(r, .02, .15)
	return Disk{block(r, t.Burst, t.Seconds), t.Burst, .5, &Pauses{
		Gap:    func() float64 { return gap * r.ExpFloat64() },
		Length: func() float64 { return most * (.1 + .9*r.Float64()) },
	}}, t
}

// commits pauses periodically, regardless of the amount written: the rate varies from one piece to the next by 35%.
func commits(r *rand.Rand) (Disk, Truth) {
	t := Truth{Class: "stalls", Seconds: 10, Period: between(r, .05, .3), Burst: between(r, 100e6, 1e9)}
	pause := t.Period * (.05 + .25*r.Float64())
	return Disk{block(r, t.Burst, t.Seconds), t.Burst, .5, &Pauses{
		Gap:    func() float64 { return t.Period - pause },
		Length: func() float64 { return pause },
		Uneven: func() float64 { return math.Exp(.35 * r.NormFloat64()) },
	}}, t
}
