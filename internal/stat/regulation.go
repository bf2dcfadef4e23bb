package stat

import (
	"math"
	"slices"
)

// The classes of Regulation.
const (
	Quantum = "quantum" // an allowance that is renewed in equal steps of time
	Credit  = "credit"  // a bucket that was full, and its refill from then on
	Stalls  = "stalls"  // silences without such constancy
	Smooth  = "smooth"  // neither
)

// Timeline is what a device completed in equal steps of time under a deep queue that
// never ran empty.
type Timeline struct {
	StepS float64   // seconds of a step
	Bytes []float64 // completed in each step
	IOs   []float64 // completed in each step: as many as Bytes
}

// Regulation is how a device was held back, as far as it is regular. What a class does not
// have, or what could not be told, is NaN. Rates are bytes per second.
type Regulation struct {
	Class        string
	PeriodS      float64 // from one burst's start to the next, of Quantum
	QuantumBytes float64 // bytes of a period
	Rate         float64 // sustained: of Quantum and of Credit what the regulator lets pass, else the mean
	BurstRate    float64 // while it is not held back, of Quantum, Credit and Stalls
	AtLeast      bool    // bursts span fewer than three bins: BurstRate is a lower bound, Duty an upper one
	Duty         float64 // share of a period in which data flow, Rate/BurstRate
	ZeroFraction float64 // share of the time in which nothing flows
	BucketBytes  float64 // (BurstRate − Rate)·ExhaustedS, of Credit
	ExhaustedS   float64 // after how long at full load Credit has run out
	SafeRate     float64 // at which no allowance ends before it is renewed, of Quantum and Credit
	SafeBurst    float64 // bytes that a full allowance lets pass at once

	Cycles      int     // whole periods, or pieces between silences
	AutoPeriodS float64 // the period by autocorrelation alone, of Quantum
	BinS        float64 // steps were put together to bins that hold eight I/Os
	SilenceS    float64 // silences of this length or longer make up half of all silent time; NaN without any
	SilenceP50S float64 // of silences, each counted once
	SilenceP99S float64
	SilenceMaxS float64
	ObservedS   float64 // length of the timeline
	Bytes       float64 // of the timeline
	IOBytes     float64 // of an I/O, on average
}

// Limits of METHOD section 6. What it asks of the coefficients of variation, that both be below 0.15,
// is asked of the share of cycles instead: two thirds of a normal variable lie within one standard
// deviation, and one burst that the host cut in two must not spoil a hundred that it did not.
const (
	minIOs      = 8 // of a bin
	fewestBins  = 40
	offLevel    = 0.10 // of the 98th percentile: less is silence
	offShare    = 0.02 // of bins: less is no silence to speak of
	MinCycles   = 10   // of a period that is believed
	alikeWithin = 0.15 // of the median
	alikeShare  = 0.80 // of the cycles
)

// RegulationOf classifies a timeline (METHOD section 6). It is false where there is too little to say
// anything: fewer than 40 bins of eight I/Os, or no bytes at all.
//
// Quantum is told from pauses (of a garbage collector, of commits) by a constant sum of bytes in each
// cycle beside a constant period. Credit is one drop of the level, with flat stretches before and after it.
func RegulationOf(t Timeline) (Regulation, bool) {
	x, bin := t.bins()
	if len(x) < fewestBins {
		return Regulation{}, false
	}
	x = toldLate(x)
	r := blank(x, bin)
	r.IOBytes = sum(t.Bytes) / sum(t.IOs)
	if credit(&r, x, bin) {
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

// quantum makes the class Quantum where the cycles are alike, as they are or without the starts that come less than half of
// autocorrelation's period after another: those are bursts that the host has cut in two.
func (r *Regulation) quantum(x []float64, starts []int, bin float64) {
	again := autoPeriod(x)
	lasted, carried := cycles(x, starts)
	of, ok := alike(lasted, carried)
	if whole := apart(starts, again/2); !ok && len(whole) > MinCycles {
		lasted, carried = cycles(x, whole)
		of, ok = alike(lasted, carried)
		// Of what comes at random, too, those that are left come at like times: as soon as they may.
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

// apart are the starts that come some bins after the one before, or later.
func apart(starts []int, bins float64) []int {
	out := starts[:1:1]
	for _, s := range starts[1:] {
		if float64(s-out[len(out)-1]) >= bins {
			out = append(out, s)
		}
	}
	return out
}

// cycles are the bins and the bytes from each start to the next.
func cycles(x []float64, starts []int) (lasted, carried []float64) {
	for i, from := range starts[:len(starts)-1] {
		lasted = append(lasted, float64(starts[i+1]-from))
		carried = append(carried, sum(x[from:starts[i+1]]))
	}
	return lasted, carried
}

// alike are the cycles that last and carry what the median does; false where those are too few to be the rule.
func alike(lasted, carried []float64) (of []int, ok bool) {
	length, amount := Median(lasted), Median(carried)
	long, much := 0, 0
	for i := range lasted {
		// Lengths are whole bins, so that one of them is no difference.
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

// burstRate is the rate in bins whose neighbours flow too, which are whole; where bursts are too
// short for that, what the fullest bins hold is a lower bound.
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

// trimmed is the mean without the tenth at either end. A median would be a whole number of I/Os, of which a bin holds few.
func trimmed(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	cut := len(sorted) / 10
	return Mean(sorted[cut : len(sorted)-cut])
}

// silences sets what is said of them; lengths in bins.
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
