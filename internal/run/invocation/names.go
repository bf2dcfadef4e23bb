// Package invocation turns the arguments and flags of `plimsoll run` into a request: the workloads, suites and files
// that lead, a workload's own arguments, and settings with or without a workload's name.
package invocation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

// Line is a command line: the arguments, and how many of them precede "--" (negative: there is none).
type Line struct {
	Args  []string
	Dash  int
	Typed Typed
}

// split returns the leading names of workloads, suites and files, and the arguments of the one workload that precedes
// them. After a workload that takes anything, such as a command, every argument is its own.
func (l Line) split(specs []workload.Spec) (names, rest []string) {
	for i, arg := range l.Args {
		if l.Dash >= 0 && i >= l.Dash || !isName(arg, specs) {
			return l.Args[:i], l.Args[i:]
		}
		if s, ok := workload.Find(specs, arg); ok && s.Command.Greedy {
			return l.Args[:i+1], l.Args[i+1:]
		}
	}
	return l.Args, nil
}

func isName(arg string, specs []workload.Spec) bool {
	return isFile(arg) || slices.Contains(Names(specs), arg)
}

func isFile(arg string) bool {
	return strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml")
}

// taken applies a workload's own arguments to a request that measures it. dashed words are one command.
func (l Line) taken(req *plan.Request, name string, rest []string, specs []workload.Spec) error {
	s, _ := workload.Find(specs, name)
	if s.Command.Take == nil {
		return takesNone(name, rest[0], specs)
	}
	if s.Command.Greedy && l.Dash >= 0 && len(l.Args)-len(rest) == l.Dash {
		rest = []string{shellquote.Join(rest...)}
	}
	t, err := s.Command.Take(rest)
	if err != nil {
		return usage.Wrap(err)
	}
	ask := &req.Measure[0]
	ask.Set = map[string]string{}
	for param, value := range t.Set {
		ask.Set[param] = value
	}
	if len(t.Jobs) > 0 {
		jobs(req, name, t)
	}
	if t.Vary != "" {
		req.Factors = append(req.Factors, plan.Vary(name+"."+t.Vary, t.Values))
	}
	return nil
}

// jobs replaces the one measurement of a request by one for each job, whose names tables show.
func jobs(req *plan.Request, name string, t workload.Taken) {
	req.Measure, req.Aside = nil, t.Aside
	if t.DurationS > 0 {
		req.DurationS = t.DurationS
	}
	if t.WarmupS > 0 {
		req.WarmupS = t.WarmupS
	}
	for _, j := range t.Jobs {
		// A level has to set something of the workload; the rest is set so that flags replace it.
		level := plan.Level{Name: j.Name, Set: map[string]string{name + "." + t.Chief: j.Set[t.Chief]}}
		req.Measure = append(req.Measure, plan.Ask{Workload: name, Set: j.Set,
			Vary: []plan.Factor{{Name: "job", Levels: []plan.Level{level}}}})
	}
}

func takesNone(name, arg string, specs []workload.Spec) error {
	known := Names(specs)
	if nearest.Of(arg, known) != "" {
		return usage.Unknown("workload or suite", arg, known)
	}
	return usage.Errorf("%s takes no argument, got %q\nhint: plimsoll list %s shows its parameters, which --set "+
		"NAME=VALUE sets", name, arg, name)
}

// unknown returns the error for arguments that begin with an unknown name, with the command that they may have meant.
func (l Line) unknown(args []string, specs []workload.Spec) error {
	known, arg := Names(specs), args[0]
	typed := Typed{Words: args, Flags: l.Typed.Flags}
	if len(l.Typed.Words) > 0 && l.Typed.Words[0] == arg {
		typed = l.Typed
	}
	if hint, ok := typed.guess(specs); ok {
		return usage.Errorf("unknown workload or suite %q\nhint: %s", arg, hint)
	}
	s, ok := takes(arg, specs)
	near := nearest.Of(arg, known)
	if !ok && near == "" && isProgram(arg) {
		s, ok = commands, true
	}
	if _, there := workload.Find(specs, s); ok && there {
		if s != commands {
			args = args[:1]
		}
		return usage.Errorf("unknown workload or suite %q\nhint: %s", arg, line(append([]string{s}, args...), specs))
	}
	if strings.HasSuffix(arg, session.Suffix) {
		file := shellquote.Join(arg)
		return usage.Errorf("%s is a session, not a workload or suite\nhint: plimsoll run --resume %s continues it, "+
			"plimsoll show %s prints it", arg, file, file)
	}
	if strings.ContainsRune(arg, '/') {
		return usage.Errorf("there is no file %q\n"+
			"hint: plimsoll run exec COMMAND measures a command, plimsoll run disk DIR a disk, plimsoll run SUITE.yaml a suite",
			arg)
	}
	e := &usage.Error{Text: fmt.Sprintf("unknown workload or suite %q", arg),
		Hint: "plimsoll list shows the names; plimsoll run exec 'COMMAND' measures a command"}
	if near != "" {
		e.Hint = "did you mean " + near + "?"
	} else if hint := MeantTool(typed, specs); hint != "" {
		e.Hint = hint
	}
	return e
}

// commands is the workload that runs commands.
const commands = "exec"

// isProgram reports whether a shell would find a program of that name.
func isProgram(name string) bool {
	return name != "" && !strings.ContainsRune(name, '/') &&
		slices.ContainsFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
			return mayRun(filepath.Join(dir, name))
		})
}

// executable reports whether a path with a slash names a file that may be executed.
func executable(path string) bool { return strings.ContainsRune(path, '/') && mayRun(path) }

// mayRun reports whether a file may be executed.
func mayRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Instead returns the error of reading files. If they are commands, its hint is the line that measures them. If one
// doesn't exist, its hint is a session nearby.
func Instead(err error, files []string, specs []workload.Spec) error {
	if !usage.Is(err) {
		return err
	}
	for _, arg := range files {
		if s, _ := takes(arg, specs); s != commands && !isProgram(arg) {
			return orMissing(err, files[0])
		}
	}
	return usage.With(err, "plimsoll run "+commands+" "+shellquote.Join(files...)+" measures commands")
}

// orMissing returns err, with the session that may be meant if it is of a file that does not exist: the file of the
// error, else the one at path.
func orMissing(err error, path string) error {
	if _, hint := usage.Parts(err); hint != "" || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) {
		path = missing.Path
	}
	return usage.With(err, sessionsNear(path))
}

// sessionsNear returns the session that a missing file may have meant, or those in its directory, or how to make one.
func sessionsNear(path string) string {
	all := session.In(filepath.Dir(path))
	if near := nearest.Of(filepath.Base(path), list.Map(all, filepath.Base)); near != "" {
		return "did you mean " + shellquote.Join(filepath.Join(filepath.Dir(path), near)) + "?"
	}
	const most = 3
	switch {
	case len(all) > most:
		return fmt.Sprintf("there are %d sessions in %s, such as %s", len(all), filepath.Dir(path),
			shellquote.Join(all[len(all)-1]))
	case len(all) > 0:
		return "there are " + strings.Join(all, ", ")
	}
	return "plimsoll run -o " + shellquote.Join(path) + " measures and writes it"
}

// Names returns the workloads and the suites.
func Names(specs []workload.Spec) []string {
	return append(list.Map(specs, func(s workload.Spec) string { return s.Name }), suites.Names()...)
}

// Meant returns the command line with run for one without it, if that begins with a name or with an argument of a
// workload; "" if not.
func Meant(t Typed, specs []workload.Spec) string {
	if !isName(t.Words[0], specs) {
		s, ok := takes(t.Words[0], specs)
		if !ok {
			return ""
		}
		t.Words = append([]string{s}, t.Words...)
	}
	if s, ok := workload.Find(specs, t.Words[0]); ok && t.Flags != nil {
		if meant := t.line(s, specs); meant != "" {
			return meant
		}
	}
	return line(t.Words, specs)
}

// MeantTool returns what measures a tool or server that is named, or nearly so, in place of a verb; "" if none is.
func MeantTool(t Typed, specs []workload.Spec) string {
	if hint, ok := t.guess(specs); ok {
		return hint
	}
	if tool := nearTool(t.Words[0]); tool != "" {
		hint, _ := Typed{Words: []string{tool}}.guess(specs)
		return hint
	}
	return ""
}

// IsTool reports whether the first word is the name of a tool or server.
func IsTool(t Typed) bool {
	_, ok := t.guess(nil)
	return ok
}

// takes returns the workload whose argument a text most likely is.
func takes(arg string, specs []workload.Spec) (name string, ok bool) {
	most := workload.Unlikely
	for _, s := range specs {
		if s.Command.Means == nil {
			continue
		}
		if l := s.Command.Means(arg); l > most {
			name, most = s.Name, l
		}
	}
	return name, most > workload.Unlikely
}

// declarations returns what planning needs to know of workloads.
func declarations(specs []workload.Spec) []record.Workload {
	return list.Map(specs, func(s workload.Spec) record.Workload { return s.Workload })
}
