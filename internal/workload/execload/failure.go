package execload

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
)

// failure is a run that did not succeed.
type failure struct {
	class load.Class
	never bool // it could not be started, and never will be
	text  string
	cause error // may be nil
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// startError explains why the command could not be started.
func (p *program) startError(err error) error {
	f := &failure{class: load.Other, never: true, cause: err}
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.ENOMEM), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		f.never = false
		f.text = fmt.Sprintf("exec: %s could not be started: %v\nhint: lower the load, or raise the limits that ulimit -a shows", p, err)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		f.text = fmt.Sprintf("exec: command %q not found\nhint: give its whole path; a script's first line must name an interpreter that exists; what only a shell knows needs --set exec.shell=true", p.argv[0])
	case errors.Is(err, fs.ErrPermission):
		f.text = fmt.Sprintf("exec: command %q may not be executed: %v\nhint: chmod +x makes a file executable", p.argv[0], err)
	case errors.Is(err, unix.ENOEXEC):
		f.text = fmt.Sprintf("exec: command %q is not a program for this machine: %v\nhint: a script needs a first line such as #!/bin/sh", p.argv[0], err)
	default:
		f.text = fmt.Sprintf("exec: %s could not be started: %v", p, err)
	}
	return f
}

// failed explains a run that was ended, or that ended badly.
func (p *program) failed(o outcome, err error) error {
	f := &failure{class: load.Status, cause: err}
	switch {
	case errors.Is(err, errTimeout):
		f.class = load.Timeout
		f.text = fmt.Sprintf("exec: %s was stopped after %v%s\nhint: --set exec.timeout=… allows more", p, p.timeout, printed(o))
	case err != nil:
		f.class = load.Other
		f.text = fmt.Sprintf("exec: running %s: %v", p, err)
	case o.status.Signaled():
		f.text = fmt.Sprintf("exec: %s was ended by signal %d (%v)%s%s", p, int(o.status.Signal()), o.status.Signal(), printed(o), signalHint(o.status.Signal()))
	default:
		f.text = fmt.Sprintf("exec: %s exited with status %d%s\nhint: %s", p, o.status.ExitStatus(), printed(o), p.statusHint(o.status.ExitStatus()))
	}
	return f
}

func signalHint(s unix.Signal) string {
	if s == unix.SIGKILL {
		return "\nhint: dmesg says whether the kernel killed it for want of memory"
	}
	return ""
}

func (p *program) statusHint(status int) string {
	switch {
	case p.shell && status == 127:
		return "the shell found no such command: check its name and PATH"
	case p.shell && status == 126:
		return "the shell may not execute it: check its permissions"
	case !p.shell && slices.ContainsFunc(p.argv, shellSyntax):
		return "| > < && and ; mean nothing without a shell: --set exec.shell=true"
	}
	return "try the command by hand in the same directory"
}

func shellSyntax(word string) bool {
	return slices.Contains([]string{"|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1"}, word)
}

// The bounds of what a message quotes: a trial's line is small.
const (
	printedLines = 8
	printedBytes = 800
	clipBytes    = 200
)

// printed is the end of what the command printed as lines of a message: on its
// standard error, or where there is nothing, on its standard output.
func printed(o outcome) string {
	for _, s := range []struct {
		name string
		*sink
	}{{"error", o.err}, {"output", o.out}} {
		text := strings.TrimSpace(s.plain())
		if text == "" {
			continue
		}
		lines := strings.Split(text, "\n")
		lines = lines[max(0, len(lines)-printedLines):]
		return "; its standard " + s.name + " ended:\n  " + strings.Join(lines, "\n  ")
	}
	return "; it printed nothing"
}

// plain is the end of what was printed, without what would move a terminal's
// cursor or change its colours.
func (s *sink) plain() string {
	tail := s.tail[max(0, len(s.tail)-printedBytes):]
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(string(tail), ""))
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) <= clipBytes {
		return s
	}
	return strings.ToValidUTF8(s[:clipBytes], "") + "…"
}
