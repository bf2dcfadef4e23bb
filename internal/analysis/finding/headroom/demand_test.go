package headroom

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record/figure"
)

// METHOD section 5's example: 5M packets a second on machines that carry 736,860 at least.
func TestNeed(t *testing.T) {
	lo, hi := 736860.0, 750000.0
	golden := loadline.Line{Unit: "packet/s", Crossed: true, MaxSustained: 742000, Bounds: figure.Between(lo, hi), N: 3}
	asked := finding.Demand{Rate: 5e6, Headroom: .85, Failures: 1}
	n := needOf(golden, asked, finding.Basis{PricePerHour: .29, PriceSource: "somewhere"})
	if !n.Why.IsZero() || *n.Machines != 9 || *n.Line != lo || math.Abs(*n.Share-.75395) > 1e-5 ||
		math.Abs(*n.ShareAfter-.84819) > 1e-5 || math.Abs(*n.Alarm-.85*8/9) > 1e-12 {
		t.Errorf("%+v", n)
	}
	if math.Abs(*n.PerHour-2.61) > 1e-12 || math.Abs(*n.PerMonth-1905.3) > 1e-9 || n.PriceSource != "somewhere" {
		t.Errorf("costs %v and %v", *n.PerHour, *n.PerMonth)
	}
	if n := needOf(golden, asked, finding.Basis{}); n.PerHour != nil || n.PerMonth != nil || *n.Machines != 9 {
		t.Errorf("no price is known, and yet %+v", n)
	}
	for want, l := range map[string]loadline.Line{
		"has no interval":         {Unit: "op/s", Crossed: true, MaxSustained: 742000},
		"only a lower bound":      {Unit: "op/s", MaxSustained: 742000},
		"the limit is in B/s":     {Unit: "B/s", Crossed: true, MaxSustained: 742000, Bounds: figure.Between(lo, hi)},
		"the limit is in op,":     {Unit: "op", Crossed: true, Bounds: figure.Between(lo, hi)},
		"more than anybody has":   {Unit: "op/s", Crossed: true, Bounds: figure.Between(1e-9, hi)},
		"rates must be over 0":    {Unit: "op/s", Crossed: true, Bounds: figure.Between(0, hi)},
		"the limit is in packets": {Unit: "packets", Crossed: true, Bounds: figure.Between(lo, hi)},
	} {
		if n := needOf(l, asked, finding.Basis{PricePerHour: 1}); n.Machines != nil || n.Share != nil || n.PerHour != nil ||
			!strings.Contains(n.Why.Text(), want) {
			t.Errorf("want no fleet, since %q: %+v", want, n)
		}
	}
}

func TestDemandRefused(t *testing.T) {
	for _, d := range []finding.Demand{
		{Rate: 0, Headroom: .85, Failures: 1}, {Rate: -1, Headroom: .85, Failures: 1},
		{Rate: math.NaN(), Headroom: .85, Failures: 1}, {Rate: math.Inf(1), Headroom: .85, Failures: 1},
		{Rate: 1, Headroom: 0, Failures: 1}, {Rate: 1, Headroom: 1.01, Failures: 1},
		{Rate: 1, Headroom: math.NaN(), Failures: 1}, {Rate: 1, Headroom: .85, Failures: -1},
	} {
		if d.Check() == nil {
			t.Errorf("%+v is taken", d)
		}
	}
	if err := (finding.Demand{Rate: 1, Headroom: 1}).Check(); err != nil {
		t.Error(err)
	}
}
