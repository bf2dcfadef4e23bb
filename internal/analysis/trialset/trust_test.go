package trialset

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestUnanswered: in an open loop, operations without an answer fail the run as errors do, however short its window; in
// a closed one its clients are named, and the run is valid at the rate of the others.
func TestUnanswered(t *testing.T) {
	for _, c := range []struct {
		use   record.LoadUse
		words string // "": valid
	}{
		{record.LoadUse{Offered: 1033, Done: 1012, Unanswered: 21, BacklogStart: 2, BacklogEnd: 23},
			"21 of 1033 operations failed, over 0.1%: 21 without an answer"},
		{record.LoadUse{Offered: 1033, Done: 1002, Unanswered: 21, Errors: 10, ErrorsBy: map[string]int64{"closed": 10}},
			"31 of 1033 operations failed, over 0.1%: 21 without an answer, 10 closed"},
		{record.LoadUse{Offered: 1028, Done: 1027, Unanswered: 1}, ""},
		{record.LoadUse{Offered: 1000, Done: 1000, Stale: 1}, ""},
		{record.LoadUse{Offered: 60, Done: 60, BacklogStart: 100, BacklogEnd: 100}, ""},
		{record.LoadUse{Offered: 94, Unanswered: 40, First: "no complete answer"},
			"none of 94 offered operations completed, and the generator was 0% busy; first: no complete answer"},
		{record.LoadUse{Offered: 71, Done: 70, Unanswered: 1, Starved: 1, Clients: 4, InFlight: 4, Accounted: 4}, ""},
		{record.LoadUse{Offered: 4, Unanswered: 4, Starved: 4, Clients: 4, InFlight: 4, Accounted: 4},
			"none of 4 clients got an answer"},
	} {
		got := TrustIn(Kept{LoadUse: c.use, WindowS: 2}).Void
		if c.words == "" && got != "" || !strings.HasPrefix(got, c.words) {
			t.Errorf("%+v: %q, want %q", c.use, got, c.words)
		}
	}
}

// TestBothEndsAreMeasured: a generator without CPU time left fails a run, unless its end is measured too.
func TestBothEndsAreMeasured(t *testing.T) {
	use := record.LoadUse{Done: 1000, Offered: 1000, Useful: .95}
	if got := TrustIn(Kept{LoadUse: use, WindowS: 2}); got.Void == "" {
		t.Error("a full generator fails no run")
	}
	use.Ends = true
	if got := TrustIn(Kept{LoadUse: use, WindowS: 2}); got.Void != "" || len(got.Doubts) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestFullTarget: a busy generator fails no run of a target without CPU time left, and the run notes how busy it was.
func TestFullTarget(t *testing.T) {
	use := record.LoadUse{Done: 1000, Offered: 1000, Useful: .85}
	for _, c := range []struct {
		target float64
		void   bool
	}{{0, true}, {.8, true}, {.949, true}, {.95, false}, {1.02, false}} {
		got := TrustIn(Kept{LoadUse: use, WindowS: 2, Target: c.target})
		if (got.Void != "") != c.void || !c.void && len(got.Doubts) != 1 {
			t.Errorf("target %g: %+v", c.target, got)
		}
	}
}

// TestBacklogThatFills: operations of a warm-up shorter than their latency are in flight from its end on, which is no
// target that falls behind. One that does has a median of half the latency at the end.
func TestBacklogThatFills(t *testing.T) {
	for _, c := range []struct {
		name           string
		start, end     int64
		warmup, median float64
		void           bool
	}{
		{"filling", 12, 59, .2, .6, false},
		{"no warm-up", 0, 60, 0, .6, false},
		{"unknown latency", 12, 59, .2, 0, true},
		{"long warm-up", 12, 59, 1, .6, true},
		{"falling behind", 10, 200, .2, 1, true},
	} {
		use := record.LoadUse{Offered: 200, Done: 200, BacklogStart: c.start, BacklogEnd: c.end}
		got := TrustIn(Kept{LoadUse: use, WindowS: 2, WarmupS: c.warmup, MedianS: c.median}).Void
		if (got != "") != c.void {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
