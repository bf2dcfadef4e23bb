package render

import (
	"fmt"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// manyTimes is the ratio from which "times as much" is plainer than percent.
const manyTimes = 2

// claim is what a ratio says about two sides, to be put into words. The ratio
// is subject over object.
type claim struct {
	subject, object string
	verb            string // "carries", "does"
	metric          string
	per             string
	direction       record.Better
	ratio           span
	verdict         judge.Verdict
	n               int
	each            string // what n counts
}

// sentence puts the claim into words, its interval before its estimate.
func (c claim) sentence() string {
	if c.ratio.bounded() {
		text := c.clause(*c.ratio.lo, *c.ratio.hi)
		if c.verdict == judge.Equivalent {
			text += ", within the margin"
		}
		return text
	}
	why := noInterval(c.n, c.each)
	switch {
	case isFinite(c.ratio.value) && c.ratio.value > 0:
	case c.n < minReplicates:
		return why
	default:
		return fmt.Sprintf("no ratio: %s", count(c.n, c.each))
	}
	return why + "; by estimate " + c.clause(c.ratio.value, c.ratio.value)
}

// noInterval says why there is none.
func noInterval(n int, each string) string {
	text := fmt.Sprintf("no interval: %s", count(n, each))
	if n < minReplicates {
		text += fmt.Sprintf(", %d needed", minReplicates)
	}
	return text
}

func (c claim) clause(lo, hi float64) string {
	if c.direction == record.Higher {
		return c.subject + " " + c.verb + " " + quantityChange(lo, hi, perUnit(c.per), c.object)
	}
	what := c.metric + perUnit(c.per)
	return c.subject + "'s " + what + " is " + levelChange(lo, hi, c.object) + c.judgement(lo, hi)
}

// quantityChange compares how much is done.
func quantityChange(lo, hi float64, per, object string) string {
	switch {
	case lo >= manyTimes:
		return times(lo, hi) + " as much" + per + " as " + object
	case lo == 1 && hi == 1:
		return "as much" + per + " as " + object
	}
	return percents(lo, hi, "more", "less") + per + " than " + object
}

// levelChange compares how high a figure is.
func levelChange(lo, hi float64, object string) string {
	switch {
	case lo >= manyTimes:
		return times(lo, hi) + " " + object + "'s"
	case lo == 1 && hi == 1:
		return "that of " + object
	}
	return percents(lo, hi, "higher", "lower") + " than " + object + "'s"
}

// judgement says which way is better where the words for the change do not.
func (c claim) judgement(lo, hi float64) string {
	if c.direction != record.Lower || c.verdict == judge.Equivalent {
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

// percents writes an interval of ratios as percentages, the smaller change first.
func percents(lo, hi float64, more, less string) string {
	switch {
	case lo >= 1:
		return percentRange(lo-1, hi-1) + " " + more
	case hi <= 1:
		return percentRange(1-hi, 1-lo) + " " + less
	}
	return fmt.Sprintf("between %s %% %s and %s %% %s", percent(1-lo, 1), less, percent(hi-1, 1), more)
}

func percentRange(small, large float64) string {
	places := 1
	if percent(small, 1) == "0.0" && small > 0 {
		places = 2
	}
	if percent(small, places) == percent(large, places) {
		return percent(large, places) + " %"
	}
	return percent(small, places) + " % to " + percent(large, places) + " %"
}

func percent(fraction float64, places int) string { return fixed(fraction*100, places) }

func times(lo, hi float64) string {
	from, to := fixed(lo, decimals(lo, digits)), fixed(hi, decimals(lo, digits))
	if from == to {
		return to + " times"
	}
	return from + " to " + to + " times"
}

// perUnit writes what a figure is divided by.
func perUnit(per string) string {
	switch per {
	case "", "machine":
		return ""
	case "vcpu":
		return " per vCPU"
	}
	return " per " + per
}

// count writes "1 pair" or "2 pairs".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
