package execload

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
	"plimsoll/internal/nearest"
	"plimsoll/internal/workload"
)

// enginePrefix begins the names that stand for where something is on the host that runs the command: {engine.NAME} for an
// engine, {engine.NAME.USED} for what it runs on, such as {engine.kafka.java}.
const enginePrefix = "engine."

// engineOf returns the engine of such a name; false for one that is none, or names no engine.
func engineOf(name string) (engine.Findable, bool) {
	rest, ok := strings.CutPrefix(name, enginePrefix)
	if !ok {
		return nil, false
	}
	own, _, _ := strings.Cut(rest, ".")
	return all.Find(own)
}

// wanted are the engines that a command names, in their order. A name that begins as one of an engine and is none is an error.
func wanted(p workload.Params) ([]engine.Findable, error) {
	var out []engine.Findable
	_, err := expand(p.Text(paramCommand), func(name string) (string, bool) {
		e, ok := engineOf(name)
		if ok && !slices.ContainsFunc(out, func(o engine.Findable) bool { return o.Name() == e.Name() }) {
			out = append(out, e)
		}
		return "", true // what else is wrong with the command, words says
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// places are where the engines that a command names, and what they run on, are here, by the names that stand for them.
type places struct {
	paths    map[string]string
	versions map[string]string // the trial's keys
}

// locate looks for the engines that a command names. The error says how the first that is missing is set up.
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

// path is what a name stands for.
func (l places) path(name string) (string, bool) {
	path, ok := l.paths[name]
	return path, ok
}

// anywhere takes every name of an engine for itself, where it is not known yet which host the command will run on.
func anywhere(name string) (string, bool) {
	_, ok := engineOf(name)
	return name, ok
}

// unknownEngine says that a name of the form engine.NAME names none.
func unknownEngine(name string) error {
	own, _, _ := strings.Cut(strings.TrimPrefix(name, enginePrefix), ".")
	hint := "there are " + strings.Join(all.Names(), ", ")
	if near := nearest.Of(own, all.Names()); near != "" && near != own {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("exec: the command refers to {%s}, and nothing of an engine has that name\nhint: %s", name, hint)
}

// look says that an engine which the command names, or its program, is not on this host.
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
		return nil // what is in there a trial makes
	}
	if err := prog.Find(); err != nil || !prog.Shell {
		return err
	}
	first := firstWord(prog.Argv[2])
	if first == "" || strings.HasPrefix(first, scratch) {
		return nil
	}
	return prog.Knows(ctx, first)
}
