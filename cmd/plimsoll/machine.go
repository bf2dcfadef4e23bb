package main

import (
	"github.com/spf13/cobra"

	"plimsoll/internal/render"
)

func (a *app) machineCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "machine",
		Short: "what this machine is, and what may disturb a measurement on it",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := a.agent.Describe(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return render.JSON(a.stdout, m)
			}
			return render.Machine(a.stdout, a.style(), m)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
