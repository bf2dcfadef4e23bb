package load

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

// Result is a generator's measurement, without its warm-up. In a closed loop the rates are what was done in the window
// over its length: an operation counts by the share of its time in the window (see within), and a client without an
// answer does nothing in it. The window of sliced sides is their own slices, and that of a load of kind Once each
// lane's operation. In an open loop the window is by intended time, and the rates are the operations intended in it and
// completed, over its length. Latencies, Ops and Bytes are of the operations that began in the window or took all of
// it.
type Result struct {
	Start, End     int64   // CLOCK_MONOTONIC, ns
	Ended          int64   // closed: when the last operation in flight at End had ended, which the rates depend on
	Seconds        float64 // measured: the window; of sliced sides and of Once the lanes' mean of their own time
	Ops, Bytes     int64   // done
	OpsPerSecond   float64
	BytesPerSecond float64

	InFlight   float64 // closed: mean number of operations in flight in the window
	Unanswered int64   // operations that never ended: closed, in flight in the window; open, intended in it
	Lost       float64 // closed: mean number in flight of these and of failed operations
	Crossing   float64 // closed: mean number in flight of those that cross an edge of the window, counted whole
	Starved    int64   // closed: clients, or lanes, that got no answer in the window

	Offered      int64 // open: requests intended in the window, but for those that ended as no operation
	Outstanding  int64 // open: of those, not finished when the lanes ended, sent or not
	Stale        int64 // open: requests intended before the window that never ended
	BacklogStart int64 // open: requests due and not finished at the start of the window
	BacklogEnd   int64 // the same at its end

	Errors  map[Class]int64
	Latency *hdrhistogram.Histogram // ns; outstanding requests count with their age at the end
	SendLag *hdrhistogram.Histogram // open, ns: sent minus intended start; nil in other loads
	// Late is the generator's own part of SendLag: the time after the intended start for which the lane could have begun
	// the request and had not. What waited for a lane that the target kept busy is not in it.
	Late    *hdrhistogram.Histogram // open, ns; nil in other loads
	Spun    float64                 // open: CPU seconds that lanes spent spinning for a due time
	Windows Windows                 // whole windows only, of lanes' own time when sliced
	Lanes   []LaneResult
}

// LaneResult is one lane's share of a result.
type LaneResult struct {
	Seconds        float64 // measured
	Ops, Bytes     int64
	OpsPerSecond   float64
	BytesPerSecond float64
}

// Result returns the measurement. It must not be called before every lane's goroutine has ended.
func (g *Generator) Result() Result {
	r := Result{Latency: newHistogram(), Errors: map[Class]int64{}}
	r.Windows = newWindows(int64(g.config.Step), g.config.windows())
	if g.arrivals != nil {
		r.SendLag, r.Late = newHistogram(), newLateness()
	}
	if g.zero.Load() == Never {
		return r
	}
	r.Start, r.End = g.measured()
	for _, l := range g.lanes {
		r.add(l, l.measured(r.Start, r.End))
	}
	if g.arrivals == nil {
		r.Ended = g.Ended()
	} else {
		r.settle(g)
	}
	if g.stopped() || g.turns != nil {
		r.Windows = r.Windows.cut(int(r.Seconds * 1e9 / float64(g.config.Step)))
	}
	return r
}

// Accounted returns the mean number of operations in flight by Little's law: the throughput times the mean latency, and
// those that failed or had no answer. It is InFlight but for the scatter of operations that cross an edge of the
// window, at most Crossing.
func (r Result) Accounted() float64 { return r.OpsPerSecond*r.Latency.Mean()*1e-9 + r.Lost }

// measured returns the actual measured time: the window, or from the first lane's start to the last one's end of sides
// that take turns and of operations that end the load themselves.
func (g *Generator) measured() (start, end int64) {
	start, end = g.Window()
	if g.turns == nil && g.config.Load.Kind != record.Once {
		stop := g.stop.Load()
		return min(start, stop), min(end, stop)
	}
	first, last := int64(Never), int64(0)
	for _, l := range g.lanes {
		if l.ended != 0 {
			first, last = min(first, l.began()), max(last, l.ended)
		}
	}
	if last == 0 {
		return start, start
	}
	return first, last
}

// began returns the start of the lane's measured time, which is its own.
func (l *Lane) began() int64 {
	if l.gen.turns != nil {
		return l.start
	}
	return l.from
}

// measured returns the lane's own measured time in nanoseconds.
func (l *Lane) measured(start, end int64) int64 {
	switch {
	case l.gen.turns != nil:
		return l.ran
	case l.gen.config.Load.Kind == record.Once:
		return max(0, l.ended-l.from)
	}
	return end - start
}

func (r *Result) add(l *Lane, ns int64) {
	lane := LaneResult{Seconds: seconds(ns), Ops: l.rec.ops, Bytes: l.rec.bytes}
	ops, bytes := float64(lane.Ops), float64(lane.Bytes)
	if !l.open {
		ops, bytes = float64(l.within.ops)+l.within.edgeOps, float64(l.within.bytes)+l.within.edgeBytes
	}
	if ns > 0 {
		lane.OpsPerSecond, lane.BytesPerSecond = ops/lane.Seconds, bytes/lane.Seconds
		r.InFlight += float64(l.within.busy) / float64(ns)
		r.Lost += float64(l.within.lost) / float64(ns)
		r.Crossing += float64(l.within.crossing) / float64(ns)
	}
	r.Unanswered += l.within.unansweredOps // of a closed loop
	r.Starved += l.starved
	if !l.open && !l.event && l.begun && !l.within.answered() && l.rec.errors == [classes]int64{} {
		r.Starved++
	}
	r.Lanes = append(r.Lanes, lane)
	r.Seconds += lane.Seconds / float64(len(l.gen.lanes))
	r.Ops += lane.Ops
	r.Bytes += lane.Bytes
	r.OpsPerSecond += lane.OpsPerSecond
	r.BytesPerSecond += lane.BytesPerSecond
	r.Spun += seconds(l.spun)
	r.Latency.Merge(l.rec.latency)
	if r.SendLag != nil {
		r.SendLag.Merge(l.rec.lag)
		r.Late.Merge(l.rec.late)
	}
	r.Windows.add(l.rec.windows)
	for class, n := range l.rec.errors {
		if n > 0 {
			r.Errors[Class(class)] += n
		}
	}
}

// settle accounts for the arrivals that no lane has finished: in flight, claimed and still waiting, or never
// claimed. It finds the last by continuing the schedule to the end of the window.
func (r *Result) settle(g *Generator) {
	var due, dueWarm, doneWarm, doneEnd, none int64
	for _, l := range g.lanes {
		none += l.rec.none
		due += l.counts.taken
		dueWarm += l.counts.takenWarm
		doneWarm += l.counts.doneWarm
		doneEnd += l.counts.doneEnd
		ends := r.End
		if l.left != Never {
			ends = max(ends, l.left)
		}
		for _, intended := range l.flight.slots {
			switch {
			case intended == 0: // a free slot
			case intended < r.Start:
				r.Stale++
			default:
				r.Unanswered++
				r.outstanding(ends - intended)
			}
		}
	}
	unclaimed := func(intended int64) {
		due++
		if intended < r.Start {
			dueWarm++
			r.Stale++
			return
		}
		r.outstanding(r.End - intended)
	}
	for _, l := range g.lanes {
		if l.pending != 0 && l.pending < r.End {
			unclaimed(l.pending)
		}
	}
	zero, s := g.zero.Load(), g.arrivals.schedule
	for t := g.arrivals.next.Load(); zero+t < r.End; t = s.Next(t) {
		unclaimed(zero + t)
	}
	r.Offered = due - dueWarm - none
	r.BacklogStart = dueWarm - doneWarm
	r.BacklogEnd = due - doneEnd
}

func (r *Result) outstanding(age int64) {
	r.Outstanding++
	put(r.Latency, age, 1)
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
