package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
)

// keptFlags say which runs of the sessions are looked at.
type keptFlags struct {
	maxCPUs  int
	machines []string
	given    func(flag string) bool
}

func (k *keptFlags) addTo(f *pflag.FlagSet) {
	k.given = f.Changed
	f.IntVar(&k.maxCPUs, "max-cpus", 0, "leave out benchmarks that load more than `N` CPUs, to compare machines of "+
		"different sizes")
	f.StringSliceVar(&k.machines, "machine", nil, "only runs of this machine, or of several, by `NAME,NAME` or the "+
		"beginning of names, such as m6i; the first is the baseline")
}

// readKept reads sessions without the runs that the flags leave out, and prints how many --max-cpus leaves out.
func (a *app) readKept(ctx context.Context, files []string, k keptFlags) (*session.Log, error) {
	if k.given != nil && k.given("max-cpus") && k.maxCPUs < 1 {
		return nil, usagef("--max-cpus %d: at least 1 is needed", k.maxCPUs)
	}
	log, err := a.read(ctx, files)
	if err == nil {
		err = k.ofMachines(log)
	}
	if err != nil {
		return nil, err
	}
	kept, left := trialset.AtMost(log.Trials, k.maxCPUs)
	if len(kept) == 0 {
		return nil,
			noTrialError{fmt.Sprintf("no run loads at most %d CPUs\nhint: raise --max-cpus, or measure fewer with --sweep "+
				"WORKLOAD.cpus=1,2,4", k.maxCPUs)}
	}
	if left > 0 {
		fmt.Fprintf(a.stderr, "plimsoll: --max-cpus %d left out %s\n", k.maxCPUs, figure.Count(left, "run"))
	}
	log.Trials = kept
	c, err := a.catalogue()
	if err == nil {
		valuation.CoresOfTypes(c, log.Machines)
	}
	return log, err
}

// ofMachines leaves a session the machines named, with their trials; all if none is named. A name that several machines
// begin with is all of them: m6i is its family.
func (k keptFlags) ofMachines(log *session.Log) error {
	if len(k.machines) == 0 {
		return nil
	}
	var names []string
	var known []nearest.Known
	for _, t := range log.Trials {
		if name := t.Keys[record.KeyMachine]; !slices.Contains(names, name) {
			names, known = append(names, name), append(known, nearest.Known{Name: name})
		}
	}
	var kept []string
	for _, name := range k.machines {
		meant := nearest.Meant(strings.TrimSpace(name), known)
		if len(meant) == 0 {
			return usagef("--machine %s: no run is of that machine\nhint: there are %s", name, strings.Join(names, ", "))
		}
		kept = append(kept, meant...)
	}
	log.Trials = trialset.Filter(log.Trials, func(t *record.Trial) bool {
		return slices.Contains(kept, t.Keys[record.KeyMachine])
	})
	log.Machines = slices.DeleteFunc(slices.Clone(log.Machines), func(m record.Machine) bool {
		return !slices.Contains(kept, m.Name)
	})
	return nil
}
