package main

import (
	"errors"

	"github.com/spf13/cobra"

	"plimsoll/internal/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
)

type compareOptions struct {
	by, baseline string
	prices       []string
	date         string
	maxCPUs      int
	unequalPaths bool
	failIf       []string
	asJSON       bool
}

func (a *app) compareCommand() *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare FILE...",
		Short: "verdicts between machines or, with --by, between instance types or the levels of a factor",
		Args:  needFiles,
		RunE:  func(_ *cobra.Command, args []string) error { return a.compare(o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.by, "by", record.KeyMachine, "compare the levels of this factor; type: instance types, by the means of their machines")
	f.StringVar(&o.baseline, "baseline", "", "the machine (or level) that the others are compared with; default the first")
	f.StringArrayVar(&o.prices, "price", nil, "what a machine or instance type costs, NAME=1.808 in USD per hour; may be given again")
	f.StringVar(&o.date, "date", "", "take the catalogue's prices of this date, such as 2021-10; default your own, else the newest")
	addMaxCPUs(f, &o.maxCPUs)
	f.BoolVar(&o.unequalPaths, "allow-unequal-paths", false, "also compare cells whose sides ran unequal code paths on two architectures")
	f.StringArrayVar(&o.failIf, "fail-if", nil, "exit with code 4 where the whole interval of a change satisfies this, such as 'throughput < -2%'; may be given again")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) compare(o compareOptions, files []string) error {
	conditions, err := conditions(o.failIf)
	if err != nil {
		return err
	}
	log, err := a.readAtMost(files, o.maxCPUs)
	if err != nil {
		return err
	}
	v, err := a.valuerAt(o.prices, o.date, log)
	if err != nil {
		return err
	}
	got, err := judge.Compare(log.Trials, log.Machines, log.Plans,
		judge.Options{By: o.by, Baseline: o.baseline, AllowUnequalPaths: o.unequalPaths, Basis: v.basis, HashOf: plan.Hash})
	// A side without a valid trial does not keep the others from being told.
	if err != nil && (!is[judge.NoValid](err) || len(got.Pairs) == 0) {
		return err
	}
	print := func() error { return render.Compare(a.stdout, a.style(), got) }
	if o.asJSON {
		print = func() error { return render.JSON(a.stdout, got) }
	}
	return errors.Join(print(), err, failIf(o.failIf, conditions, got))
}
