package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"plimsoll/internal/agent"
)

// stoppable lets a verb that has something to put in order end by itself: a signal ends its context. Verbs that only
// read leave signals as they are, and end by them at once.
func stoppable(cmd *cobra.Command) *cobra.Command {
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), agent.StopSignals()...)
		defer stop()
		// The first Ctrl-C ends the verb in good order, the second at once. Other
		// signals may come twice for one wish: timeout(1) and shells send them so.
		context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) })
		cmd.SetContext(ctx)
		return do(cmd, args)
	}
	return cmd
}

// endsBySignal lets a signal end the process at once again, for an analysis that comes after what had to be put in
// order.
func endsBySignal() { signal.Reset(agent.StopSignals()...) }
