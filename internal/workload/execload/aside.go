package execload

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/process"
	"plimsoll/internal/workload"
)

// aside returns the shell command of a parameter that runs beside the measured one; nil if there is none.
func aside(env workload.Env, p workload.Params, param string, prog *process.Program, at places) (*process.Program,
	error) {
	text := p.Text(param)
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	text, err := filled(p, text, env.Scratch, at.path)
	if err == nil {
		text, err = passable(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", param, err)
	}
	return &process.Program{Name: Name, Path: "sh", Argv: []string{"sh", "-c", oneWord(text)}, Dir: prog.Dir, Shell: true,
		Env: slices.Concat(env.Environ, p.Environ(text)), Timeout: prog.Timeout}, nil
}

// runAside runs such a command; the error is the trial's.
func runAside(ctx context.Context, prog *process.Program, param string) error {
	if prog == nil {
		return nil
	}
	if err := prog.Find(); err != nil {
		return err
	}
	if _, err := prog.Run(ctx); err != nil {
		return fmt.Errorf("exec: %s=%s: %w", param, prog.Argv[2], err)
	}
	return nil
}
