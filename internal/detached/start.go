package detached

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"
)

// LogOf returns the file that holds what the run of a session says.
func LogOf(session string) string { return session + ".log" }

// Begun states that a run is in the background, and the commands that monitor it.
func Begun(pid int, file string) string {
	path := shellquote.Join(file)
	return fmt.Sprintf("running in the background (pid %d), log: %s\n"+
		"next: plimsoll status %s\n      plimsoll attach %s", pid, shellquote.Join(LogOf(file)), path, path)
}

// Start runs this program with arguments in a session of its own, which no terminal's end reaches, and returns its
// process id once it has begun (Beginning). What it says goes to the log. If it ends before, to what it has said on its
// output is copied and the error is Elsewhere; if ctx ends before, it is stopped. It reads its input before it begins.
func Start(ctx context.Context, self string, args []string, file string, input io.Reader, to io.Writer) (pid int,
	err error) {
	log, err := os.OpenFile(LogOf(file), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return 0, fmt.Errorf("creating the log of the run: %w", err)
	}
	defer log.Close()
	from, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, fmt.Errorf("creating the log of the run: %w", err)
	}
	begun, its, err := os.Pipe()
	if err != nil {
		return 0, fmt.Errorf("start a run in the background: %w", err)
	}
	defer begun.Close()
	cmd := exec.Command(self, args...)
	cmd.Stdin = input
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles, cmd.SysProcAttr = log, log, []*os.File{its}, &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	its.Close()
	if err != nil {
		return 0, fmt.Errorf("start a run in the background: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = unix.Kill(cmd.Process.Pid, unix.SIGTERM) })()
	if n, _ := begun.Read(make([]byte, 1)); n == 1 { // without a word, it has ended
		return cmd.Process.Pid, nil
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return 0, told(file, from, err, to)
}

// begunFD is the descriptor on which a run says that it has begun: the first that Start adds to the usual three.
const begunFD = 3

// Beginning returns a function by which a run that Start has started says that it has begun. Called first of all, it
// keeps the way to Start from what the run starts itself.
func Beginning() (begun func()) {
	var st unix.Stat_t
	if unix.Fstat(begunFD, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return func() {}
	}
	unix.CloseOnExec(begunFD)
	to := os.NewFile(begunFD, "begun")
	return func() {
		_, _ = to.Write([]byte{1})
		_ = to.Close()
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

// Flags of `plimsoll run`: to go on by itself, and that this is such a run.
const (
	FlagDetach   = "detach"
	FlagDetached = "detached"
)

// CommandLine returns a command line with other words in the place of FlagDetach; false if that is not on it.
func CommandLine(args []string, instead ...string) ([]string, bool) {
	at := slices.IndexFunc(args, func(arg string) bool {
		return arg == "--"+FlagDetach || strings.HasPrefix(arg, "--"+FlagDetach+"=")
	})
	if at < 0 {
		return nil, false
	}
	return slices.Concat(args[:at], instead, args[at+1:]), true
}
