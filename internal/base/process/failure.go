package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/secret"
)

// Why is a kind of failure.
type Why int

// The kinds of failure.
const (
	Other   Why = iota // it could not be started or waited for
	Status             // it exited with an error
	Timeout            // it was stopped
)

// Failure is the error of a run that did not succeed.
type Failure struct {
	Why   Why
	Never bool // it could not be started, nor can later ones
	text  string
	cause error // may be nil
}

func (f *Failure) Error() string { return f.text }
func (f *Failure) Unwrap() error { return f.cause }

// says formats a message that begins with the workload's name, which hints write as NAME.
func (p *Program) says(format string, args ...any) string {
	return p.Name + ": " + fmt.Sprintf(strings.ReplaceAll(format, "--set NAME.", "--set "+p.Name+"."), args...)
}

// startError explains why the command could not be started.
func (p *Program) startError(err error) error {
	f := &Failure{Why: Other, Never: true, cause: err}
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM), errors.Is(err, unix.EMFILE),
		errors.Is(err, unix.ENFILE):
		f.Never = false
		f.text = p.says("%s could not be started: %v\nhint: lower the load, or raise the limits that ulimit -a shows",
			p, err)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		f.text = p.says("command %q not found\nhint: %s", p.Argv[0], notFoundHint(p.Argv[0]))
	case errors.Is(err, fs.ErrPermission):
		f.text = p.says("command %q may not be executed: %v\nhint: chmod +x makes a file executable", p.Argv[0], err)
	case errors.Is(err, unix.ENOEXEC):
		f.text = p.says("command %q is not a program for this machine: %v\nhint: a script needs a first line such as "+
			"#!/bin/sh", p.Argv[0], err)
	default:
		f.text = p.says("%s could not be started: %v", p, err)
	}
	return f
}

// notFoundHint returns the remedy for a program that doesn't exist.
func notFoundHint(name string) string {
	builtins := []string{"exit", "cd", "export", "source", ".", "if", "for", "while", "set", "ulimit", "alias", "trap"}
	switch {
	case slices.Contains(builtins, name):
		return "it is a command of the shell: --shell runs the line in a shell"
	case strings.ContainsRune(name, '/'):
		return "check the path, and that a script's first line names an existing interpreter"
	}
	return "check its name, give its whole path, or quote a command together with its arguments"
}

// failed explains a run that was stopped, or that exited with an error.
func (p *Program) failed(o Outcome, err error) error {
	f := &Failure{Why: Status, cause: err}
	switch {
	case errors.Is(err, errTimeout):
		f.Why = Timeout
		f.text = p.says("%s was stopped after %v%s\nhint: --set NAME.timeout=… allows more", p, p.Timeout, printed(o))
	case err != nil:
		f.Why = Other
		f.text = p.says("run %s: %v", p, err)
	case o.Status.Signaled():
		f.text = p.says("%s was killed by signal %d (%v)%s%s",
			p, int(o.Status.Signal()), o.Status.Signal(), printed(o), signalHint(o.Status.Signal()))
	default:
		f.text = p.says("%s exited with status %d%s\nhint: %s",
			p, o.Status.ExitStatus(), printed(o), p.statusHint(o.Status.ExitStatus()))
	}
	return f
}

func signalHint(s unix.Signal) string {
	if s == unix.SIGKILL {
		return "\nhint: dmesg shows whether the kernel killed it for lack of memory"
	}
	return ""
}

func (p *Program) statusHint(status int) string {
	switch {
	case p.Shell && status == 127:
		return "the shell found no such command: check its name and PATH"
	case p.Shell && status == 126:
		return "the shell isn't permitted to execute it: check the file's permissions"
	case !p.Shell && slices.ContainsFunc(p.Argv, shellSyntax):
		return "| > < && and ; need a shell: --set " + p.Name + ".shell=true"
	}
	if p.AnyFlag != "" {
		return p.AnyFlag + " ignores the exit status; try the command by hand in the same directory"
	}
	return "try the command by hand in the same directory"
}

func shellSyntax(word string) bool {
	return slices.Contains([]string{"|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1"}, word)
}

// The limits on quotations in a message: a trial's line is small.
const (
	printedLines = 8
	printedBytes = 800
	clipBytes    = 200
)

// printed returns the end of the command's output as lines of a message: from standard error, or if that is empty,
// from standard output.
func printed(o Outcome) string {
	for _, s := range []struct {
		name string
		*Output
	}{{"error", o.Err}, {"output", o.Out}} {
		text := strings.TrimSpace(s.Plain())
		if text == "" {
			continue
		}
		lines := strings.Split(text, "\n")
		lines = lines[max(0, len(lines)-printedLines):]
		return "; its standard " + s.name + " ended:\n  " + strings.Join(lines, "\n  ")
	}
	return "; it printed nothing"
}

// Plain returns the end of the output, without characters that would move a terminal's cursor or change its colours. A
// secret that they divided is whole then, so that the client can mask it.
func (s *Output) Plain() string {
	tail := s.Tail[max(0, len(s.Tail)-printedBytes):]
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(secret.Unescaped(string(tail)), ""))
}

// Clip shortens a text for a message.
func Clip(s string) string {
	if len(s) <= clipBytes {
		return s
	}
	return strings.ToValidUTF8(s[:clipBytes], "") + "…"
}
