package fact

import (
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

// fit is a machine without a doubt.
func fit() record.Machine {
	return record.Machine{
		Virt: "kvm (Amazon EC2 c5.xlarge)", Cloud: record.Cloud{Provider: "aws", Type: "c5.xlarge"},
		CPU: record.CPU{
			Vendor: record.VendorIntel, Model: "Xeon", Sockets: 1, Cores: 2, Threads: 4, ThreadsPerCore: 2, Allowed: []int{0, 1,
				2, 3},
			Caches: []record.Cache{{Level: 1, Instances: 2}, {Level: 3, Instances: 1}},
		},
		Settings: record.Settings{Governor: "performance", Boost: "off", ClockSource: "tsc"},
		State: record.State{Load1: .5, StealPct: hosttest.Ptr(.1), RunDelayPct: hosttest.Ptr(1),
			WakeP99S: hosttest.Ptr(6e-5)},
	}
}

func TestWarnings(t *testing.T) {
	if got := Warnings(fit()); got != nil {
		t.Errorf("%q of a machine that is fit", got)
	}
	for want, change := range map[string]func(*record.Machine){
		"tcg emulates the CPU":      func(m *record.Machine) { m.Emulated = "tcg" },
		"the governor is powersave": func(m *record.Machine) { m.Settings.Governor = "powersave" },
		"the governor is 2x performance, 1x powersave": func(m *record.Machine) {
			m.Settings.Governor = "2x performance, 1x powersave"
		},
		"boost is on":                                  func(m *record.Machine) { m.Settings.Boost = "on" },
		"the clock is xen":                             func(m *record.Machine) { m.Settings.ClockSource = "xen" },
		"swap is on":                                   func(m *record.Machine) { m.Settings.Swap = 1 << 30 },
		"the cgroup allows 3.5 of 4 CPUs":              func(m *record.Machine) { m.Cgroup.CPUQuota = 3.5 },
		"this process may use 2 of the 4 CPUs":         func(m *record.Machine) { m.CPU.Allowed = []int{0, 1} },
		"the load average is 1.1 on 4 CPUs":            func(m *record.Machine) { m.State.Load1 = 1.1 },
		"the hypervisor withheld 3% of the CPUs' time": func(m *record.Machine) { m.State.StealPct = hosttest.Ptr(3) },
		"waited 40% of its time for a CPU":             func(m *record.Machine) { m.State.RunDelayPct = hosttest.Ptr(40) },
		"an idle CPU runs what a timer wakes 1.3 ms":   func(m *record.Machine) { m.State.WakeP99S = hosttest.Ptr(.0013) },
		"t3.xlarge is a burstable type":                func(m *record.Machine) { m.Cloud.Type = "t3.xlarge" },
		"CPUs of unlike kinds":                         func(m *record.Machine) { m.CPU.Model = "4x A, 2x B" },
		"each of the 4 CPUs as a socket of its own":    func(m *record.Machine) { m.CPU.Sockets = 4 },
	} {
		m := fit()
		change(&m)
		got := Warnings(m)
		if len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%q, want %q", got, want)
			continue
		}
		sentence, _, _ := strings.Cut(got[0], "\n")
		if strings.HasSuffix(sentence, ".") || strings.Count(got[0], "\n") > 1 {
			t.Errorf("%q is not one sentence and a hint", got[0])
		}
	}
}

func TestClockHint(t *testing.T) {
	m := fit()
	m.Settings.ClockSource, m.Settings.ClockSources = "hpet", []string{"tsc", "hpet"}
	if got := Warnings(m); len(got) != 1 || !strings.Contains(got[0], "hint: echo tsc") {
		t.Errorf("%q, want the way to tsc", got)
	}
	for _, fast := range vdsoClocks() {
		m.Settings.ClockSource = fast
		if got := Warnings(m); got != nil {
			t.Errorf("%s: %q", fast, got)
		}
	}
}

func TestHiddenTopology(t *testing.T) {
	one := func(m *record.Machine) { m.CPU.Cores, m.CPU.ThreadsPerCore = 4, 1 }
	elsewhere := func(m *record.Machine) { m.Cloud = record.Cloud{} }
	for name, c := range map[string]struct {
		change []func(*record.Machine)
		want   string
	}{
		"threads are shown": {nil, ""},
		"cores on EC2":      {[]func(*record.Machine){one}, ""},
		"cores elsewhere": {[]func(*record.Machine){one, elsewhere},
			"does not tell whether two CPUs share a core"},
		"threads shown elsewhere": {[]func(*record.Machine){elsewhere}, ""},
		"bare metal":              {[]func(*record.Machine){one, elsewhere, func(m *record.Machine) { m.Virt = "" }}, ""},
		"Arm": {[]func(*record.Machine){
			one, elsewhere, func(m *record.Machine) { m.CPU.Vendor = "ARM" }}, ""},
		"one CPU": {[]func(*record.Machine){
			one, elsewhere, func(m *record.Machine) { m.CPU.Threads, m.CPU.Sockets = 1, 1 }}, ""},
		"sockets": {[]func(*record.Machine){one, func(m *record.Machine) { m.CPU.Sockets = 4 }},
			"as a socket of its own"},
		"no last cache": {[]func(*record.Machine){func(m *record.Machine) { m.CPU.Caches = m.CPU.Caches[:1] }},
			"shows no cache of level 3"},
		"caches that cannot be read": {[]func(*record.Machine){func(m *record.Machine) { m.CPU.Caches = nil }}, ""},
		"topology that was not found": {[]func(*record.Machine){
			one, elsewhere, func(m *record.Machine) { m.CPU.Sockets = 0 }}, ""},
	} {
		m := fit()
		for _, f := range c.change {
			f(&m)
		}
		if got := hiddenTopology(m); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
