package agent

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
)

// TestEvents: a driver's events are sent with their trial's ID, before the trial that commits them; a void trial has
// none.
func TestEvents(t *testing.T) {
	b := newBench(t)
	trial, got := b.one(b.order(closed(1), "events"))
	if trial.Void != "" || len(got.events) != 2 || !got.early {
		t.Fatalf("void %q, %+v", trial.Void, got)
	}
	want := record.Event{Trial: trial.ID, TimeNs: trial.MonoNs + 1e6, Name: "begin", Detail: "of it"}
	if got.events[0] != want || !slices.IsSortedFunc(got.events,
		func(a, b record.Event) int { return int(a.TimeNs - b.TimeNs) }) {
		t.Errorf("%+v, want %+v first", got.events, want)
	}
	if trial, got = b.one(b.order(closed(1), "events verify")); trial.Void == "" || len(got.events) != 0 {
		t.Errorf("void %q, %+v", trial.Void, got.events)
	}
}
