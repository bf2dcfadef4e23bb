package database

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/process"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/machine/host/owed"
	"plimsoll/internal/workload"
)

// paramApply is a command of the user's that brings settings of a server that is there into force.
const paramApply = "apply"

// The environment of the command.
const (
	settingsPlace = "{settings}"         // in the command
	settingsVar   = "PLIMSOLL_SETTINGS"  // a line each: name = 'value'
	restoringVar  = "PLIMSOLL_RESTORING" // set at the end of a session
)

// The time limits of the command, of the server to answer again after it, and to have the settings in force while it
// answers.
const (
	applyWithin  = 10 * time.Minute
	returnWithin = 2 * time.Minute
	forceWithin  = 5 * time.Second
	forcePoll    = 100 * time.Millisecond
)

// tuner changes settings of a server that is there. The values found before a session's first change are in a file that
// its trials share.
type tuner struct {
	name    string // of the workload
	params  workload.Params
	state   owed.File
	environ []string
}

// newTuner returns the tuner of a server; dir is shared by the session's trials.
func newTuner(name string, p workload.Params, dir string, environ []string) tuner {
	sum := sha256.Sum256([]byte(p.Set(ParamDSN)))
	return tuner{name: name, params: p, state: owed.In(dir, fmt.Sprintf("%x", sum[:6])), environ: environ}
}

// apply brings the settings of a trial into force: those set, and for others that the session has changed the values
// that it found. It returns all of them.
func (t tuner) apply(ctx context.Context) (map[string]string, error) {
	wanted, err := postgres.Named(t.params.Text(postgres.ParamSettings))
	if err != nil {
		return nil, err
	}
	found, err := t.state.Found()
	if err != nil || len(wanted)+len(found) == 0 {
		return nil, err
	}
	now, err := t.now(ctx, append(slices.Collect(maps.Keys(wanted)), slices.Collect(maps.Keys(found))...))
	if err != nil {
		return nil, err
	}
	all := maps.Clone(found)
	for name, value := range wanted {
		if _, ok := found[name]; !ok {
			found[name] = now[name].shown
		}
		all[name] = value
	}
	if differing(all, now) == "" {
		return all, nil
	}
	if err := t.state.Keep(found); err != nil {
		return nil, err
	}
	return all, t.bring(ctx, all)
}

// restore brings the settings that the session found into force again. They may be in force while others wait for a
// reload or a restart: the command runs if it ever did.
func (t tuner) restore(ctx context.Context) error {
	found, err := t.state.Found()
	if err != nil || len(found) == 0 {
		return err
	}
	t.environ = append(slices.Clone(t.environ), restoringVar+"=yes")
	err = t.bring(ctx, found)
	removed := t.state.Forget() // there is one attempt
	if err != nil {
		return fmt.Errorf("restore the settings found at the beginning: %w\nhint: they were %s", err,
			strings.ReplaceAll(lines(found), "\n", "; "))
	}
	return removed
}

// now returns the named settings as the server has them.
func (t tuner) now(ctx context.Context, names []string) (map[string]inForce, error) {
	c, err := Connect(ctx, strings.TrimSpace(t.params.Text(ParamDSN)))
	if err != nil {
		return nil, err
	}
	defer c.Close(context.WithoutCancel(ctx))
	now, err := settingsOf(ctx, c, names)
	if err != nil {
		return nil, err
	}
	return now, known(names, now)
}

// known returns an error if the server lacks one of the settings, or nobody can change it.
func known(names []string, now map[string]inForce) error {
	for _, name := range names {
		switch s, ok := now[name]; {
		case !ok:
			return fmt.Errorf("%s is not among the server's settings that the role sees\n"+
				"hint: is it spelled right? Superusers' settings take GRANT pg_monitor TO the role", name)
		case s.context == "internal":
			return fmt.Errorf("%s cannot be changed: it is fixed when the server is built or its cluster made\nhint: "+
				"leave it out", name)
		}
	}
	return nil
}

// bring runs the command, and waits until all settings are in force.
func (t tuner) bring(ctx context.Context, all map[string]string) error {
	if err := t.run(ctx, lines(all)); err != nil {
		return err
	}
	return t.await(ctx, all)
}

// await waits until all settings are in force.
func (t tuner) await(ctx context.Context, all map[string]string) error {
	begin, away := time.Now(), time.Now() // the latter: when the server last did not answer
	for {
		now, err := t.now(ctx, slices.Collect(maps.Keys(all)))
		if err != nil {
			away = time.Now()
		} else if err = differs(all, now); err == nil {
			return nil
		}
		if ctx.Err() != nil || time.Since(begin) > returnWithin || time.Since(away) > forceWithin {
			return fmt.Errorf("%.0f s after the command of --%s: %w", time.Since(begin).Seconds(), paramApply,
				errors.Join(ctx.Err(), err))
		}
		time.Sleep(forcePoll)
	}
}

// run runs the user's command.
func (t tuner) run(ctx context.Context, settings string) error {
	text := t.params.Text(paramApply)
	command := strings.ReplaceAll(text, settingsPlace, shellquote.Join(settings))
	// A restarted server outlives the trial.
	environ := slices.DeleteFunc(slices.Clone(t.environ),
		func(e string) bool { return strings.HasPrefix(e, workload.MarkVar+"=") })
	prog := process.Program{Name: t.name, Path: "sh", Argv: []string{"sh", "-c", command}, Shell: true,
		Timeout: applyWithin,
		Env:     append(slices.Concat(environ, t.params.Environ(text)), settingsVar+"="+settings)}
	if err := prog.Find(); err != nil {
		return err
	}
	if _, err := prog.Run(ctx); err != nil {
		return fmt.Errorf("%s: %w", paramApply, err)
	}
	return nil
}

// lines returns settings as lines of postgresql.conf, in order of their names.
func lines(settings map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		out = append(out, name+" = '"+strings.ReplaceAll(settings[name], "'", "''")+"'")
	}
	return strings.Join(out, "\n")
}

// differing returns the first setting that is not in force, or not beyond the next restart, in order of the names; ""
// if all are.
func differing(all map[string]string, now map[string]inForce) string {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if now[name].pending || !now[name].is(all[name]) {
			return name
		}
	}
	return ""
}

// differs returns an error if a setting is not in force.
func differs(all map[string]string, now map[string]inForce) error {
	name := differing(all, now)
	if name == "" {
		return nil
	}
	hint := "the command has to change it, and to reload the server"
	switch s := now[name]; {
	case s.is(all[name]):
		return fmt.Errorf("%s is %s until the server's next restart\nhint: another value is in its configuration: "+
			"change it there", name, s.shown)
	case s.pending, s.context == "postmaster":
		hint = "it takes a restart of the server, by the command"
	}
	return fmt.Errorf("%s is %s, not %s\nhint: %s", name, now[name].shown, all[name], hint)
}
