package plan

import (
	"plimsoll/internal/record"
	"testing"
)

func TestSpans(t *testing.T) {
	both := []Factor{Vary("kernel.bits", []string{"128", "256"})}
	ask := Ask{Workload: "command", Set: map[string]string{"line": "x", "clients": "4"}}
	for name, c := range map[string]struct {
		req         Request
		least, most Span
	}{
		// 2 s of measuring and 1 s of warm-up each.
		"fixed": {Request{Replicates: 4, Measure: append(kernel(nil), ask)}, Span{8, 24, 8}, Span{8, 24, 8}},
		"until it is decided": {Request{Limit: 10, Measure: append(kernel(nil), ask), Factors: both}, Span{10, 45, 15},
			Span{15, 75, 25}},
		"two hosts, one by one": {Request{Limit: 5, Measure: []Ask{ask}, Hosts: []string{"", "ssh b"}}, Span{10, 30, 10},
			Span{10, 30, 10}},
	} {
		c.req.DurationS, c.req.WarmupS = 2, 1
		p := resolve(t, c.req)
		second := func(o record.Order) float64 { return float64(len(o.Sides)) }
		least, most := Extent(p, true, second), Extent(p, false, second)
		if least != c.least || most != c.most {
			t.Errorf("%s: %+v to %+v, want %+v to %+v", name, least, most, c.least, c.most)
		}
	}
}

// TestLostHostHoldsUpNobody: with interim analyses the rest of a group goes on without the cells of a lost host: with
// what is left to compare, or alone.
func TestLostHostHoldsUpNobody(t *testing.T) {
	ask := Ask{Workload: "command", Set: map[string]string{"line": "x", "clients": "4"}}
	p := resolve(t, Request{Limit: 10, Measure: []Ask{ask}, Hosts: []string{"a", "b", "c"}})
	p.Pilot = nil
	for name, c := range map[string]struct {
		lost []string
		want int
	}{
		"none":             {nil, 30},
		"the baseline":     {[]string{"a"}, 20},
		"all but one":      {[]string{"a", "c"}, p.Stop.Alone},
		"all":              {[]string{"a", "b", "c"}, 0},
		"one of elsewhere": {[]string{"d"}, 30},
	} {
		course := Follow(p)
		for _, h := range c.lost {
			course.Lose(h)
		}
		if got := course.Remaining(nil).Trials; got != c.want {
			t.Errorf("%s: %d trials left, want %d", name, got, c.want)
		}
		n := 0
		for o, ok := course.Next(); ok; o, ok = course.Next() {
			if n++; n > 100 {
				t.Fatalf("%s: no end", name)
			}
			for _, h := range c.lost {
				if o.Host == h {
					t.Fatalf("%s: an order for %s", name, h)
				}
			}
			course.Add(record.Trial{ID: o.ID, Slot: o.SlotOf(0),
				DurationS: 1, Keys: map[string]string{}})
		}
		if n != c.want {
			t.Errorf("%s: %d orders, want %d", name, n, c.want)
		}
	}
}
