package host

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/host/cloud"
	"plimsoll/internal/record"
)

// From these on, a disturbance is worth a warning. They are of a sample of 200
// ms, which a single tick of the kernel moves by a few tenths.
const (
	warnStealPct    = 2
	warnRunDelayPct = 5
	warnLoadPerCPU  = 0.25
	warnWakeS       = 2e-4 // a fifth of what a fast server's request takes at low load
)

// warnings says what makes a machine less fit to measure on, each in one
// sentence and a hint where the user can act.
func warnings(m record.Machine) []string {
	var out []string
	for _, of := range []func(record.Machine) []string{
		cpuWarnings, limitWarnings, clockWarnings, noiseWarnings,
	} {
		out = append(out, of(m)...)
	}
	return out
}

func hinted(hint, format string, args ...any) []string {
	text := fmt.Sprintf(format, args...)
	if hint != "" {
		text += "\nhint: " + hint
	}
	return []string{text}
}

func cpuWarnings(m record.Machine) (out []string) {
	if m.Emulated != "" {
		out = append(out, hinted("", "%s emulates the CPU: figures say nothing about hardware and get no verdict", m.Emulated)...)
	}
	if hidden := hiddenTopology(m); hidden != "" {
		out = append(out, hinted("read scaling between one CPU and all of them with care", "%s", hidden)...)
	}
	if strings.Contains(m.CPU.Model, ", ") && strings.Contains(m.CPU.Model, "x ") {
		out = append(out, hinted("measure on the CPUs of one kind, with taskset", "there are CPUs of unlike kinds: %s", m.CPU.Model)...)
	}
	if burstable(m.Cloud) {
		out = append(out, hinted("measure on a type with a fixed share of its CPUs",
			"%s is a burstable type: its CPUs slow down when its credits are spent", m.Cloud.Type)...)
	}
	return out
}

// burstable reports the T types of EC2, which run on credits.
func burstable(c record.Cloud) bool {
	family, _, _ := strings.Cut(c.Type, ".")
	return c.Provider == cloud.AWS && slices.Contains([]string{"t1", "t2", "t3", "t3a", "t4g"}, family)
}

func limitWarnings(m record.Machine) (out []string) {
	allowed := len(m.CPU.Allowed)
	if quota := m.Cgroup.CPUQuota; quota > 0 && allowed > 0 && quota < float64(allowed) {
		out = append(out, hinted(fmt.Sprintf("raise cpu.max, or measure on at most %d of them", max(1, int(quota))),
			"the cgroup allows %g of %d CPUs: runs on all CPUs are throttled", quota, allowed)...)
	}
	if allowed > 0 && allowed < m.CPU.Threads {
		out = append(out, hinted("start it without taskset, or in a cpuset of all CPUs",
			"this process may use %d of the %d CPUs", allowed, m.CPU.Threads)...)
	}
	if m.Settings.Swap > 0 {
		out = append(out, hinted("swapoff -a", "swap is on: a working set that is swapped out measures the disk")...)
	}
	return out
}

func clockWarnings(m record.Machine) (out []string) {
	s := m.Settings
	if s.Governor != "" && s.Governor != "performance" {
		out = append(out, hinted("cpupower frequency-set -g performance",
			"the governor is %s: the clock depends on how busy the CPUs have been", s.Governor)...)
	}
	if s.Boost == "on" {
		out = append(out, hinted("compare at equal numbers of busy CPUs, or switch boost off",
			"boost is on: a CPU that is busy alone clocks higher than one among many")...)
	}
	if s.ClockSource != "" && !fastClock(s.ClockSource) {
		hint := ""
		if slices.Contains(s.ClockSources, "tsc") {
			hint = "echo tsc into /sys/devices/system/clocksource/clocksource0/current_clocksource"
		}
		out = append(out, hinted(hint, "the clock is %s: reading the time is a system call", s.ClockSource)...)
	}
	return out
}

func noiseWarnings(m record.Machine) (out []string) {
	s := m.State
	const alone = "measure when nothing else runs"
	if cpus := m.CPU.Threads; cpus > 0 && s.Load1 > warnLoadPerCPU*float64(cpus) {
		out = append(out, hinted(alone, "the load average is %.1f on %d CPUs: something else is running", s.Load1, cpus)...)
	}
	if s.StealPct != nil && *s.StealPct >= warnStealPct {
		out = append(out, hinted("measure at another hour or on a dedicated host",
			"the hypervisor withheld %.0f %% of the CPUs' time", *s.StealPct)...)
	}
	if s.RunDelayPct != nil && *s.RunDelayPct >= warnRunDelayPct {
		out = append(out, hinted(alone, "a thread that is always ready waited %.0f %% of its time for a CPU", *s.RunDelayPct)...)
	}
	if s.WakeP99S != nil && *s.WakeP99S >= warnWakeS {
		out = append(out, hinted("keep idle CPUs awake while latencies are measured: on each a process that spins, of the class SCHED_IDLE (chrt -i 0), "+
			"as scripts/oracle does",
			"an idle CPU runs what a timer wakes %.2g ms late (p99): latencies at low load hold that", 1e3**s.WakeP99S)...)
	}
	return out
}
