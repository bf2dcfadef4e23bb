package execload

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/process"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
	"plimsoll/internal/workload"
)

// enginePrefix begins the placeholders for paths on the host that runs the command: {engine.NAME} for an engine,
// {engine.NAME.USED} for its runtime, such as {engine.kafka.java}.
const enginePrefix = "engine."

// engineOf returns the engine of such a placeholder; false if it is none, or names no engine.
func engineOf(name string) (engine.Findable, bool) {
	rest, ok := strings.CutPrefix(name, enginePrefix)
	if !ok {
		return nil, false
	}
	own, _, _ := strings.Cut(rest, ".")
	return all.Find(own)
}

// wanted returns the engines that a command names, in order of appearance. An unknown name with the prefix is an
// error.
func wanted(p workload.Params) ([]engine.Findable, error) {
	var out []engine.Findable
	_, err := expand(p.Text(paramCommand), func(name string) (string, bool) {
		e, ok := engineOf(name)
		if ok && !slices.ContainsFunc(out, func(o engine.Findable) bool { return o.Name() == e.Name() }) {
			out = append(out, e)
		}
		return "", true // other faults of the command are found by words
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// places holds the paths here of the engines that a command names and of their runtimes, by placeholder.
type places struct {
	paths    map[string]string
	versions map[string]string // the trial's keys
}

// locate finds the engines that a command names. The error's hint sets up the first missing one.
func locate(ctx context.Context, p workload.Params) (places, error) {
	out := places{paths: map[string]string{}, versions: map[string]string{}}
	engines, err := wanted(p)
	if err != nil {
		return out, err
	}
	for _, e := range engines {
		resolved, err := engine.Resolve(e, nil)
		if err != nil {
			return out, err
		}
		in, err := e.Find(ctx, resolved)
		if err != nil {
			return out, err
		}
		out.paths[enginePrefix+e.Name()] = in.Path
		for _, u := range in.Uses {
			out.paths[enginePrefix+e.Name()+"."+u.Name] = u.Path
		}
		maps.Copy(out.versions, in.Keys())
	}
	return out, nil
}

// path returns the path that a placeholder stands for.
func (l places) path(name string) (string, bool) {
	path, ok := l.paths[name]
	return path, ok
}

// anywhere leaves every engine placeholder as it is, for use before the command's host is known.
func anywhere(name string) (string, bool) {
	_, ok := engineOf(name)
	return name, ok
}

// unknownEngine returns the error for a placeholder engine.NAME that names no engine.
func unknownEngine(name string) error {
	own, _, _ := strings.Cut(strings.TrimPrefix(name, enginePrefix), ".")
	hint := "available: " + strings.Join(all.Names(), ", ")
	if near := nearest.Of(own, all.Names()); near != "" && near != own {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("exec: the command refers to {%s}, but no engine has that name\nhint: %s", name, hint)
}

// preflight returns an error if an engine named in the command, or its program, is not on this host.
func preflight(ctx context.Context, p workload.Params, _ string) error {
	at, err := locate(ctx, p)
	if err != nil {
		return err
	}
	const scratch = "/{" + scratchName + "}"
	prog, err := newProgram(workload.Env{Scratch: scratch, Environ: os.Environ()}, p, at)
	if err != nil {
		return err
	}
	if strings.HasPrefix(prog.Argv[0], scratch) {
		return nil // its contents are made by the trial
	}
	if err := prog.Find(); err != nil || !prog.Shell {
		return err
	}
	first := process.FirstWord(prog.Argv[2])
	if first == "" || strings.HasPrefix(first, scratch) {
		return nil
	}
	return prog.Knows(ctx, first)
}
