package stat

import (
	"math"
	"slices"
)

// The classes of Regulation.
const (
	Quantum = "quantum" // an allowance that is renewed at equal intervals
	Credit  = "credit"  // a bucket that was full, and its refill rate from then on
	Bursts  = "bursts"  // equal bursts at equal intervals, too small to differ from operations completed together
	Stalls  = "stalls"  // silences without such constancy
	Smooth  = "smooth"  // neither
)

// Classes returns the classes of Regulation, the weakest claim first.
func Classes() []string { return []string{Smooth, Stalls, Bursts, Credit, Quantum} }

// Timeline holds the completions of a device in equal steps of time, under a deep queue that never ran empty.
type Timeline struct {
	StepS float64   // seconds per step
	Bytes []float64 // completed in each step
	IOs   []float64 // completed in each step: as many entries as Bytes

	Before   float64   // seconds at full load before the first step, which have drained a credit already
	InFlight float64   // bytes that the load kept in flight; 0: unknown, and taken to be less than any burst
	Unseen   []float64 // share of each step in which the load's threads were not running, 0 to 1; nil: none

	Shallower bool // a load that Regulation.Shallower asked for, to be compared with the deep one
}

// Regulation describes how a device was throttled. Fields that a class does not have, or that could not be determined,
// are NaN. Rates are bytes per second.
type Regulation struct {
	Class        string
	PeriodS      float64 // from one burst's start to the next, of Quantum and Bursts
	QuantumBytes float64 // bytes per period
	Rate         float64 // sustained: for Quantum and Credit the rate of the regulator, else the mean
	BurstRate    float64 // while not throttled, of Quantum, Credit, and Stalls whose bursts are more than completions
	AtLeast      bool    // bursts span fewer than three bins: BurstRate is a lower bound, Duty an upper one
	Duty         float64 // share of a period in which data flow, Rate/BurstRate
	ZeroFraction float64 // share of the time in which nothing flows
	BucketBytes  float64 // (BurstRate − Rate)·ExhaustedS, of Credit
	ExhaustedS   float64 // time at full load until Credit has run out
	SafeRate     float64 // at which no allowance ends before it is renewed, of Quantum and Credit
	SafeBurst    float64 // bytes that a full allowance lets pass at once

	Cycles      int     // whole periods, or pieces between silences
	AutoPeriodS float64 // the period by autocorrelation alone, of Quantum
	BinS        float64 // steps were joined into bins that hold eight I/Os
	SilenceS    float64 // silences of this length or longer make up half of all silent time; NaN without any
	SilenceP50S float64 // of silences, each counted once
	SilenceP99S float64
	SilenceMaxS float64
	ObservedS   float64 // length of the timeline
	Bytes       float64 // of the timeline
	IOBytes     float64 // mean size of an I/O
	InFlight    float64 // bytes that the load kept in flight; 0: unknown
	Unseen      float64 // share of the time in which the load's threads were not running
}

// Limits of docs/derivations.md#throttling. Instead of requiring coefficients of variation below 0.15, a share of
// the cycles must lie within 15% of the median: two thirds of a normal variable lie within one standard deviation, and
// one burst that the host split must not spoil a hundred that it did not.
const (
	minIOs      = 8 // of a bin
	fewestBins  = 40
	offLevel    = 0.10 // of the 98th percentile: less is silence
	offShare    = 0.02 // of bins: less silence than this is negligible
	MinCycles   = 10   // of a period that is believed
	alikeWithin = 0.15 // of the median
	alikeShare  = 0.80 // of the cycles
	unseen      = 0.5  // of a bin: it tells nothing of the disk
	seenShare   = 0.5  // of the silent bins
	beat        = 1.5  // bins: a silence of one may be the bins' own
)

// FlowsFrom is the size of a burst, over what the load keeps in flight, from which on data flowed in it: what is in
// flight may end all at once, however long the device has worked on it, and twice as much holds operations that began
// and ended within the burst.
const FlowsFrom = 2

// RegulationOf classifies a timeline (docs/derivations.md#throttling). It returns false if there is too little to
// classify: fewer than 40 bins of eight I/Os, or no bytes at all.
//
// Quantum differs from pauses (of a garbage collector, of commits) by a constant sum of bytes in each cycle in addition
// to a constant period, and from a device that completes many operations together by a sum larger than what was in
// flight. Credit is a single drop of the level, with flat stretches before and after it.
//
// What a load's own threads did not see is held against no disk. If they saw less than half of the silence, or if there
// is none to see, the claim must be the same without the unseen time, or the weaker one counts.
func RegulationOf(t Timeline) (Regulation, bool) {
	x, blind, bin := t.bins()
	if len(x) < fewestBins {
		return Regulation{}, false
	}
	r := t.classify(x, bin)
	seen := watched(x, blind)
	if len(seen) == len(x) || r.Class == Smooth || r.Class != Credit && silenceSeen(x, blind) >= seenShare {
		return r, true
	}
	if len(seen) < fewestBins {
		return Regulation{}, false
	}
	without := t.classify(seen, bin)
	if slices.Index(Classes(), without.Class) < slices.Index(Classes(), r.Class) {
		if without.Class == Smooth || without.Class == Stalls || without.Class == Bursts {
			without.Rate = r.Bytes / r.ObservedS // of the whole time
		}
		return without, true
	}
	return r, true
}

// silenceSeen returns the share of the silent bins that were seen; NaN without any.
func silenceSeen(x, blind []float64) float64 {
	silent, watched := 0.0, 0.0
	for i, on := range flowing(evenOutDelays(x)) {
		if !on {
			silent++
			if blind[i] < unseen {
				watched++
			}
		}
	}
	return watched / silent
}

// watched returns the bins that were seen. The bin after a gap is left out too: all that ended during the gap is found
// in it.
func watched(x, blind []float64) []float64 {
	out := make([]float64, 0, len(x))
	gap := false
	for i, v := range x {
		was := gap
		gap = len(blind) > 0 && blind[i] >= unseen
		if !gap && !was {
			out = append(out, v)
		}
	}
	return out
}

// classify describes the bins of a timeline.
func (t Timeline) classify(x []float64, bin float64) Regulation {
	x = evenOutDelays(x)
	r := blank(x, bin)
	r.IOBytes = sum(t.Bytes) / sum(t.IOs)
	r.InFlight, r.Unseen = t.InFlight, sum(t.Unseen)/float64(len(t.Bytes))
	if credit(&r, x, bin, t.Before) {
		return r
	}
	on := flowing(x)
	silences := lengths(on, false)
	r.silences(silences, bin)
	r.ZeroFraction = shareOf(on, false)
	if r.ZeroFraction < offShare {
		r.Class = Smooth
		return r
	}
	r.Class = Stalls
	joined := bridged(on, r.SilenceS/bin/4)
	starts := startsOf(joined)
	r.Cycles = max(0, len(starts)-1)
	burst := r.Bytes
	if r.Cycles > 0 {
		_, carried := cycles(x, starts)
		burst = Median(carried)
	}
	if r.flows(burst) {
		r.BurstRate, r.AtLeast = burstRate(x, joined, bin)
		r.Duty = math.Min(1, r.Rate/r.BurstRate)
	}
	// Operations that end together every 1.2 ms leave every sixth ms empty: a beat with the bins.
	if r.Cycles >= MinCycles && r.SilenceS > beat*bin {
		r.quantum(x, starts, bin)
	}
	return r
}

// flows reports whether a burst of so many bytes is more than operations that ended together.
func (r Regulation) flows(burst float64) bool { return burst > FlowsFrom*r.InFlight }

func blank(x []float64, bin float64) Regulation {
	nan := math.NaN()
	span := bin * float64(len(x))
	return Regulation{
		Class: Smooth, PeriodS: nan, QuantumBytes: nan, Rate: sum(x) / span, BurstRate: nan, Duty: nan, BucketBytes: nan,
		ExhaustedS: nan, SafeRate: nan, SafeBurst: nan, AutoPeriodS: nan, BinS: bin,
		SilenceS: nan, SilenceP50S: nan, SilenceP99S: nan, SilenceMaxS: nan, ObservedS: span, Bytes: sum(x),
	}
}

// Shallower returns how many operations in flight, over how many seconds, tell the two causes of Bursts apart: a quota
// lets the same bytes pass in the same period, and operations that end together are as many fewer. In flight are as
// many as let the least burst that Confirmed takes for the same count as flow: with more, a burst may be what was in
// flight, and with fewer, a slow device may not use up its quota. It returns false for other classes, or if a burst
// holds too few operations.
//
// Operations now end in rounds of what is in flight, so that a round in a bin is enough. With eight to a bin, a quota
// of ten operations that end one by one gets bins about as long as its period. If a steady load then looks like stalls,
// it confirms nothing.
func (r Regulation) Shallower() (inFlight int, seconds float64, ok bool) {
	const spare = 10 // periods beyond the least
	inFlight = int((1 - alikeWithin) * r.QuantumBytes / FlowsFrom / r.IOBytes)
	return inFlight, (MinCycles + spare) * r.PeriodS, r.Class == Bursts && inFlight >= 1
}

// Confirmed returns r as a Quantum if a shallower load met the same quota.
func (r Regulation) Confirmed(by Regulation) Regulation {
	near := func(a, b float64) bool { return math.Abs(a/b-1) <= alikeWithin }
	if r.Class != Bursts || by.Class != Quantum || !near(by.PeriodS, r.PeriodS) ||
		!near(by.QuantumBytes, r.QuantumBytes) {
		return r
	}
	r.Class, r.Rate = Quantum, r.QuantumBytes/r.PeriodS
	r.BurstRate, r.AtLeast = by.BurstRate, true // a deeper queue is no slower
	r.Duty = math.Min(1, r.Rate/r.BurstRate)
	r.SafeRate, r.SafeBurst = r.Rate, by.SafeBurst
	return r
}

// quantum sets the class Quantum if the cycles are alike, either as they are or without the starts that follow another
// by less than half of the autocorrelation's period: those are bursts that the host split. If data need not have flowed
// in them, the class is Bursts.
func (r *Regulation) quantum(x []float64, starts []int, bin float64) {
	again := autoPeriod(x)
	lasted, carried := cycles(x, starts)
	of, ok := alike(lasted, carried)
	if whole := apart(starts, again/2); !ok && len(whole) > MinCycles {
		lasted, carried = cycles(x, whole)
		of, ok = alike(lasted, carried)
		// Among random bursts, too, those left come at similar intervals: the shortest allowed.
		ok = ok && math.Abs(Median(lasted)/again-1) <= alikeWithin
	}
	if !ok {
		return
	}
	period, amount := Mean(chosen(lasted, of))*bin, Mean(chosen(carried, of))
	if !r.flows(amount) {
		r.Class, r.PeriodS, r.QuantumBytes, r.AutoPeriodS = Bursts, period, amount, again*bin
		r.BurstRate, r.AtLeast, r.Duty = math.NaN(), false, math.NaN()
		return
	}
	if math.IsNaN(r.BurstRate) || period-amount/r.BurstRate < bin/2 {
		return
	}
	r.Class = Quantum
	r.PeriodS, r.QuantumBytes, r.Rate = period, amount, amount/period
	r.Duty = r.Rate / r.BurstRate
	r.ZeroFraction = 1 - r.Duty
	r.SafeRate = r.Rate
	sorted := slices.Sorted(slices.Values(chosen(carried, of)))
	r.SafeBurst = Quantile(sorted, .05)
	r.AutoPeriodS = again * bin
}

// apart returns the starts at least some bins after the previous one.
func apart(starts []int, bins float64) []int {
	out := starts[:1:1]
	for _, s := range starts[1:] {
		if float64(s-out[len(out)-1]) >= bins {
			out = append(out, s)
		}
	}
	return out
}

// cycles returns the bins and the bytes from each start to the next.
func cycles(x []float64, starts []int) (lasted, carried []float64) {
	for i, from := range starts[:len(starts)-1] {
		lasted = append(lasted, float64(starts[i+1]-from))
		carried = append(carried, sum(x[from:starts[i+1]]))
	}
	return lasted, carried
}

// alike returns the cycles with about the median length and bytes; false if they are too few to be the rule.
func alike(lasted, carried []float64) (of []int, ok bool) {
	length, amount := Median(lasted), Median(carried)
	long, much := 0, 0
	for i := range lasted {
		// Lengths are whole bins, so a difference of one bin does not count.
		l := math.Abs(lasted[i]-length) <= math.Max(alikeWithin*length, 1)
		c := math.Abs(carried[i]-amount) <= alikeWithin*amount
		if l {
			long++
		}
		if c {
			much++
		}
		if l && c {
			of = append(of, i)
		}
	}
	least := alikeShare * float64(len(lasted))
	return of, float64(long) >= least && float64(much) >= least && len(of) >= MinCycles
}

// burstRate returns the rate in bins whose neighbours flow too, because those are whole; if fewer than half of the
// bursts have such a bin, the rate of the fullest bins as a lower bound: of short bursts, the few that are longer are
// those with a bridged silence.
func burstRate(x []float64, on []bool, bin float64) (rate float64, atLeast bool) {
	var inner []float64
	for i := 1; i+1 < len(x); i++ {
		if on[i-1] && on[i] && on[i+1] {
			inner = append(inner, x[i])
		}
	}
	bursts, long := lengths(on, true), 0
	for _, n := range bursts {
		if n > 2 {
			long++
		}
	}
	if len(inner) >= MinCycles && 2*long >= len(bursts) {
		return trimmed(inner) / bin, false
	}
	return fullest(x) / bin, true
}

// trimmed returns the mean without a tenth at either end. A median would be a whole number of I/Os, of which a bin
// holds few.
func trimmed(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	cut := len(sorted) / 10
	return Mean(sorted[cut : len(sorted)-cut])
}

// silences sets the statistics of silences; lengths are in bins.
func (r *Regulation) silences(lengths []float64, bin float64) {
	if len(lengths) == 0 {
		return
	}
	slices.Sort(lengths)
	r.SilenceP50S, r.SilenceP99S = bin*Quantile(lengths, .5), bin*Quantile(lengths, .99)
	r.SilenceMaxS = bin * lengths[len(lengths)-1]
	half := sum(lengths) / 2
	for i := len(lengths) - 1; i >= 0 && half > 0; i-- {
		r.SilenceS = bin * lengths[i]
		half -= lengths[i]
	}
}
