package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/selftest"
)

func (a *app) selftestCommand() *cobra.Command {
	var asJSON, full bool
	cmd := &cobra.Command{
		Use: "selftest",
		Example: `  plimsoll selftest
  plimsoll selftest --full
  plimsoll selftest --json`,
		Short: "calibrate the method on simulated machines",
		Long: `Calibrates the method itself: it simulates machines with known differences, measures them
in the order of a real session, and analyzes the results like a session's. The rate of
wrong verdicts must pass the gates of bench/EVIDENCE.md. It takes two minutes on two idle
CPUs and measures nothing on this machine: the certificate is the same everywhere.

Some rows show known limits of the method, and the results of other methods; they cannot
fail. The exit code is 1 if any other row fails.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.selftest(cmd.Context(), full, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&full, "full", false,
		fmt.Sprintf("simulate each row %d times instead of %d, for narrower intervals", selftest.FullSimulations,
			selftest.DefaultSimulations))
	return cmd
}

func (a *app) selftest(ctx context.Context, full, asJSON bool) error {
	o := selftest.Options{Simulations: a.simulations}
	if full {
		o.Simulations = selftest.FullSimulations
	}
	c, err := selftest.Run(ctx, selftest.Real(), o)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.Write(a.stdout, c)
	} else {
		err = render.Selftest(a.stdout, a.style(), c)
	}
	if err != nil {
		return err
	}
	return uncertified(c)
}

// uncertified returns the error for a certificate with failed gates.
func uncertified(c selftest.Certificate) error {
	failed := c.Failed()
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("selftest: %d of %d gates failed, first: %s\nhint: do not trust a verdict of this build; "+
		"bench/EVIDENCE.md describes the gates", len(failed), len(c.Gates), failed[0].Name)
}
