package figure

import (
	"math"
	"testing"
)

func TestDollars(t *testing.T) {
	for v, want := range map[float64]string{0: "$0.00", .0012345: "$0.00123", 45.6: "$45.60", 100: "$100", 999.6: "$1,000",
		2328.7: "$2,329", 1234567: "$1,234,567", -2328.7: "$-2,329", math.NaN(): NoNumber} {
		if got := Dollars(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := DollarsBetween(2328.7, 2730.2); got != "$401" {
		t.Errorf("%q: not the difference of $2,329 and $2,730", got)
	}
	if got := DollarsBetween(1.5, 2.75); got != "$1.25" {
		t.Errorf("%q", got)
	}
}
