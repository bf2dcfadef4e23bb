package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// frequency says what sets the CPUs' clock. Virtual machines seldom show it.
func (d *description) frequency(s *record.Settings) {
	policies, err := filepath.Glob(d.root.sys("devices/system/cpu/cpufreq/policy[0-9]*"))
	d.note("cpufreq", err)
	governors := map[string]int{}
	for _, dir := range policies {
		if text, err := readText(filepath.Join(dir, "scaling_governor")); err == nil {
			governors[text]++
		}
	}
	if len(policies) > 0 {
		s.Governor = joinCounts(governors)
		s.Driver, _ = readText(filepath.Join(policies[0], "scaling_driver"))
	}
	s.Boost = boost(d.root)
}

// boost reads the switch of intel_pstate, which is inverted, or else that of the
// other drivers.
func boost(root Root) string {
	off, err := readText(root.sys("devices/system/cpu/intel_pstate/no_turbo"))
	if err == nil {
		return onOff(off, "0", "1")
	}
	on, err := readText(root.sys("devices/system/cpu/cpufreq/boost"))
	if err != nil {
		return ""
	}
	return onOff(on, "1", "0")
}

func onOff(text, on, off string) string {
	switch text {
	case on:
		return "on"
	case off:
		return "off"
	}
	return ""
}

// clockSource says which clock the kernel reads, and which it could.
func (d *description) clockSource(s *record.Settings) {
	dir := d.root.sys("devices/system/clocksource/clocksource0")
	var err error
	s.ClockSource, err = readText(filepath.Join(dir, "current_clocksource"))
	if !NotHere(err) {
		d.note("clock source", err)
	}
	if text, _ := readText(filepath.Join(dir, "available_clocksource")); text != "" {
		s.ClockSources = strings.Fields(text)
	}
}

// mitigations is what the kernel says of each vulnerability that it knows of and
// that this CPU has: one it has not is no news.
func mitigations(root Root) map[string]string {
	entries, _ := os.ReadDir(root.sys("devices/system/cpu/vulnerabilities"))
	var out map[string]string
	for _, e := range entries {
		text, err := readText(root.sys("devices/system/cpu/vulnerabilities", e.Name()))
		if err != nil || text == "" || text == "Not affected" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[e.Name()] = text
	}
	return out
}

// vdsoClocks are the clock sources that a program reads without a system call.
func vdsoClocks() []string {
	return []string{"tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"}
}

func fastClock(name string) bool { return slices.Contains(vdsoClocks(), name) }
