package catalog

import (
	"math"
	"strings"
	"testing"
)

func embedded(t *testing.T) *Catalog {
	t.Helper()
	c, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// typ is the embedded type of a name that a test trusts.
func typ(t *testing.T, c *Catalog, name string) Type {
	t.Helper()
	got, err := c.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestEmbedded(t *testing.T) {
	c := embedded(t)
	if n := len(c.Types()); n != 631+131 {
		t.Errorf("%d types, the tables have 762", n)
	}
	i3en := typ(t, c, "i3en.XLARGE")
	if i3en.Name != "i3en.xlarge" || i3en.VCPUs != 4 || i3en.Cores != 2 || i3en.ThreadsPerCore != 2 ||
		i3en.Arch != "amd64" ||
		i3en.Family != "i3en" || i3en.Size != "xlarge" || i3en.MemoryGiB != Some(32) || i3en.NVMeGB != Some(2500) ||
		i3en.NetworkMbps != Some(4200) || i3en.EBSMbps != Some(4750) {
		t.Errorf("%+v", i3en)
	}
	azure := typ(t, c, "D8ps_v5")
	if p, ok := azure.Price(""); !ok || p.PerHour != .308 || p.Date != "2023-12-18" || azure.Arch != "arm64" ||
		azure.MHz != Some(3000) {
		t.Errorf("%+v", azure)
	}
}

// TestNetworkText: baseline and burst of known types, and of those whose sources contradict each other.
func TestNetworkText(t *testing.T) {
	c := embedded(t)
	for name, want := range map[string]string{
		"m6g.large": "m6g.large: baseline 0.75 Gbit/s, burst 10 Gbit/s", "m5.24xlarge": "m5.24xlarge: 25 Gbit/s, no burst",
		"i3.8xlarge": "i3.8xlarge: 10 Gbit/s", "i3.metal": "", "t2a-standard-8": "",
	} {
		if got := typ(t, c, name).NetworkText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestEmptyIsUnknown: an empty cell of the tables is not a zero.
func TestEmptyIsUnknown(t *testing.T) {
	c := embedded(t)
	for name, got := range map[string]Amount{
		"c5.large's disks": typ(t, c, "c5.large").NVMeGB,
		"i3.metal's disks, of which the layout speaks": typ(t, c, "i3.metal").NVMeGB,
		"i3.metal's network":                           typ(t, c, "i3.metal").NetworkMbps,
		"a type that is named after its disks":         typ(t, c, "c4a-highmem-4-lssd").NVMeGB,
		"a virtual machine's network":                  typ(t, c, "t2a-standard-8").NetworkMbps,
	} {
		if got.Known {
			t.Errorf("%s: %v, it is not known", name, got.Value)
		}
	}
	if got := typ(t, c, "t2a-standard-8").NVMeGB; got != Some(0) {
		t.Errorf("t2a-standard-8 has disks of %+v, the table says 0", got)
	}
	m9g := typ(t, c, "m9g.large")
	if _, ok := c.Power(m9g); m9g.Cores != 0 || ok {
		t.Errorf("m9g.large: %d cores", m9g.Cores)
	}
	if _, ok := typ(t, c, "D8as_v5").Price(""); ok {
		t.Error("D8as_v5 has a price, its row in the table was found bad")
	}
}

func TestPriceAtDate(t *testing.T) {
	c := embedded(t)
	metal := typ(t, c, "c6g.metal")
	for date, want := range map[string]float64{"": 2.3066, "2026-07-20": 2.3066, "2026": 2.3066, "2021-10": 2.176,
		"2021": 2.176} {
		if p, ok := metal.Price(date); !ok || p.PerHour != want || p.Source == "" {
			t.Errorf("%q: %+v, %v, want %v", date, p, ok, want)
		}
	}
	if p, ok := typ(t, c, "c7g.xlarge").Price("2021-10"); ok {
		t.Errorf("c7g.xlarge cost %+v before it existed", p)
	}
	if err := c.CheckDate("2021-10"); err != nil {
		t.Error(err)
	}
	if err := c.CheckDate("2021-11"); err == nil || !strings.Contains(err.Error(), "2026-07-20") {
		t.Errorf("a date without prices: %v", err)
	}
}

func TestUnknownNames(t *testing.T) {
	c := embedded(t)
	for _, q := range []struct {
		ask  func(string) error
		name string
		want string
	}{
		{func(n string) error { _, err := c.Find(n); return err }, "m6gd.8xlrage", "m6gd.8xlarge"},
		{func(n string) error { _, err := c.Family(n); return err }, "is4gne", "is4gen"},
		{func(n string) error { _, err := c.Select(n); return err }, "c4a-standrad-8", "c4a-standard-8"},
		{func(n string) error { _, err := c.Select(n); return err }, "", ""},
	} {
		if err := q.ask(q.name); err == nil || !strings.Contains(err.Error(), q.want) ||
			!strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%q: %v, want a hint at %q", q.name, err, q.want)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"c4a-highmem-8-lssd": {"c4a-highmem-lssd", "8"}, "t2a-standard-16": {"t2a-standard", "16"},
		"D8ps_v5": {"Dps_v5", "8"},
		"cax11":   {"cax", "11"}, "oddity": {"oddity", ""},
	} {
		if family, size := splitName(name); family != want[0] || size != want[1] {
			t.Errorf("%s is size %q of %q, want %q of %q", name, size, family, want[1], want[0])
		}
	}
}

func TestLike(t *testing.T) {
	c := embedded(t)
	for machine, want := range map[string]string{
		"m6gd.8xlarge": "m6gd.8xlarge", "M6GD.8xlarge": "m6gd.8xlarge", "db-m6gd.8xlarge-2": "m6gd.8xlarge",
		"c5.large.example.org": "c5.large",
		"c7a.metal-48xl":       "c7a.metal-48xl", "c6g.metal-1": "c6g.metal", "c4a-standard-8-lssd": "c4a-standard-8-lssd",
		"my-c4a-standard-8": "c4a-standard-8",
		"xm5d.8xlarge":      "", "m5d.8xlarges": "", "c4a-standard-80": "", "cax21": "cax21", "cax21-db": "",
		"bench-host": "", "": "",
	} {
		if got, ok := c.Like(machine); got.Name != want || ok != (want != "") {
			t.Errorf("%q is like %q, want %q", machine, got.Name, want)
		}
	}
}

// TestPower holds the power of the object-store article's machines to its
// figures (claim MI2; for Intel to 240 W for each of two sockets).
func TestPower(t *testing.T) {
	c := embedded(t)
	for name, want := range map[string]struct {
		watts float64
		kind  Kind
	}{
		"m6g.16xlarge": {115.2, Estimated}, "m6g.large": {3.6, Estimated}, "c5a.24xlarge": {280, Rumoured},
		"c5.18xlarge": {480, Estimated}, "c5.24xlarge": {480, Estimated}, "c5.12xlarge": {240, Estimated},
	} {
		p, ok := c.Power(typ(t, c, name))
		if !ok || math.Abs(p.Watts-want.watts) > 1e-9 || p.Kind != want.kind {
			t.Errorf("%s: %+v, %v, want %+v", name, p, ok, want)
		}
	}
	if p, ok := c.Power(typ(t, c, "t2a-standard-8")); ok {
		t.Errorf("Graviton2's power is given to another maker's Neoverse-N1: %+v", p)
	}
}
