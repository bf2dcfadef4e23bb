// Package fault does something to a broker in the measured window, and tells what it cost.
package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// None is the text of no fault.
const None = "none"

// kill is the only kind of fault: the broker's processes are killed, and it is started again.
const kill = "kill"

// Parse reads when a fault happens, as a share of the window: "kill@50%". ok is false for None.
func Parse(text string) (at float64, ok bool, err error) {
	if text == None {
		return 0, false, nil
	}
	what, when, found := strings.Cut(text, "@")
	percent, isPercent := strings.CutSuffix(when, "%")
	value, err := strconv.ParseFloat(percent, 64)
	if what != kill || !found || !isPercent || err != nil || !(value >= 1 && value <= 99) {
		return 0, false, fmt.Errorf("%q is no fault: %s@P%%, P from 1 to 99", text, kill)
	}
	return value / 100, true, nil
}

// Course is what happened to a broker and when: CLOCK_MONOTONIC in ns, 0 for what did not happen.
type Course struct {
	Broker  int
	Killed  int64
	Left    int64 // a partition lacked a replica or its leader
	Started int64 // it listened again
	InSync  int64 // every partition has a leader and all of its replicas in sync again
}

// Events returns the instants of a course.
func (c Course) Events() []record.Event {
	var out []record.Event
	for _, e := range []record.Event{
		{TimeNs: c.Killed, Name: record.EventBrokerKilled}, {TimeNs: c.Left, Name: record.EventBrokerLeft},
		{TimeNs: c.Started, Name: record.EventBrokerStarted}, {TimeNs: c.InSync, Name: record.EventBrokerInSync},
	} {
		if e.TimeNs > 0 {
			e.Detail = fmt.Sprintf("broker %d", c.Broker)
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b record.Event) int { return int(a.TimeNs - b.TimeNs) })
	return out
}

const (
	fewest    = 3   // steps before a fault from which its usual throughput is known
	recovered = .9  // of the usual
	down      = .1  // of the usual: below it nothing worth mentioning is done
	inARow    = 2   // steps in which it is recovered
	ns        = 1e9 // in a second
)

// Values returns what a fault cost, by the throughput of the window's steps from start on. Without a usual throughput
// before it only the broker's own times are known.
func (c Course) Values(ops []int64, start, step int64) []record.Value {
	var out []record.Value
	add := func(name string, seconds float64, atLeast bool) {
		out = append(out, record.Value{Metric: record.Metric{Name: name, Unit: "s", Better: record.Lower}, Value: seconds, AtLeast: atLeast})
	}
	if usual, first := c.usual(ops, start, step); usual > 0 {
		end, found := backAt(ops, first, usual)
		back := start + int64(end)*step
		add(record.FaultRecovery, float64(max(0, back-c.Killed))/ns, !found)
		missing, silent := cost(ops[first:end], usual)
		seconds := float64(step) / ns
		add(record.FaultLost, missing*seconds, !found)
		add(record.FaultOutage, float64(silent)*seconds, !found)
	}
	if c.InSync > 0 {
		add(record.FaultInSync, float64(c.InSync-c.Killed)/ns, false)
	}
	return out
}

// usual returns the median throughput of the whole steps before the fault, and the step in which it happened.
func (c Course) usual(ops []int64, start, step int64) (median float64, first int) {
	first = int((c.Killed - start) / step)
	if first < fewest || first >= len(ops) {
		return 0, 0
	}
	before := slices.Sorted(slices.Values(ops[:first]))
	n := len(before)
	return float64(before[(n-1)/2]+before[n/2]) / 2, first
}

// backAt returns the first step after the fault's from which on throughput is as usual; the number of steps if it never is.
func backAt(ops []int64, first int, usual float64) (int, bool) {
	row := 0
	for i := first; i < len(ops); i++ {
		if row++; float64(ops[i]) < recovered*usual {
			row = 0
		}
		if row == inARow {
			return i + 1 - inARow, true
		}
	}
	return len(ops), false
}

// cost returns the operations that are missing, in steps of the usual, and the most steps in a row that had hardly any.
func cost(ops []int64, usual float64) (missing float64, silent int) {
	row := 0
	for _, n := range ops {
		missing += max(0, 1-float64(n)/usual)
		if row++; float64(n) >= down*usual {
			row = 0
		}
		silent = max(silent, row)
	}
	return missing, silent
}
