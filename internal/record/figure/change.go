package figure

import (
	"fmt"
	"strings"

	"plimsoll/internal/record"
)

// ManyTimes is the ratio from which "times as much" is plainer than percent.
const ManyTimes = 2

// Claim is a ratio of two sides, subject over object, to be expressed in words.
type Claim struct {
	Subject, Object string
	Metric          string
	Unit            string // of the metric, in SI
	Load            bool   // the metric is the highest load
	Per             string
	Direction       record.Better
	Ratio           Estimate
	Within          bool // the verdict is that it lies within the margin
	N               int
	Each            Each    // what N counts
	Confidence      float64 // of the interval, as a fraction; 0: 95%
}

// Sentence returns the claim with its whole interval, or the reason why there is none and the estimate.
func (c Claim) Sentence() string {
	if c.Ratio.Bounded() {
		lo, hi, sure := *c.Ratio.Lo, *c.Ratio.Hi, Proved
		if lo < 1 && hi > 1 && !c.Within {
			sure = Possible
		}
		text := c.Headline(sure, lo, hi)
		if c.Within {
			return text + ", within the margin"
		}
		return text + c.judgement(lo, hi)
	}
	why := noInterval(c.N, c.Each)
	switch {
	case IsFinite(c.Ratio.Value) && c.Ratio.Value > 0:
	case c.N < MinReplicates:
		return why
	default:
		return "no ratio: " + c.Each.Count(c.N)
	}
	return why + "; by estimate " + c.Headline(Observed, c.Ratio.Value, c.Ratio.Value)
}

// noInterval returns the reason if there is no interval.
func noInterval(n int, each Each) string {
	text := "no interval: " + each.Count(n)
	if n < MinReplicates {
		text += fmt.Sprintf(", %d needed", MinReplicates)
	}
	return text
}

// judgement returns which way is better if the words for the change do not tell.
func (c Claim) judgement(lo, hi float64) string {
	if c.Direction != record.Lower || !c.manner().level {
		return ""
	}
	switch {
	case hi < 1:
		return " (better)"
	case lo > 1:
		return " (worse)"
	}
	return ""
}

// Percents formats an interval of ratios as percentages, the smaller change first.
func Percents(lo, hi float64, more, less string) string {
	switch {
	case lo >= 1:
		return PercentRange(lo-1, hi-1) + " " + more
	case nearlyNone(hi) && nearlyNone(lo):
		return strings.TrimSuffix(PercentSpan(lo, hi), "less") + less
	case hi <= 1:
		return PercentRange(1-hi, 1-lo) + " " + less
	}
	return fmt.Sprintf("between %s%% %s and %s%% %s", PercentOf(1-lo, 1), less, PercentOf(hi-1, 1), more)
}

// PercentRange returns two percentages, already rounded, as one range.
func PercentRange(small, large float64) string {
	places := 1
	if PercentOf(small, 1) == "0.0" && small > 0 {
		places = 2
	}
	return joinedRange(PercentOf(small, places)+"%", PercentOf(large, places)+"%")
}

// PercentOf returns a fraction as a percentage with the given number of decimals, without the sign.
func PercentOf(fraction float64, places int) string { return Fixed(fraction*100, places) }

// Factors returns a range of ratios as "2.08x to 2.31x".
func Factors(lo, hi float64) string {
	places := Decimals(lo, Digits)
	return joinedRange(Fixed(lo, places)+"x", Fixed(hi, places)+"x")
}

// PerUnit returns the text for the divisor of a
func PerUnit(per string) string {
	switch per {
	case "", "machine":
		return ""
	case "vcpu":
		return " per vCPU"
	}
	return " per " + per
}

// Count formats a number with its noun: "1 file", "2 files".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
