package httpload

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
)

// mostLines bounds the target lines of a mix that are measured apart: the most frequent ones. The rest is one more.
const mostLines = 20

// longest bounds the latencies of a line, ns; a longer one counts as that.
const longest = int64(time.Hour)

// otherLines names the rest.
const otherLines = "others"

// Spot are the measured requests of one target line of a mix: those of one method, path and query.
type Spot struct {
	Line    string
	Done    int64
	Bytes   int64                   // of a script's operations
	Latency *hdrhistogram.Histogram // ns, as of load.Result
	Failed  map[string]int64        // by status, else by class of error
}

// spot is a lane's part of one.
type spot struct {
	done     int64
	bytes    int64
	latency  *hdrhistogram.Histogram
	statuses [statuses]int64
	classes  [load.Other + 1]int64
}

// lines gives each request its line: those of the largest weight, at equal weights the first ones. One line is none, as
// all of the load is of it.
func (t *Target) lines(weights []int) {
	weight, order := map[string]int{}, []string{}
	of := func(r request) string { return r.method + " " + r.path }
	for i, r := range t.requests {
		line := of(r)
		if weight[line] == 0 {
			order = append(order, line)
		}
		weight[line]++
		if len(weights) > 0 {
			weight[line] += weights[i] - 1
		}
	}
	if len(order) < 2 {
		return
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(weight[b], weight[a]) })
	if len(order) > mostLines {
		order = append(order[:mostLines:mostLines], otherLines)
	}
	t.named = order
	at := map[string]int32{}
	for i, line := range order {
		at[line] = int32(i)
	}
	for i := range t.requests {
		k, ok := at[of(t.requests[i])]
		if !ok {
			k = mostLines
		}
		t.requests[i].line = k
	}
}

// newSpots returns a lane's counters of each line; nil if there is one.
func (t *Target) newSpots() []spot {
	if len(t.named) == 0 {
		return nil
	}
	out := make([]spot, len(t.named))
	for i := range out {
		out[i].latency = hdrhistogram.New(1, longest, 3)
	}
	return out
}

// answered counts a good answer of a line.
func (l *Lane) answered(r *request, took int64) {
	if l.spots != nil {
		s := &l.spots[r.line]
		s.done++
		_ = s.latency.RecordValue(min(max(took, 0), longest)) // in range: cannot fail
	}
}

// failed counts a failed request of a line, by the status if it has one.
func (l *Lane) failed(r *request, status int, class load.Class) {
	switch {
	case l.spots == nil || r == nil:
	case status > 0:
		l.spots[r.line].statuses[status]++
	default:
		l.spots[r.line].classes[class]++
	}
}

// Spots returns the lane's counts of each line of a mix, the most frequent first; none if all requests are of one. The
// load is over.
func (l *Lane) Spots() []Spot {
	var out []Spot
	for i := range l.spots {
		s := &l.spots[i]
		one := Spot{Line: l.target.named[i], Done: s.done, Bytes: s.bytes, Latency: s.latency, Failed: map[string]int64{}}
		for status, n := range s.statuses {
			if n > 0 {
				one.Failed[strconv.Itoa(status)] = n
			}
		}
		for class, n := range s.classes {
			if n > 0 {
				one.Failed[load.Class(class).String()] = n
			}
		}
		out = append(out, one)
	}
	return out
}

// Join adds a lane's counts of each line to a sum, which it returns; the first are the sum. None of its latencies is a
// lane's own.
func Join(sum, of []Spot) []Spot {
	for i, s := range of {
		if i == len(sum) {
			sum = append(sum, s)
			sum[i].Latency = hdrhistogram.Import(s.Latency.Export())
			continue
		}
		sum[i].Done += s.Done
		sum[i].Bytes += s.Bytes
		sum[i].Latency.Merge(s.Latency)
		for why, n := range s.Failed {
			sum[i].Failed[why] += n
		}
	}
	return sum
}
