package load

import (
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
)

// Lane hands operations to one goroutine and records them. It must not be used by two goroutines at once. There are
// two ways to drive it:
// A synchronous client calls Take, does the operation, calls Done or Fail, and so on. An event loop calls Due
// whenever it could begin another operation, has many in flight, and sizes its waits by Next; it may call Take to
// wait when it has nothing in flight.
type Lane struct {
	_     [cacheLines]byte
	last  int64 // latest clock reading
	until int64 // a closed loop's Take skips its checks before this time
	gen   *Generator
	clock Clock
	open  bool

	begun  bool  // Start has been seen
	warm   int64 // end of the warm-up
	end    int64 // of the trial
	from   int64 // operations intended earlier are not measured
	flying int   // operations taken and not finished
	taken  int64 // operations handed out
	within within

	event   bool  // an event loop drives it, with several clients
	starved int64 // of these, the ones without an answer

	pending int64 // open: claimed, not yet handed out; 0: none
	flight  inflight
	counts  counts
	able    int64 // open: since when an operation could begin, if one is due
	full    bool  // open: until the next answer none can
	spun    int64

	turn  slice // sliced: this lane's part in the current turn
	start int64 // sliced: start of the first measured slice
	ended int64 // latest end of a measured operation
	ran   int64 // measured time of earlier slices
	left  int64 // time of Leave
	out   bool  // no longer takes part in turns

	failing bool // every operation has failed for long enough to say so

	heard    bool         // an operation has been answered
	answered atomic.Int64 // when the first one was, CLOCK_MONOTONIC in ns; 0: none yet
	gone     atomic.Bool  // Leave has been called

	rec recorder
	_   [cacheLines]byte
}

func newLane(g *Generator) *Lane {
	return &Lane{
		gen: g, clock: g.clock, open: g.arrivals != nil,
		from: Never, left: Never, flight: newInflight(), rec: newRecorder(g.config),
	}
}

// Now returns CLOCK_MONOTONIC in nanoseconds.
func (l *Lane) Now() int64 { return l.clock.Now() }

// Take waits until the next operation is due and returns its intended start. In a closed loop it is due at once, and
// its start is the clock reading of the last Done. It returns false if the trial is over.
func (l *Lane) Take() (intended int64, ok bool) {
	if l.last < l.until && !l.gen.stopped() {
		l.flying++
		l.taken++
		return l.last, true
	}
	return l.takeSlowly()
}

func (l *Lane) takeSlowly() (intended int64, ok bool) {
	if !l.begun {
		now, ok := l.gen.await()
		if !ok {
			l.dropOut()
			return 0, false
		}
		l.begin(now)
	}
	switch {
	case l.open:
		intended, ok = l.takeOpen()
	case l.gen.turns != nil:
		intended, ok = l.takeTurn()
	default:
		intended, ok = l.takeClosed(l.last)
	}
	if !ok {
		l.dropOut()
	}
	return intended, ok
}

// begin prepares the lane at its first use after Start.
func (l *Lane) begin(now int64) {
	l.begun = true
	l.last = now
	l.warm, l.end = l.gen.Window()
	l.rec.zero = l.warm
	if l.gen.turns == nil {
		l.from = l.warm
	}
	if l.open && l.gen.pacing == Sleep {
		fineTimers()
	}
}

// takeClosed takes an operation that starts now.
func (l *Lane) takeClosed(now int64) (intended int64, ok bool) {
	once := l.gen.config.Load.Kind == record.Once
	if l.gen.stopped() || once && l.taken > 0 || now >= l.end {
		return 0, false
	}
	if !once {
		l.until = l.end
	}
	l.flying++
	l.taken++
	return now, true
}

// Due is Take for event loops: it never waits. now is the caller's clock reading. It returns false if nothing is due
// yet, or if the trial is over: Next tells which.
func (l *Lane) Due(now int64) (intended int64, ok bool) {
	l.event = true
	if !l.begun {
		if l.gen.zero.Load() > now {
			return 0, false
		}
		l.begin(now)
	}
	switch {
	case l.open:
		return l.dueOpen(now)
	case l.gen.turns != nil:
		return l.dueTurn(now)
	}
	return l.takeClosed(now)
}

// Next returns when to call Due again: a time in the past means at once. It returns false if the trial is over, and
// the operations in flight are the last.
func (l *Lane) Next(now int64) (at int64, ok bool) {
	switch {
	case l.gen.stopped():
		return 0, false
	case !l.begun:
		return min(max(l.gen.zero.Load(), now), now+1e6), true
	case l.open:
		l.claim()
		return l.pending, l.pending < l.end && now < l.end
	case l.gen.turns != nil:
		return l.nextTurn(now)
	case l.gen.config.Load.Kind == record.Once:
		return now, l.taken == 0
	}
	return now, now < l.end
}

// Lead returns how long before an intended time a lane should wake, in nanoseconds, to spin for the rest.
func (l *Lane) Lead() int64 { return l.gen.lead }

// Open reports whether due times follow a schedule, rather than completions.
func (l *Lane) Open() bool { return l.open }

// Spun is for event loops: it records the nanoseconds spent polling for events in vain, CPU time that the load did
// not need. Take records its own.
func (l *Lane) Spun(ns int64) {
	if l.begun && l.last >= l.warm {
		l.spun += ns
	}
}

// Done records n operations that together began at intended, were sent (or begun) at sent, and have ended now; bytes
// is their total size. In a closed loop each of the n is recorded with their mean time. In an open loop each took
// from the intended start to now. If n is below 1, only time has passed. It reports whether they are measured, not part
// of the warm-up.
func (l *Lane) Done(intended, sent, n, bytes int64) bool {
	l.last = l.clock.Now()
	return l.done(intended, sent, l.last, max(n, 0), bytes)
}

// DoneAt is Done for event loops that find several operations ended by one clock reading, end.
func (l *Lane) DoneAt(intended, sent, end, n, bytes int64) bool {
	l.last = end
	return l.done(intended, sent, end, max(n, 0), bytes)
}

// Duration returns the measured duration; 0 for a load that ends by itself.
func (l *Lane) Duration() time.Duration {
	if l.gen.config.Load.Kind == record.Once {
		return 0
	}
	return l.gen.config.Duration
}

// Window returns the beginning and the end of the measured time, on the generator's clock; they are known from the
// first operation on.
func (l *Lane) Window() (start, end int64) { return l.warm, l.end }

func (l *Lane) done(intended, sent, end, n, bytes int64) bool {
	if !l.heard {
		l.heard = true
		l.answered.Store(end)
	}
	measured := l.finish(intended, end, n, bytes)
	if measured || l.gen.turns == nil && !l.open {
		l.rec.step(end, n, bytes)
	}
	if !measured {
		return false
	}
	took := end - intended
	if l.open {
		put(l.rec.lag, sent-intended, 1)
		if n == 0 {
			l.rec.none++
		}
	} else if n > 1 {
		took = (took + n/2) / n
	}
	put(l.rec.latency, took, n)
	l.rec.ops += n
	l.rec.bytes += bytes
	return true
}

// Fail records that the operation has failed now. It has no latency: it counts only as an error. It reports whether the
// operation is measured.
func (l *Lane) Fail(intended int64, why Class) bool {
	l.last = l.clock.Now()
	return l.fail(intended, l.last, why)
}

func (l *Lane) fail(intended, end int64, why Class) bool {
	measured := l.finish(intended, end, 0, 0)
	if measured {
		l.rec.failure(end, why)
		if !l.failing && l.rec.ops == 0 && end-l.warm >= int64(hopeless) {
			l.failing = true
			l.gen.failed()
		}
	}
	return measured
}

// hopeless is the measured time after which a load ends in which nothing has succeeded: it would only fail for longer.
const hopeless = time.Second

// finish removes the operation from flight and reports whether it is measured: whether it began in the window, or took
// all of it. In a closed loop it also counts by its share in the window.
func (l *Lane) finish(intended, end, n, bytes int64) bool {
	l.flying--
	if l.open && !l.land(intended, end) {
		return false
	}
	measured := intended >= l.from
	if !l.open {
		stop := l.stop()
		l.within.add(intended, end, l.from, stop, n, bytes)
		measured = measured || end >= stop && l.from < stop
	}
	if measured {
		l.ended = max(l.ended, end)
	}
	return measured
}

// stop returns when the lane's window ends, or has been ended; Never for operations that are measured whole.
func (l *Lane) stop() int64 {
	if l.gen.turns != nil || l.gen.config.Load.Kind == record.Once {
		return Never
	}
	return min(l.end, l.gen.stop.Load())
}

// Unanswered records that an operation of a closed loop was in flight when the lane stopped waiting for it. It has no
// latency and is no error; it occupied its client for its time in the window. Leave does so for the operation of a
// synchronous client. Of an open loop the operation stays outstanding, with its age.
func (l *Lane) Unanswered(intended int64) {
	if l.open {
		return
	}
	l.flying--
	if l.within.add(intended, max(l.clock.Now(), l.last), l.from, l.stop(), 0, 0) {
		l.within.unansweredOps++
	}
}

// Starved is for event loops: it records that n of the lane's clients got no answer in the window. A synchronous client
// without one is found by its lane.
func (l *Lane) Starved(n int) { l.starved += int64(n) }

// Last returns the latest clock reading: that of the last Done or Fail, after one.
func (l *Lane) Last() int64 { return l.last }

// Leave declares that the lane's goroutine makes no more calls. Other lanes no longer wait for it, and its
// operations in flight are outstanding. It may be called more than once.
func (l *Lane) Leave() {
	l.gone.Store(true)
	if !l.open && l.left == Never {
		if !l.event && l.flying == 1 {
			l.Unanswered(l.last)
		}
		l.within.unansweredOps += int64(max(0, l.flying)) // an event loop that gave up does not know since when they were
		l.flying = 0
	}
	l.left = min(l.left, l.clock.Now())
	l.dropOut()
}

func (l *Lane) dropOut() {
	if !l.out && l.gen.turns != nil {
		l.endSlice()
		l.gen.turns.leave(l)
	}
	l.out = true
}
