package plan

import (
	"errors"
	"testing"
	"time"

	"plimsoll/internal/base/usage"
)

func TestBudgetAllows(t *testing.T) {
	hour := Span{Load: 3600, Overhead: 600}
	for _, c := range []struct {
		b  Budget
		ok bool
	}{{Budget{}, true}, {Budget{PerHour: 7}, true}, {Budget{USD: 7, PerHour: 7}, true},
		{Budget{USD: 6.99, PerHour: 7}, false}} {
		err := c.b.Allows(hour)
		if (err == nil) != c.ok || err != nil && !errors.As(err, new(*usage.Error)) {
			t.Errorf("%+v: %v", c.b, err)
		}
	}
	if got := (Budget{PerHour: 3}).Spent(20 * time.Minute); got != 1 {
		t.Errorf("20 minutes at $3 an hour cost $%g", got)
	}
}

func TestBudgetReadsDollars(t *testing.T) {
	for text, want := range map[string]float64{"12": 12, "$12.50": 12.5, "0": 0, "-1": 0, "much": 0, "NaN": 0, "1e10": 0,
		"": 0} {
		var b Budget
		if err := b.Set(text); (err == nil) != (want > 0) || b.USD != want {
			t.Errorf("%q: %v, %v", text, b.USD, err)
		}
	}
}
