package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
)

// holdsError reports that a --fail-if holds, or may hold where that fails too, or that what it is about is missing.
type holdsError struct{ msg string }

func (e holdsError) Error() string { return e.msg }

// gateFlags are the conditions on changes that set the exit code.
type gateFlags struct {
	texts     []string
	undecided string
	missing   string
	all       []compare.Condition
}

// The values of --undecided, and of --missing.
const (
	undecidedFails  = "fail"
	undecidedPasses = "pass"

	missingFails   = "fail"
	missingIgnored = "ignore"
)

func (g *gateFlags) addTo(f *pflag.FlagSet) {
	f.StringArrayVar(&g.texts, "fail-if", nil,
		"exit with code 4 if the whole interval of a change satisfies this `CONDITION`, such as 'throughput < -2%' or "+
			"'errors > 2'; repeatable")
	f.StringVar(&g.undecided, "undecided", undecidedPasses,
		"with --fail-if: `fail` or pass if the interval satisfies a condition in part, or there is none")
	f.StringVar(&g.missing, "missing", missingFails,
		"with --fail-if: `fail` on a benchmark or metric that one side lacks, or ignore it; failed runs always fail")
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
	case g.missing != missingFails && g.missing != missingIgnored:
		return usagef("--missing %s: must be fail or ignore\nhint: --missing ignore allows that a benchmark was deleted",
			g.missing)
	case f.Changed("missing") && len(g.texts) == 0:
		return usagef("--missing requires --fail-if\nhint: --fail-if 'throughput < -2%%' states what must not happen")
	case g.undecided != undecidedFails && g.undecided != undecidedPasses:
		return usagef("--undecided %s: must be fail or pass\nhint: --undecided fail exits with code 4 if a "+
			"--fail-if may hold", g.undecided)
	case f.Changed("undecided") && len(g.texts) == 0:
		return usagef("--undecided requires --fail-if\nhint: --fail-if 'throughput < -2%%' states what must not happen")
	}
	return nil
}

// judge writes what passed, and returns the error for conditions that hold, or could not be judged since something is
// missing. err is the comparison's own: sides without a valid run, or without anything in common. A condition about
// something that neither side has is an error too: it would never fail. Problems are of the files.
func (g gateFlags) judge(w io.Writer, got finding.Compared, problems []session.Problem, err error) error {
	if len(g.all) == 0 {
		return nil
	}
	if err := g.ended(err); err != nil {
		return err
	}
	missing, ignored := g.missingIn(got)
	missing = append(missing, lostIn(problems)...)
	failed := slices.Clone(missing)
	var undecided, passed []string
	for i, c := range g.all {
		j := c.Judge(got)
		all := slices.Concat(j.Holding, j.Undecided, j.Passed)
		if why := c.Needless(all); why != "" {
			return usagef("--fail-if %q: %s\nhint: write the number with%%", g.texts[i], why)
		}
		if j.Count() == 0 && len(missing) == 0 {
			return usagef("--fail-if %q: no %s per %s was compared\nhint: plimsoll compare --json lists metric and per of "+
				"all comparisons", g.texts[i], c.Metric, c.Per)
		}
		if j.Count() > 0 {
			failed = append(failed, list.Map(c.Unrelated(got), func(text string) string {
				return fmt.Sprintf("--fail-if %q cannot be judged: %s", g.texts[i], text)
			})...)
		}
		for _, v := range j.Holding {
			failed = append(failed, fmt.Sprintf("--fail-if %q holds: %s %s", g.texts[i], placeOf(c, v, all), c.ChangeText(v)))
		}
		for _, v := range j.Undecided {
			undecided = append(undecided, fmt.Sprintf("--fail-if %q is undecided: %s %s%s", g.texts[i], placeOf(c, v, all),
				c.ChangeText(v), whyUndecided(v)))
		}
		if len(j.Passed) > 0 {
			passed = append(passed, c.PassedText(j.Passed))
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
	for _, text := range ignored {
		fmt.Fprintf(w, "plimsoll: missing, and ignored: %s\n", text)
	}
	if len(failed) > 0 {
		return holdsError{strings.Join(failed, "\n")}
	}
	return nil
}

// judged returns what failed, and false without conditions or if they could not be judged.
func (g gateFlags) judged(held error) (failed string, ok bool) {
	if held != nil && is[holdsError](held) {
		failed, _ = usage.Parts(held)
	}
	return failed, len(g.all) > 0 && (held == nil || failed != "")
}

// ended returns the error of conditions that could not be judged since the comparison failed for what is missing: a
// side has no valid run, or, unless that is allowed, the sides have nothing in common.
func (g gateFlags) ended(err error) error {
	if len(g.all) == 0 || !is[compare.NoValid](err) && (!is[compare.Disjoint](err) || g.missing == missingIgnored) {
		return nil
	}
	what := "the sides have nothing in common"
	if failed := (compare.NoValid{}); errors.As(err, &failed) {
		what = fmt.Sprintf("%s has no valid run of %s", failed.Side, trialset.FirstFew(failed.Cells))
	}
	return holdsError{fmt.Sprintf("--fail-if %q cannot be judged: %s", g.texts[0], what)}
}

// missingIn returns what was not compared, as far as it concerns a condition: a whole cell, the metric that decides
// one, or a metric that a condition is about.
func (g gateFlags) missingIn(got finding.Compared) (failed, ignored []string) {
	allowable := false
	for _, m := range got.AllMissing() {
		concerns := m.Metric == "" || m.Deciding ||
			slices.ContainsFunc(g.all, func(c compare.Condition) bool { return c.About(m.Metric) })
		switch {
		case !concerns:
		case m.Absent && g.missing == missingIgnored:
			ignored = append(ignored, m.Text())
		default:
			failed = append(failed, "--fail-if cannot be judged: "+m.Text())
			allowable = allowable || m.Absent
		}
	}
	if allowable {
		failed[len(failed)-1] += "\nhint: --missing ignore allows what one side lacks, such as a deleted benchmark"
	}
	return failed, ignored
}

// lostIn returns a sentence for each file from which a record is missing or can't be read.
func lostIn(problems []session.Problem) []string {
	lost := list.Filter(problems, func(p session.Problem) bool { return p.Lost })
	return list.Map(finding.GroupBy(lost, func(p session.Problem) string { return p.File }),
		func(of []session.Problem) string {
			text := "--fail-if cannot be judged: " + of[0].String()
			if more := len(of) - 1; more > 0 {
				text += fmt.Sprintf(" (and %s)", figure.Count(more, "more problem"))
			}
			return text
		})
}

// placeOf names the cell of a comparison among others by the parameters that vary, and the benchmark if a condition is
// about several.
func placeOf(c compare.Condition, v finding.Comparison, among []finding.Comparison) string {
	of := v.Workload
	if v.Metric != c.Metric {
		of += " " + v.Metric
	}
	own := list.Filter(among, func(o finding.Comparison) bool { return o.Workload == v.Workload })
	split := finding.SplitOf(list.Map(own, finding.Comparison.Shown))
	if params := split.Label(v.Shown(), ""); params != "" {
		of += " " + params
	}
	return of + " at " + v.Load
}

// whyUndecided states a reason besides the interval: so few runs can decide nothing, or nobody knows what is better.
func whyUndecided(v finding.Comparison) string {
	if compare.Undirected(v) {
		return ", and whether that is better is not known: measure it with --better, or import it with what tells"
	}
	for _, f := range v.Flags {
		if f.Code == "too-few-for-ranks" {
			return ": " + f.Text()
		}
	}
	return ""
}
