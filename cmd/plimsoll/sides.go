package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/session"
)

// sideFlags say what is compared.
type sideFlags struct {
	by, baseline string
	minMachines  int
	splitTypes   bool
	unequalPaths bool
}

const (
	flagMinMachines = "min-machines"
	flagSplitTypes  = "split-types"
)

// addTo adds the flags; unset is what is compared without --by.
func (s *sideFlags) addTo(f *pflag.FlagSet, unset string) {
	f.StringVar(&s.by, "by", "", "compare by a parameter or label `NAME`, by file, or by type (instance types, by the means "+
		"of their machines) (default "+unset+")")
	f.StringVar(&s.baseline, "baseline", "", "baseline `MACHINE` or variant (default the first)")
	f.IntVar(&s.minMachines, flagMinMachines, estimate.MinReplicates,
		"with --by type: a verdict needs `N` machines of each type")
	f.BoolVar(&s.splitTypes, flagSplitTypes, false,
		"with --by type: split a type whose machines differ in CPU, stepping, microcode or disk model")
}

func addUnequalPaths(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "allow-unequal-paths", false,
		"also compare benchmarks that ran unequal code paths on two architectures")
}

// check rejects numbers of machines that decide nothing.
func (s sideFlags) check(f *pflag.FlagSet) error {
	switch {
	case s.splitTypes && s.by != trialset.ByType:
		return usagef("--%s goes with --by %s: the sides here are no types", flagSplitTypes, trialset.ByType)
	case !f.Changed(flagMinMachines):
	case s.minMachines < estimate.MinReplicates:
		return usagef("--%s %d: a verdict on types takes %d machines of each at least: one or two say nothing of how "+
			"machines of a type differ", flagMinMachines, s.minMachines, estimate.MinReplicates)
	case s.by != trialset.ByType:
		return usagef("--%s goes with --by %s: the sides here are no types", flagMinMachines, trialset.ByType)
	}
	return nil
}

// axes returns what a page compares: all that there is unless the flags choose.
func (s sideFlags) axes(log *session.Log) []string {
	switch {
	case s.by != "":
		return []string{s.by}
	case s.baseline != "":
		return []string{axis.Default(log.Trials, log.Plans)}
	}
	return axis.All(log.Trials, log.Plans)
}

func (s sideFlags) question(by string) compare.Question {
	return compare.Question{By: by, Baseline: s.baseline, AllowUnequalPaths: s.unequalPaths, MinMachines: s.minMachines,
		SplitTypes: s.splitTypes}
}
