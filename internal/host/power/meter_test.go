package power

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/hosttest"
	"plimsoll/internal/record"
)

func FuzzMicro(f *testing.F) {
	hosttest.Seed(f, nil, "262143328850\n", "-1", "18446744073709551615", "")
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := parseMicro(b)
		if n > math.MaxInt64 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
		if used, ok := energyBetween(n, 0, n/2); ok && used > n {
			t.Errorf("%d used of %d", used, n)
		}
	})
}

// powerTree is a hand-made machine after the kernel's powercap.rst and hwmon
// sysfs-interface.rst: two packages, memory, a socket's energy, watts of a module.
func powerTree(t *testing.T) hostfs.Root {
	t.Helper()
	return hosttest.Tree(t, map[string]string{
		"class/powercap/intel-rapl:0/name":                  "package-0",
		"class/powercap/intel-rapl:0/energy_uj":             "1000000",
		"class/powercap/intel-rapl:0/max_energy_range_uj":   "262143328850",
		"class/powercap/intel-rapl:0:0/name":                "dram",
		"class/powercap/intel-rapl:0:0/energy_uj":           "5000000",
		"class/powercap/intel-rapl:0:0/max_energy_range_uj": "65712999613",
		"class/powercap/intel-rapl-mmio:0/name":             "package-0",
		"class/powercap/intel-rapl-mmio:0/energy_uj":        "7",
		"class/hwmon/hwmon0/name":                           "amd_energy",
		"class/hwmon/hwmon0/energy1_input":                  "10000000",
		"class/hwmon/hwmon0/energy1_label":                  "Esocket0",
		"class/hwmon/hwmon0/energy2_input":                  "1",
		"class/hwmon/hwmon0/energy2_label":                  "Ecore000",
		"class/hwmon/hwmon1/name":                           "power_meter",
		"class/hwmon/hwmon1/power1_average":                 "100000000",
		"class/hwmon/hwmon1/power1_input":                   "99000000",
		"class/hwmon/hwmon1/power1_oem_info":                "Module Power Socket 0",
	})
}

func TestPower(t *testing.T) {
	root := powerTree(t)
	clock := time.Unix(0, 0)
	p, err := openPower(root, func() time.Time { return clock })
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	want := []record.Power{
		{Name: "package-0", Scope: "package", Source: record.PowerRAPL},
		{Name: "package-0 dram", Scope: "dram", Source: record.PowerRAPL},
		{Name: "Esocket0", Scope: "socket", Source: record.PowerEnergy},
		{Name: "Module Power Socket 0", Scope: "module", Source: record.PowerWatts},
	}
	if got := p.Domains(); !slices.Equal(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	step := func(seconds float64, files map[string]string, joules ...float64) {
		t.Helper()
		clock = clock.Add(time.Duration(seconds * float64(time.Second)))
		for name, text := range files {
			hosttest.Write(t, root.SysPath(name), text+"\n")
		}
		got, err := p.Read()
		for i := range joules {
			if err != nil || math.Abs(got[i]-joules[i]) > 1e-6 {
				t.Fatalf("%v, %v; want %v", got, err, joules)
			}
		}
	}
	step(0, nil, 0, 0, 0, 0)
	step(2, map[string]string{
		"class/powercap/intel-rapl:0/energy_uj":   "262143000000",
		"class/powercap/intel-rapl:0:0/energy_uj": "6000000",
		"class/hwmon/hwmon0/energy1_input":        "10500000",
		"class/hwmon/hwmon1/power1_average":       "300000000",
	}, 262142, 1, .5, 400)
	step(1, map[string]string{"class/powercap/intel-rapl:0/energy_uj": "671150"}, 262143, 1, .5, 700) // it wrapped
	hosttest.Write(t, root.SysPath("class/hwmon/hwmon0/energy1_input"), "3\n")
	if got, err := p.Read(); err == nil || !strings.Contains(err.Error(), "power of Esocket0: its counter went back") || got[2] != .5 {
		t.Errorf("%v, %v of a counter that went back", got, err)
	}
}

func TestPowerOfNothing(t *testing.T) {
	if _, err := OpenPower(hostfs.Root{Sys: t.TempDir()}); !hostfs.NotHere(err) {
		t.Errorf("error %v, want one of absence", err)
	}
	root := hosttest.Tree(t, map[string]string{"class/powercap/intel-rapl:0/name": "package-0", "class/powercap/intel-rapl:0/energy_uj": "secret"})
	if _, err := OpenPower(root); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("error %v, want a hint", err)
	}
}

func TestPowerOf(t *testing.T) {
	root := powerTree(t)
	got := Domains(root)
	if len(got) != 4 || slices.ContainsFunc(got, func(p record.Power) bool { return !p.Readable }) {
		t.Errorf("%+v", got)
	}
	if err := os.Remove(root.SysPath("class/powercap/intel-rapl:0/energy_uj")); err != nil {
		t.Fatal(err)
	}
	if got := Domains(root); got[0].Readable || !got[1].Readable {
		t.Errorf("%+v: package-0 cannot be read", got)
	}
}

func TestEnergyBetween(t *testing.T) {
	for _, c := range []struct {
		before, after, wrap, want uint64
		ok                        bool
	}{
		{1, 5, 0, 4, true}, {5, 5, 10, 0, true}, {9, 2, 10, 3, true}, {5, 1, 0, 0, false}, {12, 2, 10, 0, false},
	} {
		if got, ok := energyBetween(c.before, c.after, c.wrap); got != c.want || ok != c.ok {
			t.Errorf("%+v: %d, %v", c, got, ok)
		}
	}
}

func TestPowerScope(t *testing.T) {
	for name, want := range map[string]string{
		"package-0": "package", "core": "core", "uncore": "uncore", "dram": "dram", "psys": "psys", "Esocket1": "socket", "Ecore017": "core",
		"Grace Power Socket 0": "socket", "CPU power": "socket", "IO power": "", "Module Power Socket 1": "module",
	} {
		if got := powerScope(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
