package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// nextOf returns the step that would settle the first inconclusive comparison, with its benchmark if that isn't in a
// line above. It is "" if the results leave none open.
func nextOf(v *finding.PairView, chief []finding.Comparison, results []finding.Result) string {
	if len(results) == 0 || !slices.ContainsFunc(results, func(r finding.Result) bool {
		return r.Lead == finding.Inconclusive || r.Lead == finding.Mixed
	}) {
		return ""
	}
	open := func(c finding.Comparison) bool { return changeOf(v, c).Word() == finding.Inconclusive }
	for _, c := range chief {
		if step := cmp.Or(byCPUTime(v, c), settles(c)); open(c) && step != "" {
			if len(chief) > mostLines && slices.ContainsFunc(chief, func(o finding.Comparison) bool { return !open(o) }) {
				step += " (" + placeText(c, chief) + ")"
			}
			return step
		}
	}
	return ""
}

// byCPUTime returns the step that compares the CPU time of a command whose time is undecided, if its interval is much
// narrower; "" otherwise. A command that waits for most of its time is not described by its CPU time, unless it waits
// for the CPUs: it then uses most of its fair share.
func byCPUTime(v *finding.PairView, c finding.Comparison) string {
	const mostly, mostlyOfFair, narrower = .8, .7, 2. // the load average lags
	if c.Metric != record.Elapsed || !c.Bounded() || flagOf(c, 1) == "" {
		return ""
	}
	least := mostly * c.A
	if c.FairCPU > 0 {
		least = mostlyOfFair * c.FairCPU * c.A
	}
	for _, o := range v.Verdicts {
		if o.Metric != record.CPUTime || nameOf(o) != nameOf(c) || o.Per != c.Per || !o.Bounded() || o.A < least {
			continue
		}
		if times := math.Log(*c.Hi / *c.Lo) / math.Log(*o.Hi / *o.Lo); times >= narrower {
			return fmt.Sprintf("CPU time is %.1f times less noisy: run with --metric %s.%s", times, o.Workload, o.Metric)
		}
	}
	return ""
}

// settles returns the step that would settle an inconclusive comparison, with the number of runs that its own scatter
// requires; "" if none is known.
func settles(c finding.Comparison) string {
	if c.Verdict != "" && c.Verdict != trialset.Undecided {
		return ""
	}
	for _, f := range c.Flags {
		if step := settledBy(c, f); step != "" {
			return step
		}
	}
	const halve = 4 // times as many runs halve an interval
	if c.Verdict == trialset.Undecided && c.Bounded() && c.N > 0 {
		return fmt.Sprintf("%d times as many runs would halve the interval%s", halve, flagOf(c, halve*c.N))
	}
	return ""
}

// settledBy returns the step that removes the reason of a note for which there is no verdict.
func settledBy(c finding.Comparison, f note.Note) string {
	step, runs := f.Next()
	switch {
	case f.Code == "futile-by-far" || runs > stat.MostPairs:
		return farOff(c)
	case runs > 0:
		return step + flagOf(c, runs)
	}
	return step
}

// farOff is the step if no affordable number of runs would settle a comparison.
func farOff(c finding.Comparison) string {
	return fmt.Sprintf("even %s would not settle it; %s", c.Each().Count(stat.MostPairs), finding.FindNoise)
}

// flagOf returns the flag that sets the number of runs; "" for runs that were imported.
func flagOf(c finding.Comparison, n int) string {
	for _, f := range c.Flags {
		if f.Code == "import-order" || f.Code == "paired-by-import" || f.Code == "moments-compared" {
			return ""
		}
	}
	if c.Interim {
		return fmt.Sprintf(": --max-replicates %d", n)
	}
	return finding.RunsFlag(n, false)
}
