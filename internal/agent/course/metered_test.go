package course

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestMetered: a reading is late until it is whole, and a load that ended before its time was not metered too early.
func TestMetered(t *testing.T) {
	ms := func(from, to int64) Span { return Span{from * 1e6, to * 1e6} }
	for name, c := range map[string]struct {
		window, before, after Span
		late                  string
	}{
		"in time":                {ms(1000, 2000), ms(1000, 1002), ms(2000, 2001), ""},
		"begun late":             {ms(1000, 2000), ms(1480, 1490), ms(2000, 2010), ""},
		"begun too late":         {ms(1000, 2000), ms(1510, 1511), ms(2000, 2001), "511 ms late at the begin and 1 ms at the end of a window of 1000 ms"},
		"ended late":             {ms(1000, 2000), ms(1000, 1001), ms(2090, 2100), ""},
		"ended too late":         {ms(1000, 2000), ms(1000, 1001), ms(2120, 2121), "1 ms late at the begin and 121 ms at the end"},
		"read slowly":            {ms(1000, 2000), ms(1000, 1060), ms(2000, 2060), "60 ms late at the begin and 60 ms at the end"},
		"only after it":          {ms(1000, 1500), ms(1600, 1601), ms(1602, 1603), "601 ms late"},
		"of a load that stopped": {ms(1000, 2000), ms(1000, 1001), ms(1300, 1301), ""},
		"of no planned length":   {Span{}, ms(1000, 1001), ms(9000, 9001), ""},
	} {
		err := c.window.Metered(c.before, c.after)
		if (err == nil) != (c.late == "") || err != nil && !strings.Contains(err.Error(), c.late) {
			t.Errorf("%s: %v, want %q", name, err, c.late)
		}
	}
}

func TestLanesIdle(t *testing.T) {
	value := func(v float64) *float64 { return &v }
	for name, c := range map[string]struct {
		ran    float64
		ledger record.Ledger
		want   *float64
	}{
		"all the time":        {4, record.Ledger{RunDelayPct: value(0)}, value(0)},
		"half of it":          {2, record.Ledger{RunDelayPct: value(0)}, value(50)},
		"waited the rest":     {2, record.Ledger{RunDelayPct: value(50)}, value(0)},
		"stolen":              {2, record.Ledger{RunDelayPct: value(0), StealPct: value(25)}, value(0)},
		"interrupted":         {3, record.Ledger{RunDelayPct: value(0), InterruptCPU: value(40)}, value(5)},
		"throttled":           {2, record.Ledger{RunDelayPct: value(0), ThrottledS: value(1)}, nil},
		"no run delay":        {2, record.Ledger{}, nil},
		"more than there was": {5, record.Ledger{RunDelayPct: value(0)}, value(0)},
	} {
		got := LanesIdle(c.ran, 2, 2, 4, c.ledger)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
