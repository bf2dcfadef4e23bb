package main

import (
	"context"
	"errors"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
)

// stoppable lets a verb that has something to put in order end by itself: a signal ends its context. Verbs that only
// read leave signals as they are, and end by them at once.
func stoppable(cmd *cobra.Command) *cobra.Command {
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx, stop := untilSignal(cmd.Context())
		defer stop()
		cmd.SetContext(ctx)
		return stopped(ctx, do(cmd, args))
	}
	return cmd
}

// stopped returns the error of a verb. If a signal has ended the verb's work, it is only that: the part that was cut
// off doesn't matter.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) && !errors.Is(err, run.ErrInterrupted) {
		return run.ErrInterrupted
	}
	return err
}

// untilSignal returns a context that a signal ends. It is for what has to be put in order: reading and analyses, which
// may take long between two looks at a context, end by the signal itself.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, agent.StopSignals()...)
	// The first Ctrl-C ends the verb in good order, the second at once. Other
	// signals may come twice for one wish: timeout(1) and shells send them so.
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) })
	return ctx, stop
}

// endsBySignal lets a signal end the process at once again, for an analysis that comes after what had to be put in
// order.
func endsBySignal() { signal.Reset(agent.StopSignals()...) }
