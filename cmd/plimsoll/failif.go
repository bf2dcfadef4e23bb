package main

import (
	"fmt"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/compare"
)

// holdsError reports that a --fail-if holds.
type holdsError struct{ msg string }

func (e holdsError) Error() string { return e.msg }

func conditions(texts []string) ([]compare.Condition, error) {
	var out []compare.Condition
	for _, text := range texts {
		c, err := compare.ParseCondition(text)
		if err != nil {
			return nil, usagef("--fail-if %v", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// failIf returns the error for conditions that hold. A condition about something that was not compared is an error too:
// it would never fail.
func failIf(texts []string, cs []compare.Condition, got finding.Compared) error {
	var holding []string
	for i, c := range cs {
		found, asked := c.Holds(got)
		if asked == 0 {
			return usagef("--fail-if %q: no %s per %s was compared\nhint: plimsoll compare --json lists metric and per of all comparisons", texts[i], c.Metric, c.Per)
		}
		for _, v := range found {
			holding = append(holding, fmt.Sprintf("--fail-if %q holds: %s at %s changes by %+.1f %% to %+.1f %%", texts[i], v.Workload, v.Load, 100*(*v.Lo-1), 100*(*v.Hi-1)))
		}
	}
	if len(holding) > 0 {
		return holdsError{strings.Join(holding, "\n")}
	}
	return nil
}
