package carry

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"plimsoll/internal/base/process"
)

const (
	// sentinel ends the output of a script: its carrier may hold the stream open.
	sentinel = "plimsoll-carried"
	// parting is how long a command has to exit once it has said all.
	parting = time.Second
	// patience bounds one exchange unless its host says otherwise; a program of 50 MB takes 7 minutes at 1 Mbit/s.
	patience = 10 * time.Minute
	// maxOutput bounds what a script may print, in bytes.
	maxOutput = 1 << 20
)

// run runs the host's command with more words, and returns its output up to the line that is the last one, or to its
// end.
func (h *host) run(ctx context.Context, words string, stdin []byte, isLast func(line string) bool) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(h.patience, patience))
	defer cancel()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	cmd := exec.Command("sh", "-c", h.on+" "+words)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = h.env
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.WaitDelay = parting
	last := &process.LastWords{}
	cmd.Stderr = last
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	said, ended, watched := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		h.watch(ctx, cmd.Process.Pid, said, ended)
	}()
	var text strings.Builder
	lines := bufio.NewScanner(out)
	complete := false
	for !complete && lines.Scan() && text.Len() < maxOutput {
		text.WriteString(lines.Text() + "\n")
		complete = isLast(lines.Text())
	}
	switch err := lines.Err(); {
	case complete:
		close(said)
	case err != nil:
		giveUp(fmt.Errorf("reading its output: %w", err))
	case text.Len() >= maxOutput:
		giveUp(fmt.Errorf("its output exceeds %d MiB", maxOutput>>20))
	}
	_ = process.AwaitExit(cmd.Process.Pid) // no other group has its number before it is reaped
	close(ended)
	<-watched
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of its group
	err = cmd.Wait()
	if complete {
		return text.String(), nil
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	if said := last.String(); err != nil && said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return text.String(), err
}

// watch ends a command's group when ctx ends, and kills it if it outlives that by its grace, or its last words by a
// while.
func (h *host) watch(ctx context.Context, pid int, said, ended <-chan struct{}) {
	grace := parting
	select {
	case <-ended:
		return
	case <-said:
	case <-ctx.Done():
		_ = syscall.Kill(-pid, syscall.SIGTERM)
		grace = h.grace
	}
	select {
	case <-ended:
	case <-time.After(grace):
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}
