package fact

import (
	"reflect"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func FuzzPageSize(f *testing.F) {
	hosttest.Seed(f, nil, "hugepages-2048kB", "hugepages-kB", "hugepages-99999999999999kB", "x")
	f.Fuzz(func(t *testing.T, b []byte) {
		if kib, err := pageSize(string(b)); err == nil && (kib <= 0 || kib<<10 <= 0) {
			t.Errorf("%d KiB of %q", kib, b)
		}
	})
}

func settingsOf(root hostfs.Root) (record.Settings, []error) {
	var m record.Machine
	var broken []error
	for _, f := range All() {
		if f.Read == nil {
			continue
		}
		if err := f.Read(root, &m); err != nil && !hostfs.NotHere(err) {
			broken = append(broken, err)
		}
	}
	return m.Settings, broken
}

func TestSettings(t *testing.T) {
	got, unknown := settingsOf(hosttest.Tree(t, map[string]string{
		"devices/system/cpu/cpufreq/policy0/scaling_governor":           "performance",
		"devices/system/cpu/cpufreq/policy0/scaling_driver":             "intel_pstate",
		"devices/system/cpu/cpufreq/policy1/scaling_governor":           "powersave",
		"devices/system/cpu/cpufreq/policy2/scaling_governor":           "performance",
		"devices/system/cpu/intel_pstate/no_turbo":                      "1",
		"devices/system/cpu/cpufreq/boost":                              "1",
		"devices/system/cpu/smt/control":                                "on",
		"devices/system/cpu/vulnerabilities/l1tf":                       "Not affected",
		"devices/system/cpu/vulnerabilities/mds":                        "Mitigation: Clear CPU buffers; SMT vulnerable",
		"devices/system/cpu/vulnerabilities/retbleed":                   "Vulnerable",
		"devices/system/clocksource/clocksource0/current_clocksource":   "hpet",
		"devices/system/clocksource/clocksource0/available_clocksource": "hpet acpi_pm",
		"kernel/mm/transparent_hugepage/enabled":                        "[always] madvise never",
		"kernel/mm/transparent_hugepage/defrag":                         "always defer defer+madvise [madvise] never",
		"kernel/mm/hugepages/hugepages-2048kB/nr_hugepages":             "512",
		"kernel/mm/hugepages/hugepages-2048kB/free_hugepages":           "500",
		"kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages":          "0",
		"kernel/mm/hugepages/hugepages-1048576kB/free_hugepages":        "0",
	}))
	want := record.Settings{
		Governor: "2x performance, 1x powersave", Driver: "intel_pstate", Boost: "off", SMT: "on", THP: "always",
		THPDefrag:   "madvise",
		HugePages:   []record.HugePages{{PageBytes: 2 << 20, Pages: 512, Free: 500}},
		ClockSource: "hpet", ClockSources: []string{"hpet", "acpi_pm"},
		Mitigations: map[string]string{"mds": "Mitigation: Clear CPU buffers; SMT vulnerable", "retbleed": "Vulnerable"},
	}
	if !reflect.DeepEqual(got, want) || unknown != nil {
		t.Errorf("got  %+v, unknown %q\nwant %+v", got, unknown, want)
	}
	if list := got.Unmitigated(); !reflect.DeepEqual(list, []string{"retbleed"}) {
		t.Errorf("unmitigated %q", list)
	}
	facts := Compared(record.Machine{Settings: got})
	if facts["governor"] != want.Governor || facts["huge_pages.2MiB"] != "512" ||
		facts["mitigation.retbleed"] != "Vulnerable" || facts["swap"] != "" {
		t.Errorf("facts %v", facts)
	}
}

func TestSettingsAbsentOrBroken(t *testing.T) {
	got, unknown := settingsOf(hosttest.Tree(t, nil))
	if !reflect.DeepEqual(got, record.Settings{}) || unknown != nil || len(Compared(record.Machine{Settings: got})) != 0 {
		t.Errorf("%+v, unknown %q of nothing", got, unknown)
	}
	got, unknown = settingsOf(hosttest.Tree(t, map[string]string{
		"kernel/mm/transparent_hugepage/enabled": "always madvise never",
		"devices/system/cpu/cpufreq/boost":       "maybe",
	}))
	if got.THP != "" || got.Boost != "" || len(unknown) != 1 {
		t.Errorf("%+v, unknown %q", got, unknown)
	}
}

func TestBoost(t *testing.T) {
	for _, c := range []struct{ noTurbo, boost, want string }{
		{"0", "", "on"}, {"1", "1", "off"}, {"", "1", "on"}, {"", "0", "off"}, {"", "", ""},
	} {
		files := map[string]string{}
		if c.noTurbo != "" {
			files["devices/system/cpu/intel_pstate/no_turbo"] = c.noTurbo
		}
		if c.boost != "" {
			files["devices/system/cpu/cpufreq/boost"] = c.boost
		}
		if got := boost(hosttest.Tree(t, files)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
