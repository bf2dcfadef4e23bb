package load

import (
	"errors"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

// The range and precision of every latency histogram.
const (
	lowest  = 1                 // ns
	highest = 3_600_000_000_000 // ns: 1 h
	digits  = 3
)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(lowest, highest, digits) }

// newLateness returns a histogram of a lane's own lateness, of two digits: it only qualifies latencies.
func newLateness() *hdrhistogram.Histogram { return hdrhistogram.New(lowest, highest, digits-1) }

// put records a time n times. Times outside the range count at its ends: a stall of more than an hour must not
// vanish from the percentiles.
func put(h *hdrhistogram.Histogram, ns, n int64) {
	_ = h.RecordValues(min(max(ns, 0), highest), n) // in range: cannot fail
}

// Windows are counts per step of measured time, by the ends of operations, also of those that began in the warm-up.
// Operations that ended after the last window are in a result's totals only.
type Windows struct {
	StepNs int64
	Ops    []int64
	Bytes  []int64
	Errors []int64
}

func newWindows(step int64, n int) Windows {
	all := make([]int64, 3*n)
	return Windows{StepNs: step, Ops: all[:n:n], Bytes: all[n : 2*n : 2*n], Errors: all[2*n:]}
}

func (w *Windows) add(from Windows) {
	for i := range w.Ops {
		w.Ops[i] += from.Ops[i]
		w.Bytes[i] += from.Bytes[i]
		w.Errors[i] += from.Errors[i]
	}
}

// cut returns at most the first n windows.
func (w Windows) cut(n int) Windows {
	n = min(n, len(w.Ops))
	return Windows{StepNs: w.StepNs, Ops: w.Ops[:n], Bytes: w.Bytes[:n], Errors: w.Errors[:n]}
}

// recorder is one lane's measurements. It is allocated for a whole trial and never grows.
type recorder struct {
	latency *hdrhistogram.Histogram
	lag     *hdrhistogram.Histogram // nil except in open loops
	late    *hdrhistogram.Histogram // likewise
	windows Windows
	zero    int64 // start of the first window
	ops     int64
	bytes   int64
	none    int64 // open: arrivals that ended as no operation
	errors  [classes]int64
}

func newRecorder(c Config) recorder {
	r := recorder{latency: newHistogram(), windows: newWindows(int64(c.Step), c.windows())}
	if c.Load.Kind == record.Open {
		r.lag, r.late = newHistogram(), newLateness()
	}
	return r
}

// step counts n operations in the step in which they ended.
func (r *recorder) step(end, n, bytes int64) {
	if i := r.window(end); i >= 0 {
		r.windows.Ops[i] += n
		r.windows.Bytes[i] += bytes
	}
}

func (r *recorder) failure(end int64, why Class) {
	r.errors[min(why, Other)]++
	if i := r.window(end); i >= 0 {
		r.windows.Errors[i]++
	}
}

func (r *recorder) window(end int64) int {
	i := (end - r.zero) / r.windows.StepNs
	if end < r.zero || i >= int64(len(r.windows.Ops)) {
		return -1
	}
	return int(i)
}

// ErrSilent is the error of a server that accepts a connection and does not go on to answer.
var ErrSilent = errors.New("the server accepted the connection but did not answer")

// Class is the kind of an operation's failure.
type Class uint8

// The classes of failure.
const (
	Timeout    Class = iota // no answer in time
	Connect                 // no connection could be made
	ConnClosed              // the other side closed the connection
	Status                  // an error answer
	Protocol                // a malformed or wrong answer
	Other
	classes = iota
)

// String returns the class's name in output and in JSON.
func (c Class) String() string {
	switch c {
	case Timeout:
		return "timeout"
	case Connect:
		return "connect"
	case ConnClosed:
		return "closed"
	case Status:
		return "status"
	case Protocol:
		return "protocol"
	case Other:
		return "other"
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// MarshalText makes maps by class readable in JSON.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
