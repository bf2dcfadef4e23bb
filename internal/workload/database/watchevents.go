package database

import (
	"cmp"
	"slices"

	"plimsoll/internal/record"
)

// checkpoints returns those of the server's log, or, if it has none, those that its counters imply.
func (w *watched) checkpoints(log []record.Event) []record.Event {
	if len(log) > 0 {
		return log
	}
	var out []record.Event
	for i := 1; i < len(w.counted); i++ {
		a, b := w.counted[i-1], w.counted[i]
		if b.n[placeOfCheckpoint] != a.n[placeOfCheckpoint] {
			out = append(out, record.Event{TimeNs: b.at, Name: record.EventCheckpointEnd})
		}
		if b.n[countTimed] > a.n[countTimed] {
			out = append(out, record.Event{TimeNs: b.at, Name: record.EventCheckpointBegin, Detail: triggerTime})
		}
		if b.n[countRequested] > a.n[countRequested] {
			out = append(out, record.Event{TimeNs: b.at, Name: record.EventCheckpointBegin, Detail: triggerRequested})
		}
	}
	return out
}

// within returns the events of activities between two instants, including the beginning of those already running.
func within(all []record.Event, begin, end string, from, to int64, same func(a, b record.Event) bool) []record.Event {
	var out []record.Event
	for i, e := range all {
		switch {
		case e.TimeNs >= to:
		case e.TimeNs >= from && (e.Name == begin || e.Name == end):
			out = append(out, e)
		case e.Name == begin:
			over := slices.ContainsFunc(all[i+1:], func(x record.Event) bool {
				return x.Name == end && x.TimeNs < from && same(e, x)
			})
			if !over {
				out = append(out, e)
			}
		}
	}
	return out
}

// eventsWithin returns all events between two instants.
func (w *watched) eventsWithin(log []record.Event, from, to int64) []record.Event {
	checkpoint := func(_, _ record.Event) bool { return true } // there is one at a time
	table := func(a, b record.Event) bool { return a.Detail == b.Detail }
	out := slices.Concat(
		within(w.checkpoints(log), record.EventCheckpointBegin, record.EventCheckpointEnd, from, to, checkpoint),
		within(w.happened, record.EventAutovacuumBegin, record.EventAutovacuumEnd, from, to, table),
	)
	slices.SortStableFunc(out, func(a, b record.Event) int { return cmp.Compare(a.TimeNs, b.TimeNs) })
	return out
}

// begun returns the number of checkpoints that began between two instants.
func (w *watched) begun(log []record.Event, from, to int64) int {
	n := 0
	for _, e := range w.checkpoints(log) {
		if e.Name == record.EventCheckpointBegin && e.TimeNs >= from && e.TimeNs < to {
			n++
		}
	}
	return n
}
