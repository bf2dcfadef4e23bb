package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

type showOptions struct {
	askFlags
	sizing sizingOptions
	format formatFlags
	depth  block.Depth
}

// showGroups are the groups of the flags in the help of show.
const showGroups = `Results: machine max-cpus slo no-known-issues
Disk: percentile-of-time volumes volume-size
Cost: price date demand headroom failures
Output: format json verbose all help`

func (a *app) showCommand() *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use: "show FILE...",
		Example: `  plimsoll show run.plimsoll.jsonl
  plimsoll show run.plimsoll.jsonl --slo p95=10ms
  plimsoll show run.plimsoll.jsonl --json`,
		Short: "show a machine's results",
		Long: "Shows a machine's results: intervals, max load, scaling over CPUs, effects of parameters, " +
			"disk requirements, CPU time, warnings.",
		Annotations: map[string]string{manual.GroupsKey: showGroups},
		Args:        needFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.format.check(cmd.Flags()); err != nil {
				return err
			}
			if err := o.demand.check(cmd.Flags()); err != nil {
				return err
			}
			if _, err := o.sizing.check(); err != nil {
				return err
			}
			return a.show(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	o.askFlags.addTo(f)
	o.sizing.flags(f)
	o.format.addTo(f)
	addDepth(f, &o.depth)
	return cmd
}

func (a *app) show(ctx context.Context, o showOptions, files []string) error {
	log, err := a.readKept(ctx, files, o.keptFlags)
	if err != nil {
		return err
	}
	v, err := a.valuerAt(o.prices, o.date, log)
	if err != nil {
		return err
	}
	log, notes := v.TellApart(log)
	ask := o.ask()
	if err := o.slo.ask(&ask, log); err != nil {
		return err
	}
	in := inputOf(ctx, v, log, ask)
	shown := judge.Analyze(in)
	shown.Sessions, shown.Warnings = v.Sessions, append(shown.Warnings, notes...)
	unanswered := o.demand.answered(shown.Workloads)
	if unanswered != nil && len(headroom.Recommended(shown.Workloads)) > 0 {
		return unanswered // a fleet of another workload is no answer
	}
	err = o.format.print(a,
		func() error { return render.Show(a.stdout, a.style(), shown, o.depth) },
		func() error { return render.ShowMarkdown(a.stdout, shown, o.depth) },
		func() any { return shown.Document() },
	)
	if err != nil {
		return err
	}
	return cmp.Or(unanswered, allVoid(shown))
}

// ask returns what the flags ask of the findings.
func (o showOptions) ask() finding.Ask {
	ask := o.sizing.ask()
	ask.NoKnownIssues = o.noIssues
	o.demand.ask(&ask)
	return ask
}

// noFleetError is the error for a demand that no result can answer.
func noFleetError() error {
	return usagef("--demand needs a load line, or at least the throughput of a closed loop in operations/s, and no " +
		"result here has one" +
		"\nhint: plimsoll run WORKLOAD --load-line searches for a load line; plimsoll show gives the reason if a " +
		"sweep has none")
}

// allVoid returns an error for cells without a valid trial.
func allVoid(s finding.Shown) error {
	for _, c := range s.Workloads {
		if c.N == 0 && (c.Primary || c.Metric == "") {
			return noTrialError{fmt.Sprintf("no valid run of %s at %s remains: %d failed\nhint: remove the cause and "+
				"measure again", c.Workload, record.LoadText(c.Load), c.Void)}
		}
	}
	return nil
}

func (a *app) style() term.Style { return term.NewStyle(a.stdout, a.env) }
