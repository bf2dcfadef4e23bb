package trialset

import (
	"math"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// The limits of disturbance of a trial (docs/method.md, "The noise ledger"). METHOD section 3 sets the limit for steal
// and allows no throttling; it names swapping and foreign tasks without a figure. Swapping has no limit here either.
// CPU time of foreign tasks was not available to the trial, like steal.
const (
	maxSteal   = 1.0 // % of the time of all CPUs
	MaxForeign = 1.0 // likewise

	tick        = 0.01 // seconds: the kernel charges busy time to the task that runs at each tick, at most this long
	tickScatter = 3    // standard deviations of the number of ticks that chance may charge to foreign tasks
)

// Taints returns notes on everything that disturbed a trial. It never looks at measured values: a trial must not be
// doubted for its result.
func Taints(t record.Trial) []note.Note {
	l := t.Ledger
	if l == nil {
		return nil
	}
	var out []note.Note
	over := func(figure *float64, most float64, code note.Code) {
		if figure != nil && *figure > most {
			out = append(out, note.New(code))
		}
	}
	over(l.StealPct, maxSteal, "tainted-steal")
	over(l.ThrottledS, 0, "tainted-throttled")
	over(l.ThermalEvents, 0, "tainted-heat")
	over(l.SwapPages, 0, "tainted-swap")
	if l.GapMaxS != nil && *l.GapMaxS >= maxGap {
		out = append(out, note.New("tainted-gap"))
	}
	over(foreign(t), ForeignLimit(t), "tainted-foreign")
	return out
}

// foreign returns the least CPU time that foreign tasks had, in % of one CPU. Interrupts are not counted: kernels that
// time them (CONFIG_IRQ_TIME_ACCOUNTING) charge them to no process, even those caused by the trial's own packets. It
// returns nil if no CPU time of the work is known: a server that was not started for the trial is foreign itself.
func foreign(t record.Trial) *float64 {
	if t.Ledger.ForeignCPU == nil || t.CPU == nil || t.CPU.Work <= 0 {
		return nil
	}
	others := *t.Ledger.ForeignCPU
	if t.Ledger.InterruptCPU != nil {
		others -= *t.Ledger.InterruptCPU
	}
	return &others
}

// ForeignLimit returns how much CPU foreign tasks may have, in % of one CPU: MaxForeign of all CPUs plus the share that
// ticks may charge to them by chance. A CPU that is busy half of the time has a binomial count of ticks with a standard
// deviation of √n/2.
func ForeignLimit(t record.Trial) float64 {
	if t.CPU == nil || t.DurationS <= 0 {
		return math.Inf(1)
	}
	cpus := float64(Usable(*t.CPU))
	ticks := cpus * t.DurationS / tick
	return MaxForeign*cpus + 100*tickScatter*math.Sqrt(ticks)/2*tick/t.DurationS
}

// Usable returns how many CPUs a trial could use, its generator included.
func Usable(u record.CPUUse) int {
	if u.Split {
		return u.CPUs + u.GeneratorCPUs
	}
	return max(u.CPUs, u.GeneratorCPUs)
}

// Tainted reports whether anything disturbed a trial.
func Tainted(t record.Trial) bool { return len(Taints(t)) > 0 }

// Fleet maps the keys of machines to their facts.
type Fleet map[string]record.Machine

// FleetOf returns the fleet of the given machines.
func FleetOf(machines []record.Machine) Fleet {
	f := Fleet{}
	for _, m := range machines {
		f[m.Name] = m
	}
	return f
}

// Of returns the machine that a trial ran on.
func (f Fleet) Of(t record.Trial) record.Machine { return f[t.Keys[record.KeyMachine]] }

// Emulated reports whether the trial ran on an emulator.
func (f Fleet) Emulated(t record.Trial) bool {
	return t.Keys[record.KeyEmulated] != "" || f.Of(t).Emulated != ""
}

// Doubts returns a trial's own doubts and those that follow from its ledger and machine.
func (f Fleet) Doubts(t record.Trial) []note.Note {
	out := note.FromRecords(t.Doubts)
	if f.Emulated(t) {
		out = append(out, note.New("emulated"))
	}
	return append(append(append(out, unsteady(t)...), Warming(t)...), Taints(t)...)
}
