package bucket

import (
	"math"
	"math/rand/v2"
)

// steady is the constant pace of gates that only open and close.
type steady struct{}

func (steady) Pace(float64) float64 { return 1 }

// Renewed is an allowance that is reset at the start of each period. The remainder is lost, unless it is less than one
// I/O: that is carried over, so that the mean is the allowance whatever the size.
type Renewed struct {
	steady
	Period float64 // seconds
	Amount float64 // bytes
	Jitter float64 // of the start of each period, as a share of it

	Random *rand.Rand
	left   float64
	next   float64 // start of the next period
	count  int
}

// NewRenewed starts at a random point of a period.
func NewRenewed(r *rand.Rand, period, amount, jitter float64) *Renewed {
	return &Renewed{Period: period, Amount: amount, Jitter: jitter, Random: r, next: period * r.Float64()}
}

// Open waits for the next period once the allowance is used up.
func (g *Renewed) Open(now, size float64) float64 {
	for now >= g.next {
		g.renew()
	}
	for g.left < size {
		now = g.next
		g.renew()
	}
	g.left -= size
	return now
}

func (g *Renewed) renew() {
	left := g.left
	if left >= g.Amount/10 {
		left = 0 // unused
	}
	g.left = g.Amount + left
	g.count++
	g.next += g.Period * (1 + g.Jitter*g.Random.NormFloat64())
}

// Refilled is a bucket that is filled continuously.
type Refilled struct {
	steady
	Rate   float64 // bytes per second
	Bucket float64 // capacity in bytes, at least one I/O: full at the start

	tokens float64
	last   float64
	begun  bool
}

// Open waits until the bucket holds enough.
func (g *Refilled) Open(now, size float64) float64 {
	if !g.begun {
		g.tokens, g.begun = g.Bucket, true
	}
	g.tokens = math.Min(g.Bucket, g.tokens+g.Rate*(now-g.last))
	g.last = now
	if g.tokens < size {
		now += (size - g.tokens) / g.Rate
		g.tokens, g.last = size, now
	}
	g.tokens -= size
	return now
}

// Pauses are silences at times that do not depend on the load.
type Pauses struct {
	Gap, Length func() float64 // seconds from the end of one to the start of the next; seconds of one
	Uneven      func() float64 // pace between two pauses; nil: 1

	from, to float64 // of the next pause
	pace     float64
	begun    bool
}

// Open waits for the end of a pause.
func (g *Pauses) Open(now, _ float64) float64 {
	if !g.begun {
		g.begun = true
		g.turn(0)
	}
	for now >= g.from {
		now = math.Max(now, g.to)
		g.turn(g.to)
	}
	return now
}

func (g *Pauses) turn(after float64) {
	g.from = after + g.Gap()
	g.to = g.from + g.Length()
	g.pace = 1
	if g.Uneven != nil {
		g.pace = g.Uneven()
	}
}

// Pace returns that of the stretch between two pauses.
func (g *Pauses) Pace(float64) float64 { return g.pace }

// Wander is an unthrottled disk with a drifting rate: its ln is a first-order autoregression in time.
type Wander struct {
	Tau    float64 // seconds until it has forgotten all but 1/e
	SD     float64 // of ln of the rate
	Random *rand.Rand

	log, last float64
	begun     bool
}

// Open never waits.
func (g *Wander) Open(now, _ float64) float64 { return now }

// Pace changes with time.
func (g *Wander) Pace(now float64) float64 {
	if !g.begun {
		g.begun, g.log = true, g.SD*g.Random.NormFloat64()
	}
	keep := math.Exp(-(now - g.last) / g.Tau)
	g.log = keep*g.log + g.SD*math.Sqrt(1-keep*keep)*g.Random.NormFloat64()
	g.last = now
	return math.Exp(g.log)
}
