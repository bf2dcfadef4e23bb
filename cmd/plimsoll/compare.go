package main

import (
	"bytes"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

type compareOptions struct {
	sideFlags
	askFlags
	gate      gateFlags
	equalCost bool
	format    formatFlags
	depth     block.Depth
}

// compareGroups are the groups of the flags in the help of compare.
const compareGroups = `Comparison: by baseline slo machine max-cpus
Rules: min-machines split-types allow-unequal-paths no-known-issues
Gate: fail-if undecided missing
Cost: price date equal-cost demand headroom failures
Output: format json verbose all help`

func (a *app) compareCommand() *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use: "compare FILE...",
		Example: `  plimsoll compare m6g.plimsoll.jsonl m6i.plimsoll.jsonl
  plimsoll compare run.plimsoll.jsonl --by exec.command
  plimsoll compare old.jsonl new.jsonl --fail-if 'throughput < -2%'`,
		Short: "compare machines, sessions, instance types or variants",
		Long: `Compares machines, sessions of one machine or, with --by, instance types or the variants of a parameter.

With --fail-if the exit code is 4 if a condition applies; without a valid run it is 3.`,
		Annotations: map[string]string{manual.GroupsKey: compareGroups},
		Args:        needFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.format.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.demand.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.checkMoney(); err != nil {
				return err
			}
			if err := o.sideFlags.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.gate.check(cmd.Flags()); err != nil {
				return err
			}
			if !o.demand.asked && o.demand.headroomSet {
				return usagef("--headroom requires --demand\nhint: set the fleet's demand with --demand RATE, in operations/s")
			}
			return a.compare(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	o.sideFlags.addTo(f, "machines, else the label or files that one machine's sessions differ in, else the one "+
		"varied parameter")
	o.askFlags.addTo(f)
	addUnequalPaths(f, &o.unequalPaths)
	o.gate.addTo(f)
	f.BoolVar(&o.equalCost, "equal-cost", false, equalCostHelp)
	o.format.addTo(f)
	addDepth(f, &o.depth)
	return cmd
}

const equalCostHelp = "compare the smallest numbers of machines on both sides that cost the same within 5%"

// checkMoney rejects questions about machines if the sides are something else.
func (o compareOptions) checkMoney() error {
	switch {
	case o.by == "":
	case o.equalCost && o.by != record.KeyMachine && o.by != trialset.ByType:
		return usagef("--equal-cost compares machines, and the sides by %s are of one machine\nhint: give the sessions of "+
			"both, and leave out --by", o.by)
	case o.demand.asked && o.by != record.KeyMachine:
		return usagef("--demand needs machines, and --by %s compares something else\nhint: plimsoll show FILE --demand "+
			"RATE gives it for each cell", o.by)
	}
	return nil
}

func (a *app) compare(ctx context.Context, o compareOptions, files []string) error {
	log, err := a.readKept(ctx, files, o.keptFlags)
	if err != nil {
		return err
	}
	if o.by == "" {
		o.by = axis.Default(log.Trials, log.Plans)
		if err := o.checkMoney(); err != nil {
			return err
		}
	}
	if o.by == record.KeyMachine && o.baseline == "" && len(o.machines) > 1 {
		o.baseline = o.machines[0]
	}
	v, err := a.valuerAt(o.prices, o.date, log)
	if err != nil {
		return err
	}
	ask := finding.Ask{NoKnownIssues: o.noIssues, EqualCost: o.equalCost}
	if o.demand.asked {
		o.demand.ask(&ask)
	}
	if err := o.slo.ask(&ask, log); err != nil {
		return err
	}
	in := inputOf(ctx, v, log, ask)
	got, err := judge.CompareIn(in, o.question(o.by))
	// A side without valid trials does not prevent printing the others.
	if err != nil && (!is[compare.NoValid](err) || len(got.Pairs) == 0) {
		return errors.Join(err, o.gate.ended(err))
	}
	if err := o.demand.answered(in.Cells); err != nil {
		return err
	}
	var told bytes.Buffer
	held := o.gate.judge(&told, got, log.Problems, err)
	printed := o.format.print(a,
		func() error { return render.Compare(a.stdout, a.style(), got, o.depth) },
		func() error {
			failed, ok := o.gate.judged(held)
			if !ok {
				return render.CompareMarkdown(a.stdout, got, o.depth)
			}
			return render.CompareMarkdown(a.stdout, got, o.depth, compare.GateLines(failed, told.String())...)
		},
		func() any { return got.Document() },
	)
	_, _ = told.WriteTo(a.stderr)
	return errors.Join(printed, err, held)
}
