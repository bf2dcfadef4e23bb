package catalog

import (
	"math"
	"strings"
	"testing"
)

// TestStorages: the smallest volume of each kind that satisfies a need, and what it costs by the embedded rules.
func TestStorages(t *testing.T) {
	c := embedded(t)
	for _, q := range []struct {
		name string
		need Need
		want map[string]Storage // USDPerMonth not known: it cannot be had, or its price is unknown
		why  map[string]string
	}{
		{"the article's: 4500 IOPS, 594 MB/s", Need{4500, 566.25, 500}, map[string]Storage{
			"gp3": {GiB: 500, IOPS: 4500, MiBps: 567, USDPerMonth: Some(40 + 7.5 + .04*442)},
			"io2": {GiB: 500, IOPS: 4500, MiBps: 567, USDPerMonth: Some(62.5 + 292.5)},
		}, map[string]string{"gp2": "at most 250 MiB/s"}},
		{"what is included", Need{3000, 125, 100}, map[string]Storage{
			"gp2": {GiB: 1000, IOPS: 3000, MiBps: 250, USDPerMonth: Some(100)},
			"gp3": {GiB: 100, IOPS: 3000, MiBps: 125, USDPerMonth: Some(8)},
			"io2": {GiB: 100, IOPS: 3000, MiBps: 125, USDPerMonth: Some(12.5 + 195)},
		}, nil},
		{"next to nothing", Need{1, 1, 0}, map[string]Storage{
			"gp2": {GiB: 1, IOPS: 100, MiBps: 128, USDPerMonth: Some(.1)},
			"gp3": {GiB: 1, IOPS: 3000, MiBps: 125, USDPerMonth: Some(.08)},
			"io2": {GiB: 4, IOPS: 100, MiBps: 1, USDPerMonth: Some(.5 + 6.5)},
		}, nil},
		{"throughput asks for IOPS, and these for size", Need{100, 2000, 1}, map[string]Storage{
			"gp3": {GiB: 16, IOPS: 8000, MiBps: 2000, USDPerMonth: Some(1.28 + 25 + 75)},
			"io2": {GiB: 8, IOPS: 7813, MiBps: 2000, USDPerMonth: Some(1 + .065*7813)},
		}, map[string]string{"gp2": "at most 250 MiB/s"}},
		{"more than any gp3", Need{100000, 1, 100}, map[string]Storage{
			"io2": {GiB: 100, IOPS: 100000, MiBps: 1},
		}, map[string]string{"gp2": "at most 16000 IOPS", "gp3": "at most 80000 IOPS",
			"io2": "the price of more than 32000 IOPS is unknown"}},
		{"too large", Need{100, 1, 70000}, nil,
			map[string]string{"gp2": "at most 16384 GiB", "gp3": "at most 65536 GiB", "io2": "at most 65536 GiB"}},
	} {
		for _, s := range c.Storages(q.need) {
			want, ok := q.want[s.Kind]
			if why := q.why[s.Kind]; !strings.Contains(s.Why, why) || (why != "") != (s.Why != "") {
				t.Errorf("%s: %s: %q, want %q", q.name, s.Kind, s.Why, why)
			}
			if s.USDPerMonth.Known != want.USDPerMonth.Known || math.Abs(s.USDPerMonth.Value-want.USDPerMonth.Value) > 1e-9 {
				t.Errorf("%s: %s costs %+v, want %+v", q.name, s.Kind, s.USDPerMonth, want.USDPerMonth)
			}
			if ok && (s.GiB != want.GiB || s.IOPS != want.IOPS || s.MiBps != want.MiBps) {
				t.Errorf("%s: %+v, want %+v", q.name, s, want)
			}
		}
	}
}

// TestBurst: AWS's own examples of how long a full bucket of gp2 lasts at 3000 IOPS.
func TestBurst(t *testing.T) {
	for _, v := range embedded(t).Volumes() {
		for gib, want := range map[float64]float64{1: 1862, 100: 2000, 334: 2703, 750: 7200, 1000: 0} {
			got := v.For(Need{IOPS: 3000, GiB: gib}).BurstS
			switch {
			case v.Name != "gp2" || want == 0:
				if got != nil {
					t.Errorf("%s of %g GiB bursts for %v s", v.Name, gib, *got)
				}
			case got == nil || math.Abs(*got-want) > 1:
				t.Errorf("%g GiB: %v s, want %v", gib, got, want)
			}
		}
	}
}

func TestLocal(t *testing.T) {
	c := embedded(t)
	find := func(name string) Type {
		found, err := c.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	plain, with := find("m6g.8xlarge"), find("m6gd.8xlarge")
	p, _ := plain.Price("")
	q, _ := with.Price("")
	s, ok := c.Local(plain, Need{GiB: 100})
	if !ok || s.Kind != "local, m6gd.8xlarge" || math.Abs(s.USDPerMonth.Value-(q.PerHour-p.PerHour)*730) > 1e-9 ||
		s.USDPerMonth.Value <= 0 || !strings.Contains(s.Why, "measure") {
		t.Errorf("%+v", s)
	}
	own := c.With([]Own{{plain.Name, .25, "2026-11-21", "another region"}}, "2026-12-01")
	if s, ok := own.Local(typ(t, own, plain.Name), Need{GiB: 100}); !ok || s.USDPerMonth.Known ||
		!strings.Contains(s.Why, "no prices of one kind") {
		t.Errorf("a price of one's own and one of the list have a difference: %+v", s)
	}
	if s, ok := c.Local(with, Need{GiB: 100}); !ok || s.USDPerMonth != Some(0) {
		t.Errorf("disks that are there cost nothing more: %+v", s)
	}
	if s, ok := c.Local(with, Need{GiB: 1e6}); !ok || s.USDPerMonth.Known || !strings.Contains(s.Why, "hold") {
		t.Errorf("too large: %+v", s)
	}
	if s, ok := c.Local(find("t3.large"), Need{}); ok {
		t.Errorf("t3 has no sister with disks: %+v", s)
	}
}

func TestEBSLimits(t *testing.T) {
	c := embedded(t)
	for name, want := range map[string]EBSLimits{
		"r6g.large":   {BaselineMbps: 630, BaselineIOPS: 3600, MaxMbps: 4750, MaxIOPS: 20000},
		"r6g.4xlarge": {BaselineMbps: 4750, BaselineIOPS: 20000, MaxMbps: 4750, MaxIOPS: 20000},
		"m5d.8xlarge": {BaselineMbps: 6800, BaselineIOPS: 30000, MaxMbps: 6800, MaxIOPS: 30000},
	} {
		found, err := c.Find(name)
		if err != nil || found.EBS == nil {
			t.Fatalf("%s: %+v, %v", name, found.EBS, err)
		}
		got := *found.EBS
		if got.Source == "" || got.Date != "2021-10" {
			t.Errorf("%s: from %q of %q", name, got.Source, got.Date)
		}
		got.Source, got.Date = "", ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if found, err := c.Find("c7g.2xlarge"); err != nil || found.EBS != nil {
		t.Errorf("c7g came later than the table: %+v, %v", found.EBS, err)
	}
}
