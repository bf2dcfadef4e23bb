// Package setup sets up engines on this machine, and on others by carrying this program there.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
)

// Here sets engines up on this machine.
type Here struct {
	Stdout, Stderr io.Writer
	Dry            bool // says the steps only
	Sudo           bool // steps that need root run by sudo, unless root carries them out
}

// Engines returns engines by their names, with or without a release (kafka@3.9.1), all of them checked before anything
// is done.
func Engines(names []string) ([]engine.Findable, error) {
	var out []engine.Findable
	for i, name := range names {
		bare, release, at := strings.Cut(name, engine.ReleaseMark)
		e, ok := all.Find(bare)
		if !ok {
			return nil, unknown(names[:i], name, names[i+1:])
		}
		if at {
			r, ok := e.(engine.Released)
			if !ok {
				return nil, usage.Errorf("%s: %s is set up in one release\nhint: plimsoll setup %s", name, bare, bare)
			}
			if !slices.Contains(r.Releases(), release) {
				return nil, unknownRelease(bare, release, r.Releases())
			}
			e = r.At(release)
		}
		out = append(out, e)
	}
	return out, nil
}

// All sets up engines, one after the other.
func (h Here) All(ctx context.Context, engines []engine.Findable) error {
	for _, e := range engines {
		if err := h.one(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// one sets up an engine, unless it is installed.
func (h Here) one(ctx context.Context, e engine.Findable) error {
	in, err := engine.FindDefault(ctx, e)
	var missing *engine.Missing
	switch {
	case err == nil:
		h.sayFound(in)
		return nil
	case !errors.As(err, &missing):
		return err
	}
	steps, err := stepsOf(ctx, e)
	if err != nil {
		return err
	}
	if steps, err = h.permitted(ctx, e.Name(), steps, os.Geteuid()); steps != nil {
		h.saySteps(e.Name(), steps)
	}
	if h.Dry || err != nil {
		return err
	}
	release, err := engine.Alone(ctx, e.Name(), func() {
		fmt.Fprintf(h.Stderr, "plimsoll: another plimsoll is setting up %s: waiting for it\n", e.Name())
	})
	if err != nil {
		return err
	}
	defer release()
	if in, err = engine.FindDefault(ctx, e); err == nil { // the other process has installed it
		h.sayFound(in)
		return nil
	}
	for i, s := range steps {
		fmt.Fprintf(h.Stderr, "step %d of %d: %s\n", i+1, len(steps), s.Does)
		if err := h.run(ctx, s); err != nil {
			return fmt.Errorf("setting up %s, step %d: %w", e.Name(), i+1, err)
		}
	}
	if in, err = engine.FindDefault(ctx, e); err != nil {
		return fmt.Errorf("after setting up %s: %w", e.Name(), err)
	}
	h.sayFound(in)
	return nil
}

// run runs a step, and explains the wait if it has to finish despite an interrupt.
func (h Here) run(ctx context.Context, s engine.Step) error {
	if s.Whole {
		defer context.AfterFunc(ctx, func() {
			fmt.Fprintf(h.Stderr, "plimsoll: waiting for %s: ending it now would leave packages half installed\n", s.Command[0])
		})()
	}
	return s.Run(ctx)
}

func stepsOf(ctx context.Context, e engine.Findable) ([]engine.Step, error) {
	s, ok := e.(engine.Setup)
	if !ok {
		return nil, fmt.Errorf("%s cannot be set up by us", e.Name())
	}
	return s.Setup(ctx)
}

// permitted returns the steps as this user may run them, and an error, before the first, if some need root that is not
// to be had.
func (h Here) permitted(ctx context.Context, name string, steps []engine.Step, euid int) ([]engine.Step, error) {
	needy := list.Filter(steps, func(s engine.Step) bool { return s.Root })
	if len(needy) == 0 || euid == 0 {
		return steps, nil
	}
	if !h.Sudo {
		return steps, fmt.Errorf("setting up %s needs root for: %s\nhint: --sudo runs these steps by sudo, if it asks "+
			"for no password", name, lines(needy))
	}
	steps = list.Map(steps, func(s engine.Step) engine.Step {
		if s.Root {
			return s.BySudo()
		}
		return s
	})
	if h.Dry {
		return steps, nil
	}
	if err := engine.MaySudo(ctx); err != nil {
		return steps, fmt.Errorf("setting up %s needs root: %w\nhint: root has to run: %s", name, err, lines(needy))
	}
	return steps, nil
}

func lines(steps []engine.Step) string {
	return strings.Join(list.Map(steps, engine.Step.Line), " && ")
}

// here separates an engine from where it is found.
const here = " is here: "

func (h Here) sayFound(in engine.Install) {
	for _, i := range slices.Concat([]engine.Install{in}, in.Uses) {
		fmt.Fprintf(h.Stdout, "%s %s%s%s (%s)\n", i.Name, i.Version, here, i.Path, i.From)
	}
}

func (h Here) saySteps(name string, steps []engine.Step) {
	fmt.Fprintf(h.Stdout, "setting up %s takes these steps:\n", name)
	for i, s := range steps {
		fmt.Fprintf(h.Stdout, "  %d. %s\n", i+1, s.Does)
		if line := s.Line(); line != "" {
			fmt.Fprintf(h.Stdout, "     %s\n", line)
		}
	}
}
