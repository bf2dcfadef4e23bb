package valuation

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

func TestBasis(t *testing.T) {
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	v := Valuer{catalogue: c, prices: map[string]float64{"m5d.8xlarge": 2, "my-box": 0.5, "db-m5d.8xlarge": 3}}
	cpu := record.CPU{Threads: 8, Cores: 4, Allowed: []int{0, 1, 2, 3, 4, 5, 6, 7}}
	part := cpu
	part.Allowed = []int{0, 1}
	for _, q := range []struct {
		machine record.Machine
		want    finding.Basis
		doubts  int
	}{
		{record.Machine{Name: "m6gd.8xlarge"},
			finding.Basis{Type: "m6gd.8xlarge", VCPUs: 32, Cores: 32, PricePerHour: 1.4464}, 0},
		{record.Machine{Name: "M5D.8xlarge"}, finding.Basis{Type: "m5d.8xlarge", VCPUs: 32, Cores: 16, PricePerHour: 2}, 0},
		{record.Machine{Name: "db-m5d.8xlarge"}, finding.Basis{Type: "m5d.8xlarge", VCPUs: 32, Cores: 16, PricePerHour: 3},
			0},
		{record.Machine{Name: "c6g.2xlarge", CPU: cpu, Arch: "arm64"},
			finding.Basis{Type: "c6g.2xlarge", VCPUs: 8, Cores: 8, PricePerHour: 0.272}, 0},
		{record.Machine{Name: "c6g.xlarge", CPU: cpu, Arch: "amd64"},
			finding.Basis{Type: "c6g.xlarge", VCPUs: 4, Cores: 4, PricePerHour: 0.136}, 2},
		{record.Machine{Name: "m9g.2xlarge", CPU: cpu},
			finding.Basis{Type: "m9g.2xlarge", VCPUs: 8, Cores: 4, PricePerHour: price(t, c, "m9g.2xlarge")}, 0},
		{record.Machine{Name: "m9g.xlarge", CPU: cpu},
			finding.Basis{Type: "m9g.xlarge", VCPUs: 4, PricePerHour: price(t, c, "m9g.xlarge")}, 1},
		{record.Machine{Name: "my-box", CPU: cpu}, finding.Basis{VCPUs: 8, Cores: 4, PricePerHour: 0.5}, 0},
		{record.Machine{Name: "other", CPU: part}, finding.Basis{VCPUs: 2}, 0},
		{record.Machine{Name: "limited", CPU: cpu, Cgroup: record.Cgroup{CPUQuota: 1.5}}, finding.Basis{VCPUs: 1.5}, 0},
		{record.Machine{Name: "unknown"}, finding.Basis{}, 0},
		{record.Machine{Name: "db-1", Cloud: record.Cloud{Type: "m6gd.8xlarge"}},
			finding.Basis{Type: "m6gd.8xlarge", VCPUs: 32, Cores: 32, PricePerHour: 1.4464}, 0},
		{record.Machine{Name: "db-1", Arch: "amd64", Cloud: record.Cloud{Type: "m6gd.8xlarge"}},
			finding.Basis{Type: "m6gd.8xlarge", VCPUs: 32, Cores: 32, PricePerHour: 1.4464}, 1},
		{record.Machine{Name: "c6g.2xlarge", Cloud: record.Cloud{Type: "m6gd.8xlarge"}},
			finding.Basis{Type: "c6g.2xlarge", VCPUs: 8, Cores: 8, PricePerHour: 0.272}, 1},
		{record.Machine{Name: "db-1", CPU: cpu, Cloud: record.Cloud{Type: "no-such-type"}},
			finding.Basis{Type: "no-such-type", VCPUs: 8, Cores: 4}, 0},
	} {
		got := v.Basis(q.machine)
		if got.Type != q.want.Type || got.VCPUs != q.want.VCPUs || got.Cores != q.want.Cores ||
			got.PricePerHour != q.want.PricePerHour || len(got.Doubts) != q.doubts {
			t.Errorf("%s: %+v, want %+v and %d doubts", q.machine.Name, got, q.want, q.doubts)
		}
		if (got.PriceSource == "") != (got.PricePerHour == 0) {
			t.Errorf("%s: a price of %v from %q", q.machine.Name, got.PricePerHour, got.PriceSource)
		}
	}
	if w := v.Basis(record.Machine{Name: "m6g.16xlarge"}).Watts; w == nil || w.Kind != catalog.Estimated {
		t.Errorf("m6g.16xlarge takes %+v", w)
	}
}

// TestEach: a session pays each host of a cluster once, those of no price of their own as the first, and what loads
// them.
func TestEach(t *testing.T) {
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	v := Valuer{catalogue: c, prices: map[string]float64{"r5": 0.5, "c": 0.75, "g": 0.25}}
	p := record.Plan{Hosts: []string{"a", "b", "c", "d"}, Generators: []string{"g"},
		Cells: []record.Cell{{Host: "a", Cluster: []string{"b", "c"}}, {Host: "d"}}}
	machines := map[string]record.Machine{"a": {Name: "r5", Hosts: 3}, "b": {Name: "b", Hosts: 3},
		"c": {Name: "c", Hosts: 3}, "d": {Name: "d"}, "g": {Name: "g"}}
	var got []float64
	for _, b := range v.Each(p, machines) {
		got = append(got, b.PricePerHour)
	}
	if want := []float64{0.5, 0.5, 0.75, 0, 0.25}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestBasisOfADate(t *testing.T) {
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	v, err := Valuer{catalogue: c, prices: map[string]float64{}}.At("2021-10")
	if err != nil {
		t.Fatal(err)
	}
	if b := v.Basis(record.Machine{Name: "c6g.metal"}); b.PricePerHour != 2.176 ||
		!strings.HasPrefix(b.PriceSource, "2021-10") {
		t.Errorf("c6g.metal: %+v", b)
	}
	if b := v.Basis(record.Machine{Name: "m9g.2xlarge"}); b.PricePerHour != 0 || len(b.Doubts) != 1 {
		t.Errorf("m9g.2xlarge: %+v", b)
	}
	if _, err := v.At("1999"); err == nil {
		t.Error("there are prices for 1999")
	}
}

func price(t *testing.T, c *catalog.Catalog, name string) float64 {
	t.Helper()
	found, err := c.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := found.Price("")
	if !ok {
		t.Fatalf("%s has no price", name)
	}
	return p.PerHour
}
