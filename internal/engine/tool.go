package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// Tool is a program that helps a server and ends by itself, such as one that makes its data directory.
type Tool struct {
	Engine string // for messages
	Path   string
	Args   []string
	Dir    string
	Env    []string // the whole environment
	As     *syscall.Credential
	Within time.Duration
}

// Run runs it and its descendants to their end, and returns the end of its output. The error has its last lines.
func (t Tool) Run(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.Within, fmt.Errorf("not done within %v", t.Within))
	defer cancel()
	var out Output
	cmd := exec.CommandContext(ctx, t.Path, t.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.Dir, t.Env, &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: t.As}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if err == nil {
		return out.text(), nil
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return "", fmt.Errorf("%s: %s: %w%s", t.Engine, t.Path, err, out.Last())
}
