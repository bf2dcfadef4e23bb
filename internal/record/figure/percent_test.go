package figure

import "testing"

// TestPercentSpan: a loss that a percentage cannot tell from one of everything is a factor.
func TestPercentSpan(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{.9, 1.1, "-10.0% to +10.0%"}, {3.9e-8, 4.1e-8, "24.4 to 25.6 million times less"},
		{.0001, .01, "10000 times less to -99.0%"}, {.0004, .00045, "2222 to 2500 times less"}, {0, .5, "-100.0% to -50.0%"},
	} {
		if got := PercentSpan(c.lo, c.hi); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := Percents(3.9e-8, 4.1e-8, "higher", "lower"); got != "24.4 to 25.6 million times lower" {
		t.Error(got)
	}
}
