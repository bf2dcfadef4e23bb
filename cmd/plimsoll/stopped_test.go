package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/run"
)

// TestHostsOnStandardInputCanBeStopped: a verb that waits for a list of hosts ends with its context, and says so.
func TestHostsOnStandardInputCanBeStopped(t *testing.T) {
	for _, line := range []string{"hosts -", "run exec true --hosts -", "setup kafka --hosts - --dry-run"} {
		silent, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		var said bytes.Buffer
		a := &app{stdin: silent, stdout: io.Discard, said: io.Discard, stderr: term.Screened(&said), env: os.Getenv,
			agent: newAgent()}
		root := a.root()
		root.SetArgs(strings.Fields(line))
		ended := make(chan int, 1)
		go func() { ended <- a.exit(root.ExecuteContext(ctx)) }()
		cancel()
		select {
		case code := <-ended:
			if code != exitFailed || said.String() != "plimsoll: interrupted\n" {
				t.Errorf("%s: exit code %d, %q", line, code, said.String())
			}
		case <-time.After(time.Minute):
			t.Errorf("%s: it still waits for its standard input", line)
		}
		w.Close()
	}
}

func TestStopped(t *testing.T) {
	failed := errors.New("failed")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx       context.Context
		err, want error
	}{
		"done":           {ended, nil, nil},
		"cut off":        {ended, usage.Wrap(fmt.Errorf("java: %w", context.Canceled)), run.ErrInterrupted},
		"failed as well": {ended, failed, failed},
		"not stopped":    {t.Context(), context.Canceled, context.Canceled},
	} {
		if got := stopped(c.ctx, c.err); !errors.Is(got, c.want) || c.want == nil && got != nil ||
			usage.Is(got) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	finished := fmt.Errorf("%w\n2 finished runs are safe (%w)", run.ErrInterrupted, context.Canceled)
	if got := stopped(ended, finished); got.Error() != finished.Error() {
		t.Errorf("the number of finished runs is gone: %v", got)
	}
}
