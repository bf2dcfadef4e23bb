package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"
)

// stepGrace is the time that an interrupted step has to end by itself.
const stepGrace = 30 * time.Second

// Step is one step of a setup.
type Step struct {
	Does    string                      // description
	Command []string                    // its program is looked up in PATH when the step runs
	Dir     string                      // working directory; "": here
	Env     []string                    // NAME=VALUE, beside this process's own environment
	Root    bool                        // requires root
	Whole   bool                        // not interruptible once begun: half of it would be worse
	Do      func(context.Context) error // instead of Command
}

// Line returns the step's command as shell text; "" if there is none.
func (s Step) Line() string { return shellquote.Join(s.Command...) }

// Run runs the step. Its error has the command's last lines of output.
func (s Step) Run(ctx context.Context) error {
	if s.Do != nil {
		return s.Do(ctx)
	}
	var out Output
	cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
	if s.Whole {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		cmd = exec.Command(s.Command[0], s.Command[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is for its foreground group
	}
	cmd.Dir, cmd.Env = s.Dir, append(os.Environ(), s.Env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if !s.Whole {
		cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
		cmd.WaitDelay = stepGrace
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w%s", s.Line(), err, out.Last())
	}
	return context.Cause(ctx)
}
