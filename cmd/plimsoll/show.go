package main

import (
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
			if asJSON {
				return render.JSON(a.stdout, shown)
			}
			return render.Show(a.stdout, a.style(), shown)
		},
	}
	addMaxCPUs(cmd.Flags(), &maxCPUs)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) style() render.Style { return render.NewStyle(a.stdout, a.env) }
