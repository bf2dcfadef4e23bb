package stat

import (
	"math"
	"slices"
)

// The classes of Regulation.
const (
	Quantum = "quantum" // an allowance that is renewed at equal intervals
	Credit  = "credit"  // a bucket that was full, and its refill rate from then on
	Stalls  = "stalls"  // silences without such constancy
	Smooth  = "smooth"  // neither
)

// Timeline holds the completions of a device in equal steps of time, under a deep queue that never ran empty.
type Timeline struct {
	StepS float64   // seconds per step
	Bytes []float64 // completed in each step
	IOs   []float64 // completed in each step: as many entries as Bytes

	Before float64 // seconds at full load before the first step, which have drained a credit already
}

// Regulation describes how a device was throttled. Fields that a class does not have, or that could not be determined,
// are NaN. Rates are bytes per second.
type Regulation struct {
	Class        string
	PeriodS      float64 // from one burst's start to the next, of Quantum
	QuantumBytes float64 // bytes per period
	Rate         float64 // sustained: for Quantum and Credit the rate of the regulator, else the mean
	BurstRate    float64 // while not throttled, of Quantum, Credit and Stalls
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
}

// Limits of docs/method.md#regulation-of-disks. Instead of requiring coefficients of variation below 0.15, a share of
// the cycles must lie within 15 % of the median: two thirds of a normal variable lie within one standard deviation, and
// one burst that the host split must not spoil a hundred that it did not.
const (
	minIOs      = 8 // of a bin
	fewestBins  = 40
	offLevel    = 0.10 // of the 98th percentile: less is silence
	offShare    = 0.02 // of bins: less silence than this is negligible
	MinCycles   = 10   // of a period that is believed
	alikeWithin = 0.15 // of the median
	alikeShare  = 0.80 // of the cycles
)

// RegulationOf classifies a timeline (docs/method.md#regulation-of-disks). It returns false if there is too little to
// classify: fewer than 40 bins of eight I/Os, or no bytes at all.
//
// Quantum differs from pauses (of a garbage collector, of commits) by a constant sum of bytes in each cycle in addition
// to a constant period. Credit is a single drop of the level, with flat stretches before and after it.
func RegulationOf(t Timeline) (Regulation, bool) {
	x, bin := t.bins()
	if len(x) < fewestBins {
		return Regulation{}, false
	}
	x = evenOutDelays(x)
	r := blank(x, bin)
	r.IOBytes = sum(t.Bytes) / sum(t.IOs)
	if credit(&r, x, bin, t.Before) {
		return r, true
	}
	on := flowing(x)
	silences := lengths(on, false)
	r.silences(silences, bin)
	r.ZeroFraction = shareOf(on, false)
	if r.ZeroFraction < offShare {
		r.Class = Smooth
		return r, true
	}
	r.Class = Stalls
	joined := bridged(on, r.SilenceS/bin/4)
	r.BurstRate, r.AtLeast = burstRate(x, joined, bin)
	r.Duty = math.Min(1, r.Rate/r.BurstRate)
	starts := startsOf(joined)
	r.Cycles = max(0, len(starts)-1)
	if r.Cycles >= MinCycles {
		r.quantum(x, starts, bin)
	}
	return r, true
}

func blank(x []float64, bin float64) Regulation {
	nan := math.NaN()
	span := bin * float64(len(x))
	return Regulation{
		Class: Smooth, PeriodS: nan, QuantumBytes: nan, Rate: sum(x) / span, BurstRate: nan, Duty: nan, BucketBytes: nan,
		ExhaustedS: nan, SafeRate: nan, SafeBurst: nan, AutoPeriodS: nan, BinS: bin,
		SilenceS: nan, SilenceP50S: nan, SilenceP99S: nan, SilenceMaxS: nan, ObservedS: span, Bytes: sum(x),
	}
}

// quantum sets the class Quantum if the cycles are alike, either as they are or without the starts that follow another
// by less than half of the autocorrelation's period: those are bursts that the host split.
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
	if period-amount/r.BurstRate < bin/2 {
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

// burstRate returns the rate in bins whose neighbours flow too, because those are whole; if bursts are too short for
// that, the rate of the fullest bins as a lower bound.
func burstRate(x []float64, on []bool, bin float64) (rate float64, atLeast bool) {
	var inner []float64
	for i := 1; i+1 < len(x); i++ {
		if on[i-1] && on[i] && on[i+1] {
			inner = append(inner, x[i])
		}
	}
	if len(inner) >= max(MinCycles, len(startsOf(on))/2) {
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
