package load

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

// Result is a generator's measurement, without its warm-up.
// In a closed loop every lane is measured from its first Take after the warm-up to the end of its last operation, which
// counts whole; the rates are the sum of the lanes' rates, each over its own time, so that long operations have no edge
// error. With several in flight a lane's own time is the mean of theirs: the window, less what is in it of operations
// from before, and with what the measured ones took after it. In an open loop the window is by intended time, and the
// rates are the operations intended in it and completed, over its length.
type Result struct {
	Start, End     int64   // CLOCK_MONOTONIC, ns
	Ended          int64   // closed: when the last operation in flight at End had ended, which the rates depend on
	Seconds        float64 // measured: the lanes' mean of their own time, or the window of an open loop
	Ops, Bytes     int64   // done
	OpsPerSecond   float64
	BytesPerSecond float64

	Offered      int64 // open: requests intended in the window, but for those that ended as no operation
	Outstanding  int64 // open: of those, not finished when the lanes ended, sent or not
	BacklogStart int64 // open: requests due and not finished at the start of the window
	BacklogEnd   int64 // the same at its end

	Errors  map[Class]int64
	Latency *hdrhistogram.Histogram // ns; outstanding requests count with their age at the end
	SendLag *hdrhistogram.Histogram // open, ns: sent minus intended start; nil in other loads
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
		r.SendLag = newHistogram()
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
	}
	switch {
	case g.arrivals != nil:
		r.Seconds = seconds(r.End - r.Start)
		r.settle(g)
	case g.turns == nil && g.config.Load.Unit == record.ParamClients:
		r.pool()
	}
	if g.stopped() || g.turns != nil {
		r.Windows = r.Windows.cut(int(r.Seconds * 1e9 / float64(g.config.Step)))
	}
	return r
}

// measured returns the actual measured time: for an open loop the window, for a closed one from its start, as Windows
// are, to the last lane's end, for others from the first lane's start.
func (g *Generator) measured() (start, end int64) {
	start, end = g.Window()
	if g.arrivals != nil {
		stop := g.stop.Load()
		return min(start, stop), min(end, stop)
	}
	first, last := int64(Never), int64(0)
	for _, l := range g.lanes {
		if l.began() != 0 {
			first, last = min(first, l.began()), max(last, l.over())
		}
	}
	switch {
	case last == 0:
		return start, start
	case g.turns == nil && g.config.Load.Kind == record.Closed:
		return start, last
	}
	return first, last
}

// began returns the start of the lane's first measured operation; 0 if none ended.
func (l *Lane) began() int64 {
	if l.ended == 0 || l.start != 0 || l.from == Never {
		return l.start
	}
	return l.from
}

// measured returns the lane's own measured time in nanoseconds.
func (l *Lane) measured(start, end int64) int64 {
	switch {
	case l.open:
		return end - start
	case l.gen.turns != nil:
		return l.ran
	case l.ended == 0:
		return 0
	}
	if l.crosses() {
		return max(1, l.stop()-l.from+(l.late-l.early)/int64(l.most))
	}
	return l.ended - l.from
}

// over returns the end of the lane's last measured operation; of several in flight no later than the window's.
func (l *Lane) over() int64 {
	if l.crosses() {
		return min(l.ended, l.stop())
	}
	return l.ended
}

// crosses reports whether several operations in flight may cross the edges of the lane's window.
func (l *Lane) crosses() bool { return l.most > 1 && l.from < l.stop() }

func (r *Result) add(l *Lane, ns int64) {
	lane := LaneResult{Seconds: seconds(ns), Ops: l.rec.ops, Bytes: l.rec.bytes}
	if ns > 0 {
		lane.OpsPerSecond = float64(lane.Ops) / lane.Seconds
		lane.BytesPerSecond = float64(lane.Bytes) / lane.Seconds
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
	}
	r.Windows.add(l.rec.windows)
	for class, n := range l.rec.errors {
		if n > 0 {
			r.Errors[Class(class)] += n
		}
	}
}

// pool makes the rates those of interchangeable clients. One that waited until shortly before the end, and then did
// something short, would otherwise count with a rate that it never had; its wait is balanced by those that wait when
// the time is over. Seconds is the mean over all of them.
func (r *Result) pool() {
	if r.Seconds > 0 {
		r.OpsPerSecond, r.BytesPerSecond = float64(r.Ops)/r.Seconds, float64(r.Bytes)/r.Seconds
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
			if intended >= r.Start {
				r.outstanding(ends - intended)
			}
		}
	}
	unclaimed := func(intended int64) {
		due++
		if intended < r.Start {
			dueWarm++
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
