package record

import (
	"math"
	"testing"
)

func partsOf(scopes ...string) *EnergyUse {
	u := &EnergyUse{}
	for _, s := range scopes {
		u.Parts = append(u.Parts, EnergyOf{Name: s, Scope: s, Source: PowerRAPL, Joules: 100, Seconds: 10, IdleWatts: 4,
			IdleS: .5})
	}
	return u
}

// TestEnergyTotal: no joule is counted twice, and the widest scope is taken.
func TestEnergyTotal(t *testing.T) {
	for name, c := range map[string]struct {
		use         *EnergyUse
		scope       string
		watts, idle float64
	}{
		"none":                     {nil, "", 0, 0},
		"a package and its cores":  {partsOf("package", "core", "uncore"), "package", 10, 4},
		"two packages with memory": {partsOf("package", "dram", "package", "dram"), "package+dram", 40, 16},
		"the platform":             {partsOf("package", "psys", "dram"), "psys", 10, 4},
		"the board, twice":         {partsOf("board", "package", "board"), "board", 10, 4},
		"Ampere's rails":           {partsOf("core", "soc", "dram", "dram", ""), "core+soc+dram", 40, 16},
		"memory only":              {partsOf("dram"), "", 0, 0},
		"unknown parts":            {partsOf("", ""), "", 0, 0},
	} {
		got, ok := c.use.Total()
		if ok != (c.scope != "") || got.Scope != c.scope || got.Watts != c.watts || got.IdleWatts != c.idle {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	noIdle := partsOf("package")
	noIdle.Parts[0].IdleS = 0
	if got, ok := noIdle.Total(); ok {
		t.Errorf("power at rest is unknown: %+v", got)
	}
}

func TestPerJoule(t *testing.T) {
	rate := Value{Metric: Metric{Name: Throughput, Unit: "B/s", Better: Higher}, Value: 3e9}
	got := partsOf("package", "dram").PerJoule(rate)
	if len(got) != 1 || got[0].Name != "work_per_joule_package_dram" || got[0].Unit != "B/J" || got[0].Better != Higher ||
		math.Abs(got[0].Value-3e9/12) > 1 {
		t.Errorf("%+v", got)
	}
	if !IsWorkPerJoule(got[0].Name) {
		t.Errorf("%q", got[0].Name)
	}
	rest := partsOf("package")
	rest.Parts[0].IdleWatts = 10
	if got := rest.PerJoule(rate); got != nil {
		t.Errorf("no power above that at rest: %+v", got)
	}
	rounded := partsOf("package")
	rounded.Parts[0].IdleWatts = rounded.Parts[0].Joules/rounded.Parts[0].Seconds - 4e-15
	if got := rounded.PerJoule(rate); got != nil {
		t.Errorf("a difference by rounding: %+v", got)
	}
	if IsWorkPerJoule(Throughput) {
		t.Error("throughput is taken for work per joule")
	}
}
