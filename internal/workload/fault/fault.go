// Package fault has a server killed in the measured window, and tells what that cost.
package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
)

// None is the text of no fault.
const None = "none"

// The kinds of faults.
const (
	Kill = "kill" // a server's processes are killed
	Add  = "add"  // a server is added to others
)

// Fault is one that is wanted.
type Fault struct {
	Kind string
	At   float64 // share of the window
}

// ParseList reads faults of these kinds, "kill@25%,add@60%"; none for None.
func ParseList(text string, kinds ...string) ([]Fault, error) {
	if text == None {
		return nil, nil
	}
	var out []Fault
	for one := range strings.SplitSeq(text, ",") {
		what, when, found := strings.Cut(one, "@")
		percent, isPercent := strings.CutSuffix(when, "%")
		value, err := strconv.ParseFloat(percent, 64)
		if !slices.Contains(kinds, what) || !found || !isPercent || err != nil || !(value >= 1 && value <= 99) {
			return nil, fmt.Errorf("%q is no fault: %s, P from 1 to 99", one, strings.Join(kinds, "@P% or ")+"@P%")
		}
		out = append(out, Fault{what, value / 100})
	}
	return out, nil
}

// Metrics returns those that a fault adds, whatever the server is, with names that begin with prefix: with says what
// happens, from from when on.
func Metrics(prefix, with, from string) []record.Metric {
	return []record.Metric{
		{Name: prefix + recovery, Unit: "s", Better: record.Lower,
			Doc: with + ": from " + from + " until throughput was 90% of the median before it in two seconds in a row"},
		{Name: prefix + lost, Unit: "s", Better: record.Lower,
			Doc: with + ": operations missing until then, in seconds of the throughput before"},
		{Name: prefix + outage, Unit: "s", Better: record.Lower,
			Doc: with + ": longest time with less than 10% of that throughput"},
	}
}

// The names of what a fault costs, behind its prefix.
const (
	recovery = "recovery"
	lost     = "lost"
	outage   = "outage"
)

// Recovery returns the step of a forecast that a fault takes at most beyond the window: the pause and what starts after
// it.
func Recovery(cpu, wait float64) forecast.Step {
	return forecast.Step{Name: forecast.Recovery, Work: forecast.Work{CPU: cpu, Wait: wait}}
}

const (
	fewest    = 3   // steps before a fault from which its usual throughput is known
	recovered = .9  // of the usual
	down      = .1  // of the usual: below it nothing worth mentioning is done
	inARow    = 2   // steps in which it is recovered
	ns        = 1e9 // in a second
)

// Cost returns what a fault at an instant cost, as values with names that begin with prefix, by the throughput of the
// window's steps from start on; nothing if no usual throughput before it is known. It is not over before settled, when
// what it set off was done; 0: that is not known.
func Cost(prefix string, killed, settled int64, ops []int64, start, step int64) []record.Value {
	usual, first := usualOf(killed, ops, start, step)
	if usual == 0 {
		return nil
	}
	end, found := backAt(ops, min(len(ops), max(first, int((settled-start)/step))), usual)
	for settled > 0 && end > first && float64(ops[end-1]) >= recovered*usual {
		end-- // a dip is over with its last step
	}
	missing, silent := missingIn(ops[first:end], usual)
	seconds := float64(step) / ns
	return []record.Value{
		lasting(prefix+recovery, float64(max(0, start+int64(end)*step-killed))/ns, !found),
		lasting(prefix+lost, missing*seconds, !found),
		lasting(prefix+outage, float64(silent)*seconds, !found),
	}
}

// Until returns the value of the time between two instants.
func Until(name string, from, to int64) record.Value {
	return lasting(name, float64(to-from)/ns, false)
}

func lasting(name string, seconds float64, atLeast bool) record.Value {
	return record.Value{Metric: record.Metric{Name: name, Unit: "s", Better: record.Lower}, Value: seconds,
		AtLeast: atLeast}
}

// usualOf returns the median throughput of the whole steps before the fault, and the step in which it happened.
func usualOf(killed int64, ops []int64, start, step int64) (median float64, first int) {
	if len(ops) == 0 {
		return 0, 0
	}
	if first = int((killed - start) / step); first < fewest || first >= len(ops) {
		return 0, 0
	}
	before := slices.Sorted(slices.Values(ops[:first]))
	n := len(before)
	return float64(before[(n-1)/2]+before[n/2]) / 2, first
}

// backAt returns the first step after the fault's from which on throughput is as usual; the number of steps if it never
// is.
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

// missingIn returns the operations that are missing, in steps of the usual, and the most steps in a row that had hardly
// any.
func missingIn(ops []int64, usual float64) (missing float64, silent int) {
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

// Ordered returns the events that happened, in order of their times.
func Ordered(detail string, all ...record.Event) []record.Event {
	all = slices.DeleteFunc(all, func(e record.Event) bool { return e.TimeNs == 0 })
	for i := range all {
		all[i].Detail = detail
	}
	slices.SortStableFunc(all, func(a, b record.Event) int { return int(a.TimeNs - b.TimeNs) })
	return all
}
