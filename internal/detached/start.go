package detached

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"
)

// LogOf returns the file that holds what the run of a session says.
func LogOf(session string) string { return session + ".log" }

// Begun states that a run goes on by itself, and the commands that look after it.
func Begun(pid int, file string) string {
	path := shellquote.Join(file)
	return fmt.Sprintf("the run goes on by itself (pid %d); what it says is in %s\n"+
		"next: plimsoll status %s\n      plimsoll attach %s", pid, shellquote.Join(LogOf(file)), path, path)
}

const poll = 50 * time.Millisecond

// Start runs this program with arguments in a session of its own, which no terminal's end reaches, and returns its process
// id once it has checked and written its plan. What it says goes to the log. If it ends before, to what it has said on its
// output is copied and the error is Elsewhere; if ctx ends before, it is stopped.
func Start(ctx context.Context, self string, args []string, file string, to io.Writer) (pid int, err error) {
	log, err := os.OpenFile(LogOf(file), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return 0, fmt.Errorf("what the run says is to be kept: %w", err)
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, fmt.Errorf("what the run says is to be kept: %w", err)
	}
	cmd := exec.Command(self, args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, &syscall.SysProcAttr{Setsid: true}
	before := planned(file)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start a run that goes on by itself: %w", err)
	}
	ended := make(chan error, 1) // its result waits here if nobody asks for it
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case <-ctx.Done():
			_ = unix.Kill(cmd.Process.Pid, unix.SIGTERM)
			return 0, context.Cause(ctx)
		case err := <-ended:
			if planned(file) > before {
				return cmd.Process.Pid, nil // it was short
			}
			return 0, told(file, from, err, to)
		case <-time.After(poll):
			if planned(file) > before {
				return cmd.Process.Pid, nil
			}
		}
	}
}

// told copies what a run has said that ended at once, and returns its error.
func told(file string, from int64, ended error, to io.Writer) error {
	f, err := os.Open(LogOf(file))
	if err != nil {
		return errors.Join(ended, err)
	}
	defer f.Close()
	if from == 0 {
		defer func() { _ = os.Remove(LogOf(file)) }() // nothing was begun
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return errors.Join(ended, err)
	}
	if _, err := io.Copy(to, f); err != nil {
		return errors.Join(ended, err)
	}
	var exit *exec.ExitError
	if errors.As(ended, &exit) && exit.Exited() {
		return Elsewhere{exit.ExitCode()}
	}
	return fmt.Errorf("the run ended at once: %w", ended)
}

// maxHead bounds where in a session its first plan stands.
const maxHead = 1 << 20

// planned returns the size of a session that holds a plan, else 0.
func planned(file string) int64 {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	text := make([]byte, maxHead)
	n, _ := f.Read(text)
	if !bytes.Contains(text[:n], []byte(`{"kind":"plan",`)) {
		return 0
	}
	st, err := f.Stat()
	if err != nil || errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	return st.Size()
}

// Flags of `plimsoll run`: to go on by itself, and that this is such a run.
const (
	FlagDetach   = "detach"
	FlagDetached = "detached"
)

// CommandLine returns the command line of a run that goes on by itself for one that asks for it, with the name of its
// session; false if the flag is not on it.
func CommandLine(args []string, file string) ([]string, bool) {
	at := slices.IndexFunc(args, func(arg string) bool { return arg == "--"+FlagDetach || strings.HasPrefix(arg, "--"+FlagDetach+"=") })
	if at < 0 {
		return nil, false
	}
	out := slices.Clone(args)
	out[at] = "--" + FlagDetached
	if file != "" {
		out = slices.Insert(out, at, "-o", file)
	}
	return out, true
}

// There returns the command line for another host, on which the run is to go on by itself.
func There(args []string) ([]string, bool) {
	out, ok := CommandLine(args, "")
	for i, arg := range out {
		if arg == "--"+FlagDetached {
			out[i] = "--" + FlagDetach
			break
		}
	}
	return out, ok
}
