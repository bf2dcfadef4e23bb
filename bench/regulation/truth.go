package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"plimsoll/internal/selftest/bucket"
)

// truth is a disk that is made, and how it is measured.
type truth struct {
	class   string  // "quantum", "credit", "stalls" or "smooth"
	period  float64 // seconds
	amount  float64 // bytes of a period, or that a credit holds
	rate    float64 // bytes per second that the regulator lets pass
	burst   float64 // bytes per second while nothing is held back
	block   int     // bytes of a read
	measure time.Duration
	pacer   *pacer
}

// The sizes of reads. Eight of the large ones take 1.5 to 3.5 ms at these rates, and the host has CPU time for all;
// what is short needs more of them in a burst.
const (
	largeBlock = 64 << 10
	smallBlock = 16 << 10
)

func (t truth) String() string {
	switch t.class {
	case "quantum":
		return fmt.Sprintf("quantum %4.0f ms, duty %2.0f %%, %3.0f MB/s", 1e3*t.period, 100*t.rate/t.burst, t.rate/1e6)
	case "credit":
		return fmt.Sprintf("credit %4.0f MB, %3.0f then %3.0f MB/s", t.amount/1e6, t.burst/1e6, t.rate/1e6)
	}
	return fmt.Sprintf("%s, %3.0f MB/s", t.class, t.burst/1e6)
}

// drawn is disk i of a seed: three of six are quantum regulators, one each is a credit, random stalls and smooth.
func drawn(seed uint64, i int) truth {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	between := func(lo, hi float64) float64 { return lo * math.Exp(r.Float64()*math.Log(hi/lo)) }
	t := truth{burst: between(150e6, 350e6), block: largeBlock}
	var gate bucket.Gate
	switch i % 6 {
	case 0, 2, 4:
		t.class, t.period = "quantum", []float64{.02, .1, 1}[i%6/2]
		t.rate = t.burst * between(.05, .5)
		if t.period < 1 {
			t.block = smallBlock
		}
		if t.period == .02 {
			t.rate = max(t.rate, .15*t.burst) // a burst of 3 ms: less than that the host alone takes away at times
		}
		t.amount = t.rate * t.period
		t.measure = max(4*time.Second, time.Duration(14*t.period*float64(time.Second)))
		gate = bucket.NewRenewed(r, t.period, t.amount, .005)
	case 1:
		t.class, t.rate, t.measure = "credit", t.burst/between(2, 6), 12*time.Second
		t.amount = (t.burst - t.rate) * between(1, 3.5)
		gate = &bucket.Refilled{Rate: t.rate, Bucket: t.amount}
	case 3:
		t.class, t.measure = "stalls", 6*time.Second
		gap, most := between(.05, .2), between(.04, .15)
		gate = &bucket.Pauses{Gap: func() float64 { return gap * r.ExpFloat64() },
			Length: func() float64 { return most * (.2 + .8*r.Float64()) }}
	case 5:
		t.class, t.measure = "smooth", 4*time.Second
		t.rate = t.burst
	}
	t.pacer = &pacer{rate: t.burst, gate: gate}
	return t
}
