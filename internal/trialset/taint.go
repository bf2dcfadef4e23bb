package trialset

import (
	"math"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// The limits of what may disturb a trial (docs/method.md, "The noise ledger"). METHOD section 3 gives the
// one for steal, and none to throttling; it names swapping and the tasks of others without a figure. Swapping
// has none either. What others had of the CPUs is time that the trial could not have, as steal is.
const (
	maxSteal   = 1.0 // % of the time of all CPUs
	MaxForeign = 1.0 // likewise

	tick        = 0.01 // seconds: the kernel counts busy time by what runs at each tick, at most this long
	tickScatter = 3    // standard deviations of the number of ticks that chance may give to others
)

// Taints says what disturbed a trial. They never look at what was measured: a
// trial must not be doubted for its value.
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

// foreign is the CPU that others had at the least, % of one CPU. Interrupts are not theirs: kernels that time them
// (CONFIG_IRQ_TIME_ACCOUNTING) charge them to no process, also those that the trial's own packets made. It is
// nil where no CPU time of the work is known: a server that was not started for the trial is foreign itself.
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

// ForeignLimit is what others may have, % of one CPU: maxForeign of the CPUs, and what ticks may give them by
// chance. A CPU that is busy half of the time is seen so by a binomial count of ticks, with a standard deviation of √n/2.
func ForeignLimit(t record.Trial) float64 {
	if t.CPU == nil || t.DurationS <= 0 {
		return math.Inf(1)
	}
	cpus := float64(Usable(*t.CPU))
	ticks := cpus * t.DurationS / tick
	return MaxForeign*cpus + 100*tickScatter*math.Sqrt(ticks)/2*tick/t.DurationS
}

// Usable is how many CPUs a trial could use, its generator included.
func Usable(u record.CPUUse) int {
	if u.Split {
		return u.CPUs + u.GeneratorCPUs
	}
	return max(u.CPUs, u.GeneratorCPUs)
}

func Tainted(t record.Trial) bool { return len(Taints(t)) > 0 }

// Fleet finds a trial's machine.
type Fleet map[string]record.Machine

func FleetOf(machines []record.Machine) Fleet {
	f := Fleet{}
	for _, m := range machines {
		f[m.Name] = m
	}
	return f
}

func (f Fleet) Of(t record.Trial) record.Machine { return f[t.Keys[record.KeyMachine]] }

// Emulated says whether the trial's figures are those of an emulator.
func (f Fleet) Emulated(t record.Trial) bool {
	return t.Keys[record.KeyEmulated] != "" || f.Of(t).Emulated != ""
}

// Doubts are a trial's own and those that its ledger and machine give.
func (f Fleet) Doubts(t record.Trial) []note.Note {
	out := note.FromRecords(t.Doubts)
	if f.Emulated(t) {
		out = append(out, note.New("emulated"))
	}
	return append(append(append(out, unsteady(t)...), Warming(t)...), Taints(t)...)
}
