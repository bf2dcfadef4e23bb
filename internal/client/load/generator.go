package load

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
)

// Never is a time that does not come, such as the end of a load that ends by itself.
const Never = math.MaxInt64

// Generator drives one load through its lanes. Its lanes wait in their first
// Take until Start. Start and Stop may be called from any goroutine.
type Generator struct {
	config   Config
	clock    Clock
	pacing   Pacing
	lead     int64 // how long before an intended time a sleeping lane wakes
	lanes    []*Lane
	arrivals *arrivals // nil except in open loops
	turns    *turns    // nil unless other sides share the CPUs
	side     int

	zero    atomic.Int64 // start of the load; Never before Start
	stop    atomic.Int64 // time of Stop; Never before it
	started chan struct{}
	halted  chan struct{}
	once    struct{ start, stop sync.Once }
	failing atomic.Int64 // lanes in which every operation fails
}

// New returns a generator with everything that its trial needs allocated, or an error that names the invalid value.
func New(c Config) (*Generator, error) {
	c, err := c.normal()
	if err != nil {
		return nil, err
	}
	clock, err := NewClock()
	if err != nil {
		return nil, err
	}
	g := &Generator{config: c, clock: clock, pacing: c.Pacing, lead: lead, started: make(chan struct{}),
		halted: make(chan struct{})}
	g.zero.Store(Never)
	g.stop.Store(Never)
	if c.Load.Kind == record.Open {
		s, err := NewSchedule(c.Load.Arrivals, c.Load.Level, c.Seed)
		if err != nil {
			return nil, err
		}
		g.arrivals = newArrivals(s)
		if c.Shared {
			g.lead = leadOf(c.Load.Level, runtime.NumCPU())
		}
	}
	for range c.Lanes {
		g.lanes = append(g.lanes, newLane(g))
	}
	return g, nil
}

// Lane returns lane i, from 0.
func (g *Generator) Lane(i int) *Lane { return g.lanes[i] }

// Clock returns the clock of all the generator's times.
func (g *Generator) Clock() Clock { return g.clock }

// Start sets the start of the load, on CLOCK_MONOTONIC in nanoseconds; a time in the future makes all lanes start
// together. Only the first call counts.
func (g *Generator) Start(now int64) {
	g.once.start.Do(func() {
		g.zero.Store(now)
		close(g.started)
		if g.turns != nil {
			g.turns.join(now)
		}
	})
}

// Stop ends the load early: no lane receives another operation. Lanes complete their operations in flight.
func (g *Generator) Stop() {
	g.once.stop.Do(func() {
		g.stop.Store(g.clock.Now())
		close(g.halted)
		if g.turns != nil {
			g.turns.wake()
		}
	})
}

// failed counts a lane in which every operation fails, and ends the load if there is no other.
func (g *Generator) failed() {
	if g.failing.Add(1) == int64(len(g.lanes)) {
		g.Stop()
	}
}

func (g *Generator) stopped() bool { return g.stop.Load() != Never }

// Window returns the planned measured time once Start has been called. Sliced
// sides share one window, as long as all their measured times together; it begins
// and ends with a whole block, so up to half a block earlier or later.
func (g *Generator) Window() (start, end int64) {
	sides := 1
	if g.turns != nil {
		sides = len(g.turns.sides)
	}
	return g.config.window(g.zero.Load(), sides)
}

// Hung reports, while the lanes run, whether all that have not left have never had an answer, and others have: in a
// pool that is too small, or behind a lock, they will have none. slowest is the longest time that another took to its
// first.
func (g *Generator) Hung() (slowest time.Duration, hung bool) {
	zero := g.zero.Load()
	for _, l := range g.lanes {
		first := l.answered.Load()
		if l.open || first > 0 && !l.gone.Load() {
			return 0, false
		}
		if first > 0 {
			slowest = max(slowest, time.Duration(first-zero))
		}
	}
	return slowest, slowest > 0
}

// Ended returns when the last measured operation ended, 0 if none did. As Result, it must not be called before every
// lane's goroutine has ended.
func (g *Generator) Ended() int64 {
	last := int64(0)
	for _, l := range g.lanes {
		last = max(last, l.ended)
	}
	return last
}

func (c Config) window(zero int64, sides int) (start, end int64) {
	if c.Load.Kind == record.Once {
		return zero, Never
	}
	start = zero + int64(sides)*int64(c.Warmup)
	return start, start + int64(sides)*int64(c.Duration)
}

// await waits for Start and until its time, and returns the time then; false if the load was stopped first.
func (g *Generator) await() (now int64, ok bool) {
	select {
	case <-g.started:
	case <-g.halted:
		return 0, false
	}
	zero := g.zero.Load()
	for now = g.clock.Now(); now < zero; now = g.clock.Now() {
		if g.stopped() {
			return now, false
		}
		sleepUntil(min(zero, now+Nap))
	}
	return now, true
}
