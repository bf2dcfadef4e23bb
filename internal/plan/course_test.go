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
		"fixed":                 {Request{Replicates: 4, Measure: append(kernel(nil), ask)}, Span{8, 24, 8}, Span{8, 24, 8}},
		"until it is decided":   {Request{Limit: 10, Measure: append(kernel(nil), ask), Factors: both}, Span{10, 45, 15}, Span{15, 75, 25}},
		"two hosts, one by one": {Request{Limit: 5, Measure: []Ask{ask}, Hosts: []string{"", "ssh b"}}, Span{10, 30, 10}, Span{10, 30, 10}},
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
