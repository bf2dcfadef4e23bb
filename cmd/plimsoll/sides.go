package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/session"
	"plimsoll/internal/trialset"
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
	f.StringVar(&s.by, "by", "", "compare the levels of this factor, or of this label; file: the files given; type: "+
		"instance types, by the means of their machines; default "+unset)
	f.StringVar(&s.baseline, "baseline", "", "baseline machine (or level) of the comparison; default the first")
	f.IntVar(&s.minMachines, flagMinMachines, estimate.MinReplicates,
		"with --by type: fewest machines of each type for a verdict")
	f.BoolVar(&s.splitTypes, flagSplitTypes, false,
		"with --by type: machines of one type whose CPU, stepping, microcode or disk model differs are types of their own")
}

func addUnequalPaths(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "allow-unequal-paths", false,
		"also compare cells whose sides ran unequal code paths on two architectures")
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
