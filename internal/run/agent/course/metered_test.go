package course

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestMetered(t *testing.T) {
	ms := func(from, to int64) Span { return Span{from * 1e6, to * 1e6} }
	for name, c := range map[string]struct {
		load, before, after Span
		seconds             float64
		late                string
	}{
		"in time":    {ms(1000, 2000), ms(1000, 1002), ms(2000, 2001), 1, ""},
		"begun late": {ms(1000, 2000), ms(1400, 1410), ms(2000, 2010), .6, ""},
		"begun too late": {ms(1000, 2000), ms(1510, 1511), ms(2000, 2001), 0,
			"511 ms late at the begin of a load of 1000 ms"},
		"only after it":           {ms(1000, 1500), ms(1600, 1601), ms(1602, 1603), 0, "601 ms late"},
		"read slowly":             {ms(1000, 2000), ms(1000, 1110), ms(2000, 2060), 0, "110 ms late"},
		"ended late":              {ms(1000, 2000), ms(1000, 1001), ms(2400, 2500), 1, ""},
		"outlasted by operations": {ms(1000, 2700), ms(1000, 1001), ms(2000, 2001), 1, ""},
		"of no known length":      {Span{}, ms(1000, 1001), ms(9000, 9001), 8, ""},
	} {
		seconds, err := c.load.Metered(c.before, c.after)
		if seconds != c.seconds || (err == nil) != (c.late == "") || err != nil && !strings.Contains(err.Error(), c.late) {
			t.Errorf("%s: %v s, %v, want %v s, %q", name, seconds, err, c.seconds, c.late)
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
