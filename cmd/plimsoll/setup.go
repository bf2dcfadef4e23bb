package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
	"plimsoll/internal/usage"
)

func (a *app) setupCommand() *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use: "setup ENGINE...",
		Example: `  plimsoll setup netty
  plimsoll setup kafka rdkafka
  plimsoll setup postgres`,
		Short: "set up engines through the OS package manager or Maven",
		Long: `Sets up the engines that workloads need, through the operating system's package manager
(Debian and Ubuntu) or Maven; downloads for Plimsoll alone go to the cache directory
(XDG_CACHE_HOME). It prints its steps first, and does nothing for an engine that is
installed. plimsoll list shows all engines, and which are installed.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("setup needs an engine\nhint: there are %s; plimsoll list shows which are installed", strings.Join(all.Names(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := chosenEngines(args)
			if err != nil {
				return err
			}
			for _, e := range chosen {
				if err := a.setUp(cmd.Context(), e, dry); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print the steps only")
	return cmd
}

// chosenEngines validates all names before anything is done.
func chosenEngines(names []string) ([]engine.Findable, error) {
	var out []engine.Findable
	for _, name := range names {
		e, ok := all.Find(name)
		if !ok {
			return nil, usage.Unknown("engine", name, all.Names())
		}
		out = append(out, e)
	}
	return out, nil
}

// setUp sets up one engine, unless it is installed.
func (a *app) setUp(ctx context.Context, e engine.Findable, dry bool) error {
	in, err := findDefault(ctx, e)
	var missing *engine.Missing
	switch {
	case err == nil:
		a.sayFound(in)
		return nil
	case !errors.As(err, &missing):
		return err
	}
	steps, err := setupSteps(ctx, e)
	if err != nil {
		return err
	}
	a.saySteps(e.Name(), steps)
	if dry {
		return nil
	}
	if err := mayRun(e.Name(), steps, os.Geteuid()); err != nil {
		return err
	}
	release, err := engine.Alone(ctx, e.Name(), func() {
		fmt.Fprintf(a.stderr, "plimsoll: another plimsoll is setting up %s: waiting for it\n", e.Name())
	})
	if err != nil {
		return err
	}
	defer release()
	if in, err = findDefault(ctx, e); err == nil { // the other process has installed it
		a.sayFound(in)
		return nil
	}
	for i, s := range steps {
		fmt.Fprintf(a.stderr, "step %d of %d: %s\n", i+1, len(steps), s.Does)
		if err := a.runStep(ctx, s); err != nil {
			return fmt.Errorf("setting up %s, step %d: %w", e.Name(), i+1, err)
		}
	}
	if in, err = findDefault(ctx, e); err != nil {
		return fmt.Errorf("after setting up %s: %w", e.Name(), err)
	}
	a.sayFound(in)
	return nil
}

// runStep runs a step, and explains the wait if it has to finish despite an interrupt.
func (a *app) runStep(ctx context.Context, s engine.Step) error {
	if s.Whole {
		defer context.AfterFunc(ctx, func() {
			fmt.Fprintf(a.stderr, "plimsoll: waiting for %s: ending it now would leave packages half installed\n", s.Command[0])
		})()
	}
	return s.Run(ctx)
}

func setupSteps(ctx context.Context, e engine.Findable) ([]engine.Step, error) {
	s, ok := e.(engine.Setup)
	if !ok {
		return nil, fmt.Errorf("%s cannot be set up by us", e.Name())
	}
	return s.Setup(ctx)
}

// mayRun rejects steps that need root before running the first.
func mayRun(name string, steps []engine.Step, euid int) error {
	var lines []string
	for _, s := range steps {
		if s.Root {
			lines = append(lines, "sudo "+s.Line())
		}
	}
	switch {
	case len(lines) == 0 || euid == 0:
		return nil
	case len(lines) == len(steps):
		return fmt.Errorf("setting up %s needs root\nhint: sudo plimsoll setup %s", name, name)
	}
	return fmt.Errorf("setting up %s needs root for some steps\nhint: %s && plimsoll setup %s", name, strings.Join(lines, " && "), name)
}

func (a *app) sayFound(in engine.Install) {
	for _, i := range slices.Concat([]engine.Install{in}, in.Uses) {
		fmt.Fprintf(a.stdout, "%s %s is here: %s (%s)\n", i.Name, i.Version, i.Path, i.From)
	}
}

func (a *app) saySteps(name string, steps []engine.Step) {
	fmt.Fprintf(a.stdout, "setting up %s takes these steps:\n", name)
	for i, s := range steps {
		fmt.Fprintf(a.stdout, "  %d. %s\n", i+1, s.Does)
		if line := s.Line(); line != "" {
			fmt.Fprintf(a.stdout, "     %s\n", line)
		}
	}
}
