package figure

import (
	"testing"

	"plimsoll/internal/record"
)

// TestHeadline: each kind of metric has its verb, the ratio takes the place of the percentage from a factor of two on,
// and the smaller change comes first.
func TestHeadline(t *testing.T) {
	rate := Claim{Subject: "new", Object: "old", Metric: record.Throughput, Unit: "op/s", Direction: record.Higher}
	took := Claim{Subject: "new", Object: "old", Metric: "time", Unit: "s", Direction: record.Lower}
	tail := Claim{Subject: "new", Object: "old", Metric: record.LatencyP99, Unit: "s", Direction: record.Lower}
	limit, priced := rate, rate
	limit.Load, priced.Per = true, "dollar"
	for _, c := range []struct {
		claim  Claim
		sure   Certainty
		lo, hi float64
		places []string
		want   string
	}{
		{rate, Proved, 1.09, 1.09, nil, "new is 9.0% faster than old"},
		{rate, Proved, 2.2, 2.2, nil, "new is 2.2x faster than old"},
		{rate, Proved, .42, .42, nil, "new is 2.4x slower than old"},
		{rate, Possible, .93, 1.12, nil, "new may be 7.0% slower to 12.0% faster than old"},
		{rate, Possible, .4, 1.12, nil, "new may be 2.5x slower to 12.0% faster than old"},
		{rate, Observed, .8, .9, []string{"2 clients", "1 client"},
			"new was 10.0% (1 client) to 20.0% (2 clients) slower than old"},
		{rate, Observed, .8, 1.3, []string{"2 clients", "1 client"},
			"new was 20.0% (2 clients) slower to 30.0% (1 client) faster than old"},
		{rate, Proved, 1.0004, 1.0004, nil, "new is 0.04% faster than old"},
		{rate, Observed, 1, 1, nil, "new is as fast as old"},
		{took, Proved, 1.474, 1.474, nil, "new takes 47.4% more time than old"},
		{took, Proved, 2.2, 2.2, nil, "new takes 2.2x as long as old"},
		{took, Proved, .285, .285, nil, "new is 3.5x faster than old"},
		{took, Possible, .935, 1.185, nil, "new may take 6.5% less to 18.5% more time than old"},
		{took, Possible, .35, 2.8, nil, "new may take 0.35x to 2.8x as long as old"},
		{took, Possible, .95, 2.8, nil, "new may take 0.95x to 2.8x as long as old"},
		{took, Observed, .285, .7, []string{"2 clients", "1 client"},
			"new was 1.4x (1 client) to 3.5x (2 clients) faster than old"},
		{tail, Proved, 1.12, 1.12, nil, "new's p99 is 12.0% higher than old's"},
		{tail, Proved, 2.2, 2.2, nil, "new's p99 is 2.2x as high as old's"},
		{tail, Possible, .9, 1.1, nil, "new's p99 may be 10.0% lower to 10.0% higher than old's"},
		{limit, Proved, 1.063, 1.063, nil, "new handles 6.3% more load than old"},
		{priced, Observed, 1.48, 1.63, nil, "new did 48.0% to 63.0% more work per dollar than old"},
		{priced, Possible, .93, 2.5, nil, "new may do 7.0% less to 2.5x more work per dollar than old"},
	} {
		if got := c.claim.Headline(c.sure, c.lo, c.hi, c.places...); got != c.want {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	for want, c := range map[string]Claim{"new is as fast as old": rate, "new takes as long as old": took,
		"new's p99 is the same as old's": tail, "new handles as much load as old": limit,
		"new does as much work per dollar as old": priced} {
		if got := c.Alike(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for c, want := range map[*Claim]bool{&rate: true, &took: true, &tail: true, &limit: false, &priced: false} {
		if c.Timed() != want {
			t.Errorf("%+v: faster or slower: %t", c, c.Timed())
		}
	}
}

// TestJoinedRange: a prefix belongs to both ends of a range.
func TestJoinedRange(t *testing.T) {
	for want, c := range map[string]struct {
		unit   string
		lo, hi float64
	}{
		"36.9k to 135.0k requests/s": {"requests/s", 36.9e3, 135e3},
		"29.8 to 121.6 GB/s":         {"B/s", 29.8e9, 121.6e9},
		"12.0 to 14.0%":              {"%", 12, 14},
	} {
		if got := Between(c.lo, c.hi).Around(c.lo).Interval(ScaleFor(c.unit, c.hi)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
