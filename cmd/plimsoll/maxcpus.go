package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"plimsoll/internal/figure"
	"plimsoll/internal/session"
	"plimsoll/internal/trialset"
	"plimsoll/internal/valuation"
)

func addMaxCPUs(f *pflag.FlagSet, to *int) {
	f.IntVar(to, "max-cpus", 0, "leave out cells that load more than this many CPUs, to compare machines of different "+
		"sizes on equal terms")
}

// readAtMost reads sessions without trials that load more than the given number of CPUs, and prints how many that
// leaves out; 0 is any number.
func (a *app) readAtMost(ctx context.Context, files []string, cpus int) (*session.Log, error) {
	if cpus < 0 {
		return nil, usagef("--max-cpus %d: at least 1 is needed", cpus)
	}
	log, err := a.read(ctx, files)
	if err != nil {
		return nil, err
	}
	kept, left := trialset.AtMost(log.Trials, cpus)
	if len(kept) == 0 {
		return nil,
			noTrialError{fmt.Sprintf("no run loads at most %d CPUs\nhint: raise --max-cpus, or measure fewer with --sweep "+
				"WORKLOAD.cpus=1,2,4", cpus)}
	}
	if left > 0 {
		fmt.Fprintf(a.stderr, "plimsoll: --max-cpus %d left out %s\n", cpus, figure.Count(left, "run"))
	}
	log.Trials = kept
	c, err := a.catalogue()
	if err == nil {
		valuation.CoresOfTypes(c, log.Machines)
	}
	return log, err
}
