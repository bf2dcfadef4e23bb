package trialset

import (
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// The limits of disturbance of a trial (docs/derivations.md#stalls-and-noise). Throttling and swapping have no limit:
// any is a disturbance. CPU time of foreign tasks was not available to the trial, like steal.
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

// Other programs with a quarter of the CPUs, while something waits for a CPU in a quarter of the time, lower a figure
// far more than the usual disturbances.
const (
	muchForeign = .25
	muchWaiting = 25 // %
)

// Taken returns the mean share of the CPUs that other programs had in the trials that know it. If the work of most of
// them waited for a CPU, waited is set.
func Taken(trials []record.Trial) (share float64, waited bool) {
	var shares []float64
	waits := 0
	for _, t := range trials {
		if t.Ledger == nil || foreign(t) == nil || Usable(*t.CPU) == 0 {
			continue
		}
		shares = append(shares, *foreign(t)/100/float64(Usable(*t.CPU)))
		much := func(pct *float64) bool { return pct != nil && *pct >= muchWaiting }
		if much(t.Ledger.RunDelayPct) || much(t.Ledger.PSICPUPct) {
			waits++
		}
	}
	if len(shares) == 0 {
		return 0, false
	}
	share = min(stat.Mean(shares), 1)
	return share, share >= muchForeign && 2*waits > len(shares)
}

// FairCPU returns the part of a CPU that each waiting thread gets, at most 1. It follows from the highest load average
// of the trials, and is 0 if that is not known.
func FairCPU(trials []record.Trial) float64 {
	out := 0.
	for _, t := range trials {
		if t.Ledger == nil || t.Ledger.LoadAvg1 == nil || t.CPU == nil || Usable(*t.CPU) == 0 {
			continue
		}
		share := min(float64(Usable(*t.CPU)) / *t.Ledger.LoadAvg1, 1)
		if out == 0 || share < out {
			out = share
		}
	}
	return out
}

// ForeignLimit returns how much CPU foreign tasks may have, in % of one CPU: MaxForeign of all CPUs plus the share that
// ticks may charge to them by chance. A CPU that is busy half of the time has a binomial count of ticks with a standard
// deviation of √n/2.
func ForeignLimit(t record.Trial) float64 {
	window := t.ObservedS()
	if t.CPU == nil || window <= 0 {
		return math.Inf(1)
	}
	cpus := float64(Usable(*t.CPU))
	ticks := cpus * window / tick
	return MaxForeign*cpus + 100*tickScatter*math.Sqrt(ticks)/2*tick/window
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
	return slices.Concat(out, unsteady(t), Warming(t), Taints(t), overAllowance(t))
}

// The limits of docs/derivations.md#stalls-and-noise.
const (
	maxGap      = 0.100 // seconds: a longer gap is a doubt
	maxStill    = 0.01  // of the measured time: if gaps add up to more, the trial is void
	maxIdle     = 5.0   // % of the window in which lanes that never block may neither run nor wait for a CPU
	leastIdleS  = 0.2   // seconds of that at least: the reading error at either end of the window
	idleOfDelay = 0.5   // of the lanes' wait for a CPU: on a busy machine they also wait for threads that hand over work
)

// StoodStill returns the reason if a trial is void since its agent did not run for a part of it, else "". Such
// measurements do not describe the target alone.
func StoodStill(t record.Trial) string {
	l := t.Ledger
	if l == nil || t.DurationS <= 0 {
		return ""
	}
	if l.GapMaxS != nil && l.GapsS != nil && *l.GapMaxS >= maxGap && *l.GapsS >= max(maxGap, maxStill*t.DurationS) {
		return note.New("agent-stood-still", *l.GapsS, t.DurationS).Text()
	}
	if i := l.IdlePct; i != nil && *i >= max(maxIdle, idleOfDelay*deref(l.RunDelayPct)) &&
		*i/100*t.DurationS >= leastIdleS {
		return note.New("lanes-stopped", *i).Text()
	}
	return ""
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// The conditions on a trial's own windows, with its limits from package stat: less than a quarter
// kept, a drift of more than 1% with p < 0.01.

// Settled reports whether a trial reached a steady state.
func Settled(w record.SteadyState) bool { return stat.SteadyState{Kept: w.Kept}.Holds() }

// Drifts reports whether throughput drifted over the measured windows.
func Drifts(w record.SteadyState) bool { return stat.Drift{Change: w.Drift, P: w.DriftP}.Holds() }

// Late reports whether a trial became steady, but not from its beginning. The segments of stat.SteadyFrom have 15
// windows at least, so the delay is never just a second or two.
func Late(w record.SteadyState) bool { return Settled(w) && w.SteadyS > 0 }

// unsteady returns the doubts that a trial's own windows raise. The value is unchanged: nothing is cut off. If the
// trial was too short, or comes from an old file or an import, there are none.
func unsteady(t record.Trial) []note.Note {
	if t.Steady == nil {
		return nil
	}
	w := *t.Steady
	var out []note.Note
	switch {
	case !Settled(w):
		out = append(out, note.New("not-steady", 100*w.Kept))
	case Late(w):
		out = append(out, note.New("steady-late", w.SteadyS))
	}
	if Drifts(w) {
		out = append(out, note.New("drifts", 100*w.Drift))
	}
	return out
}

// Tally counts the trials that bear a figure, and keeps the largest.
type Tally struct {
	N    int
	Most float64
}

// Add counts a trial if it bears the figure.
func (y *Tally) Add(is bool, figure float64) {
	if is {
		y.N, y.Most = y.N+1, max(y.Most, figure)
	}
}
