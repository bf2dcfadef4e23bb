package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record"
)

// profileOutputOf returns the profile format of that name; false if there is none.
func profileOutputOf(name string) (convert.ProfileOutput, bool) {
	for _, out := range convert.ProfileOutputs() {
		if out.Name == name {
			return out, true
		}
	}
	return convert.ProfileOutput{}, false
}

// exportProfile writes the merged profiles of one cell's trials.
func (a *app) exportProfile(ctx context.Context, o exportOptions, out convert.ProfileOutput, files []string) error {
	log, err := a.read(ctx, files)
	if err != nil {
		return err
	}
	c, err := chosenCell(profile.Cells(log.Trials), o.cell, files)
	if err != nil {
		return err
	}
	m := profile.Merge(c, func(t record.Trial, series string) (record.Profile, bool, error) {
		return log.Profile(t.ID, series)
	})
	for _, p := range m.Problems {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", p)
	}
	if len(m.Trials) == 0 {
		return noTrialError{fmt.Sprintf("no profile of %s can be read\nhint: plimsoll run --profile measures it again", c)}
	}
	_, err = a.exportTo(o.output, func(w io.Writer) (int, error) { return 0, out.Write(w, exportedProfile(c, m)) })
	if err != nil {
		return fmt.Errorf("exporting %s: %w", strings.Join(files, ", "), err)
	}
	return nil
}

func exportedProfile(c profile.Cell, m profile.Merged) convert.Profiled {
	p := convert.Profiled{Name: c.String(), CPU: m.CPU, Waits: m.Waits}
	for i, t := range m.Trials {
		start, err := record.ParseTime(t.Start)
		if err == nil && i == 0 {
			p.Start = start
		}
		p.Span += time.Duration(t.DurationS * 1e9)
	}
	return p
}

// chosenCell returns the cell with the number of the flag, or the only one.
func chosenCell(cells []profile.Cell, number int, files []string) (profile.Cell, error) {
	switch {
	case len(cells) == 0:
		return profile.Cell{},
			noTrialError{fmt.Sprintf("no profile in %s\nhint: plimsoll run --profile takes profiles", strings.Join(files, ", "))}
	case number == 0 && len(cells) == 1:
		return cells[0], nil
	case number >= 1 && number <= len(cells):
		return cells[number-1], nil
	}
	lines := make([]string, len(cells))
	for i, c := range cells {
		lines[i] = fmt.Sprintf("  %d  %s", i+1, c)
	}
	what := "a file contains the profile of one benchmark, and there are several"
	if number != 0 {
		what = fmt.Sprintf("--benchmark %d: no such benchmark", number)
	}
	return profile.Cell{}, usagef("%s:\n%s\nhint: --benchmark N chooses one", what, strings.Join(lines, "\n"))
}
