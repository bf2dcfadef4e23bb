package agent

import (
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// TestOfferedIsAccountedFor: each operation that was due was done, failed, had no answer or was not sent.
func TestOfferedIsAccountedFor(t *testing.T) {
	for _, c := range []struct {
		kind record.LoadKind
		of   load.Result
	}{
		{record.Open, load.Result{Offered: 309, Ops: 280, Errors: map[load.Class]int64{load.Other: 5}, Unanswered: 11,
			Outstanding: 24}},
		{record.Open, load.Result{Offered: 100, Ops: 100}},
		{record.Closed, load.Result{Ops: 7, Unanswered: 2}},
	} {
		s := &side{trial: record.Trial{Load: record.LoadPoint{Kind: c.kind, Level: 1, Unit: record.ParamRate}}}
		u := use(s, c.of)
		if sum := u.Done + u.Errors + u.Unanswered + u.Unsent; sum != u.Offered || u.Unsent < 0 {
			t.Errorf("%s: offered %d, done %d, failed %d, unanswered %d, unsent %d", c.kind, u.Offered, u.Done, u.Errors,
				u.Unanswered, u.Unsent)
		}
	}
}
