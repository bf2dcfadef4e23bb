package fact

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// A disturbance of at least this size is worth a warning. It is of a sample of 200 ms, which a single tick of the
// kernel moves by a few tenths.
const (
	warnStealPct    = 2
	warnRunDelayPct = 5
	warnLoadPerCPU  = 0.25
	warnWakeS       = 2e-4 // a fifth of the time of a fast server's request at low load
)

func state() Fact {
	return Fact{
		Key: "state", Group: State,
		Doc: "load, steal and run delay over 0.2 s, and wake-up delay: how late an idle CPU runs a thread that a timer " +
			"wakes (p99)",
		Warns: "1-minute load is over a quarter of the CPUs, steal is 2% or more, run delay is 5% or more, or wake-up " +
			"delay is 0.2 ms or more. Deep idle states or a hypervisor delay wake-ups, which adds to latency at low load",
		Text:   func(m record.Machine, q Quantity) string { return stateText(m.State, q) },
		Advise: noise,
	}
}

func stateText(s record.State, q Quantity) string {
	parts := []string{fmt.Sprintf("load %.2f", s.Load1)}
	if s.StealPct != nil {
		parts = append(parts, "steal "+q(*s.StealPct, "%"))
	}
	if s.RunDelayPct != nil {
		parts = append(parts, "run delay "+q(*s.RunDelayPct, "%"))
	}
	if s.WakeP99S != nil {
		parts = append(parts, "an idle CPU wakes within "+q(*s.WakeP99S, "s")+" (p99)")
	}
	return joined(parts...)
}

func noise(m record.Machine) []Advice {
	const alone = "measure when nothing else runs"
	s, cpus := m.State, m.CPU.Threads
	steal, delay, wake := orZero(s.StealPct), orZero(s.RunDelayPct), orZero(s.WakeP99S)
	return slices.Concat(
		advise(cpus > 0 && s.Load1 > warnLoadPerCPU*float64(cpus), Disturbs, alone,
			"the load average is %.1f on %d CPUs: something else is running", s.Load1, cpus),
		advise(steal >= warnStealPct, Disturbs, "measure at another hour or on a dedicated host",
			"the hypervisor withheld %.0f%% of the CPUs' time", steal),
		advise(delay >= warnRunDelayPct, Disturbs, alone,
			"a thread that is always ready waited %.0f%% of its time for a CPU", delay),
		advise(wake >= warnWakeS, Disturbs,
			"keep idle CPUs awake while latencies are measured: on each a process that spins, of the class SCHED_IDLE (chrt "+
				"-i 0), as scripts/bench-loadline does",
			"an idle CPU runs what a timer wakes %.2g ms late (p99): latencies at low load hold that", 1e3*wake),
	)
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

func software() Fact {
	return Fact{
		Key: "software", Group: State,
		Doc: "versions of Plimsoll and Go",
		Text: text(func(m record.Machine) string {
			return joined(prefixed("plimsoll ", m.Software.Plimsoll), m.Software.Go)
		}),
		Compare: func(m record.Machine) map[string]string {
			return map[string]string{record.KeyGo: m.Software.Go, record.KeyVersion: m.Software.Plimsoll}
		},
	}
}
