package engine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
)

const (
	keptBytes = 8 << 10 // kept from the end of an output
	keptLines = 12      // of those, shown in a message
)

// Output keeps the end of a program's output. The zero value is ready.
type Output struct {
	mu   sync.Mutex
	tail []byte
}

// Write never fails.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, p[max(0, len(p)-keptBytes):]...)
	if over := len(o.tail) - keptBytes; over > 0 {
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
	return len(p), nil
}

// text returns the kept end of the output.
func (o *Output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.tail)
}

// Last returns the last lines as the end of a message, without characters that would move a terminal's cursor or
// change its colours.
func (o *Output) Last() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := strings.TrimSpace(strings.Map(printable, strings.ToValidUTF8(string(o.tail), "")))
	if text == "" {
		return "; it printed nothing"
	}
	lines := strings.Split(text, "\n")
	return "; the last that it printed:\n  " + strings.Join(lines[max(0, len(lines)-keptLines):], "\n  ")
}

func printable(r rune) rune {
	if r == '\n' || unicode.IsPrint(r) {
		return r
	}
	return ' '
}

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
