package power

import (
	"os"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

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

func TestDomains(t *testing.T) {
	root := powerTree(t)
	want := []record.Power{
		{Name: "package-0", Scope: "package", Source: record.PowerRAPL, Readable: true},
		{Name: "package-0 dram", Scope: "dram", Source: record.PowerRAPL, Readable: true},
		{Name: "Esocket0", Scope: "socket", Source: record.PowerEnergy, Readable: true},
		{Name: "Module Power Socket 0", Scope: "module", Source: record.PowerWatts, Readable: true},
	}
	if got := Domains(root); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := os.Remove(root.SysPath("class/powercap/intel-rapl:0/energy_uj")); err != nil {
		t.Fatal(err)
	}
	if got := Domains(hostfs.Root{Sys: t.TempDir()}); len(got) != 0 {
		t.Errorf("%+v of nothing", got)
	}
	if got := Domains(root); got[0].Readable || !got[1].Readable {
		t.Errorf("%+v: package-0 cannot be read", got)
	}
}

func TestScopeOf(t *testing.T) {
	for name, want := range map[string]string{
		"package-0": "package", "core": "core", "uncore": "uncore", "dram": "dram", "psys": "psys", "Esocket1": "socket",
		"Ecore017":             "core",
		"Grace Power Socket 0": "socket", "CPU power": "socket", "CPU Power Socket 0": "", "SysIO Power Socket 1": "",
		"core VRD power": "core", "soc VRD power": "soc", "DIMM VRD2 power": "dram", "RCA VRD power": "",
		"IO power": "", "Module Power Socket 1": "module",
	} {
		if got := scopeOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
