package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plimsoll/internal/judge"
	"plimsoll/internal/render"
)

func (a *app) showCommand() *cobra.Command {
	var asJSON bool
	var maxCPUs int
	cmd := &cobra.Command{
		Use:   "show FILE...",
		Short: "what one machine's sessions say: results with intervals, scaling over CPUs, factor effects, doubts",
		Args:  needFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			log, err := a.readAtMost(args, maxCPUs)
			if err != nil {
				return err
			}
			shown := judge.Show(log.Trials, log.Machines, log.Plans)
			print := func() error { return render.Show(a.stdout, a.style(), shown) }
			if asJSON {
				print = func() error { return render.JSON(a.stdout, shown) }
			}
			if err := print(); err != nil {
				return err
			}
			return allVoid(shown)
		},
	}
	addMaxCPUs(cmd.Flags(), &maxCPUs)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// allVoid is the error for cells of which no valid trial remains.
func allVoid(s judge.Shown) error {
	for _, c := range s.Workloads {
		if c.N == 0 && (c.Primary || c.Metric == "") {
			return noTrialError{fmt.Sprintf("no valid trial of %s at %s remains: %d are void\nhint: remove the cause and measure again", c.Workload, c.Load, c.Void)}
		}
	}
	return nil
}

func (a *app) style() render.Style { return render.NewStyle(a.stdout, a.env) }
