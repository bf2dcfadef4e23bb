package reader

import (
	"fmt"
	"regexp"
	"slices"
)

// rules are the lines of a tool's text, each with the function that takes its figures.
type rules[R any] []rule[R]

type rule[R any] struct {
	pattern *regexp.Regexp
	take    func(r *R, m []string) bool // false if a figure is not known
}

// on returns the rule of lines that match a pattern and are always read.
func on[R any](pattern string, take func(r *R, m []string)) rule[R] {
	return try(pattern, func(r *R, m []string) bool { take(r, m); return true })
}

// try returns the rule of lines that match a pattern, of which take reports whether it read them.
func try[R any](pattern string, take func(r *R, m []string) bool) rule[R] {
	return rule[R]{regexp.MustCompile(pattern), take}
}

// line takes a line by the first rule that it matches; false if it matches none or was not read.
func (rs rules[R]) line(r *R, line string) bool {
	for _, rule := range rs {
		if m := rule.pattern.FindStringSubmatch(line); m != nil {
			return rule.take(r, m)
		}
	}
	return false
}

// splitRuns parses the runs of an output line by line: each starts at a line recognised by begins, and lines before the
// first are ignored. Those like results that were not taken are missed.
func splitRuns[R any](
	b Bounds, out []byte, like string, begins func(line string) (R, bool), take func(run *R, line string) bool,
) ([]R, error) {
	var runs []R
	err := b.scan(out, like, func(line string) bool {
		if run, ok := begins(line); ok {
			if len(runs) <= b.Runs { // one more shows that there are too many
				runs = append(runs, run)
			}
			return true
		}
		return len(runs) > 0 && take(&runs[len(runs)-1], line)
	})
	if err == nil {
		err = b.enough(len(runs))
	}
	return runs, err
}

// nonzero returns the runs that have a figure, and leaves a sentence about the others. If no run has it, it returns
// all, so that the first is refused with its reason.
func nonzero[R any](b Bounds, runs []R, figure func(R) float64, told func(R) string) []R {
	has := func(r R) bool { return figure(r) != 0 }
	if !slices.ContainsFunc(runs, has) {
		return runs
	}
	var out []R
	for _, r := range runs {
		if has(r) {
			out = append(out, r)
		} else {
			b.leave(told(r))
		}
	}
	return out
}

// tooShort returns why a benchmark is left out whose printed time is 0.
func tooShort(name string) string {
	return Brief(name) + " is left out: its time is 0, since it is too short for the digits that are printed"
}

// some returns the runs of an output. Without any, the error names the missing results and how to get them.
func some[R any](runs []R, err error, out []byte, what, hint string) ([]R, error) {
	if err == nil && len(runs) == 0 {
		err = noRuns(fmt.Sprintf("no %s in %s\nhint: %s", what, Excerpt(out), hint))
	}
	if err != nil {
		return nil, err
	}
	return runs, nil
}
