package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/list"
)

// holdsError reports that a --fail-if holds, or may hold where that fails too.
type holdsError struct{ msg string }

func (e holdsError) Error() string { return e.msg }

// gateFlags are the conditions on changes that set the exit code.
type gateFlags struct {
	texts     []string
	undecided string
	all       []compare.Condition
}

// The values of --undecided.
const (
	undecidedFails  = "fail"
	undecidedPasses = "pass"
)

func (g *gateFlags) addTo(f *pflag.FlagSet) {
	f.StringArrayVar(&g.texts, "fail-if", nil,
		"exit with code 4 if the whole interval of a change satisfies this, such as 'throughput < -2%'; repeatable")
	f.StringVar(&g.undecided, "undecided", undecidedPasses,
		"with --fail-if, what a change does whose interval satisfies it in part, or that has no interval: fail or pass")
}

// check parses the conditions.
func (g *gateFlags) check(f *pflag.FlagSet) error {
	for _, text := range g.texts {
		c, err := compare.ParseCondition(text)
		if err != nil {
			return usagef("--fail-if %v", err)
		}
		g.all = append(g.all, c)
	}
	switch {
	case g.undecided != undecidedFails && g.undecided != undecidedPasses:
		return usagef("--undecided %s: must be fail or pass\nhint: --undecided fail exits with code 4 if a "+
			"--fail-if may hold", g.undecided)
	case f.Changed("undecided") && len(g.texts) == 0:
		return usagef("--undecided requires --fail-if\nhint: --fail-if 'throughput < -2%%' states what must not happen")
	}
	return nil
}

// judge writes what passed, and returns the error for conditions that hold. A condition about something that was not
// compared is an error too: it would never fail.
func (g gateFlags) judge(w io.Writer, got finding.Compared) error {
	var failed, undecided, passed []string
	for i, c := range g.all {
		j := c.Judge(got)
		if j.Count() == 0 {
			return usagef("--fail-if %q: no %s per %s was compared\nhint: plimsoll compare --json lists metric and per of "+
				"all comparisons", g.texts[i], c.Metric, c.Per)
		}
		for _, v := range j.Holding {
			failed = append(failed, fmt.Sprintf("--fail-if %q holds: %s", g.texts[i], changeOf(v)))
		}
		for _, v := range j.Undecided {
			undecided = append(undecided, fmt.Sprintf("--fail-if %q is undecided: %s", g.texts[i], changeOf(v)))
		}
		if len(j.Passed) > 0 {
			passed = append(passed, passedText(c, j.Passed))
		}
	}
	if g.undecided == undecidedFails && len(undecided) > 0 {
		failed = append(failed, undecided...)
		failed[len(failed)-1] += "\nhint: --undecided fail is set: more runs narrow an interval, and --undecided pass " +
			"lets it pass"
		undecided = nil
	}
	for _, text := range passed {
		fmt.Fprintf(w, "plimsoll: passed: %s\n", text)
	}
	for _, text := range undecided {
		fmt.Fprintf(w, "plimsoll: %s: passed, since --undecided fail is not set\n", text)
	}
	if len(failed) > 0 {
		return holdsError{strings.Join(failed, "\n")}
	}
	return nil
}

// changeOf states the place of a comparison and its change.
func changeOf(v finding.Comparison) string {
	at := fmt.Sprintf("%s at %s", v.Workload, v.Load)
	if v.Lo == nil || v.Hi == nil || v.Estimate {
		return at + " has no interval"
	}
	return fmt.Sprintf("%s changes by %s", at, rangeText(*v.Lo, *v.Hi))
}

// passedText states the range of the intervals of comparisons that passed a condition.
func passedText(c compare.Condition, all []finding.Comparison) string {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range all {
		lo, hi = min(lo, *v.Lo), max(hi, *v.Hi)
	}
	text := c.Of() + " " + rangeText(lo, hi)
	if len(all) > 1 {
		text += fmt.Sprintf(" in %d comparisons", len(all))
	}
	return text
}

func rangeText(lo, hi float64) string {
	return strings.Join(list.Map([]float64{lo, hi}, func(ratio float64) string {
		return fmt.Sprintf("%+.1f %%", 100*(ratio-1))
	}), " to ")
}
