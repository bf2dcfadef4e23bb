package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
)

// Client starts agents on one host.
type Client struct {
	On   string // a command that reaches the host; "": this host
	Self string // path of this program, for agents on this host
}

// Unreachable is the error for an agent that never answered: no trial began.
type Unreachable struct {
	On  string
	Err error
}

func (e Unreachable) Error() string {
	if e.On == "" {
		return fmt.Sprintf("starting an agent on this host: %v", e.Err)
	}
	return fmt.Sprintf("no agent answers through %q: %v\nhint: %s plimsoll agent </dev/null must run there; plimsoll must be in its PATH", e.On, e.Err, e.On)
}
func (e Unreachable) Unwrap() error { return e.Err }

// Lost is the error for an agent that answered and then ended, or fell silent,
// before it was done.
type Lost struct{ Reason string }

func (e Lost) Error() string { return e.Reason }

// grace is how long an agent told to stop may take to stop what it started.
const grace = 5 * time.Second

// maxLine bounds one message; a profile of 1 MB is the largest.
const maxLine = 8 << 20

// Do has an agent carry out one request and passes its messages on. When it
// returns, the agent and all that it started here are gone. The error is an
// Unreachable, a Lost, a *Fault, the context's, or the handler's.
func (c Client) Do(ctx context.Context, req Request, handle func(Message) error) error {
	req.Protocol = Protocol
	cmd, stderr := c.command(req)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return Unreachable{c.On, err}
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Unreachable{c.On, err}
	}
	if err := cmd.Start(); err != nil {
		return Unreachable{c.On, err}
	}
	s := &conversation{client: c, cmd: cmd, stdin: stdin, stdout: stdout, stderr: stderr, lines: make(chan []byte)}
	defer s.sweep(req)
	quit := make(chan struct{})
	go s.read(stdout, quit)
	if err = json.NewEncoder(stdin).Encode(req); err == nil {
		err = s.listen(ctx, handle)
	}
	close(quit)
	s.stop()
	return s.explain(err)
}

func (c Client) command(req Request) (*exec.Cmd, *tail) {
	cmd := exec.Command(c.Self, "agent")
	if c.On != "" {
		cmd = exec.Command("sh", "-c", c.On+" plimsoll agent")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if req.Order != nil {
		cmd.Env = append(os.Environ(), MarkVar+"="+req.Order.ID)
	}
	stderr := &tail{}
	cmd.Stderr = stderr
	cmd.WaitDelay = grace
	return cmd, stderr
}

// conversation is one agent being talked to.
type conversation struct {
	client Client
	cmd    *exec.Cmd
	stdin  io.Closer
	stdout io.Closer
	stderr *tail
	lines  chan []byte
	hello  bool
	waited error
}

// read passes the agent's lines on until its output ends.
func (s *conversation) read(r io.Reader, quit <-chan struct{}) {
	defer close(s.lines)
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	for in.Scan() {
		select {
		case s.lines <- bytes.Clone(in.Bytes()):
		case <-quit:
			return
		}
	}
}

var errEnded = errors.New("it ended before it was done")

// listen handles messages until the agent is done, ends, falls silent or the context ends.
func (s *conversation) listen(ctx context.Context, handle func(Message) error) error {
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return Lost{fmt.Sprintf("the agent fell silent for %v: it hung and was killed", silence)}
		case line, ok := <-s.lines:
			if !ok {
				return errEnded
			}
			timer.Reset(silence)
			done, err := s.hear(line, handle)
			if done || err != nil {
				return err
			}
		}
	}
}

func (s *conversation) hear(line []byte, handle func(Message) error) (done bool, err error) {
	var m Message
	if err := json.Unmarshal(line, &m); err != nil || m.Kind == "" {
		return false, fmt.Errorf("it said %.120q, which is no agent's answer", line)
	}
	switch m.Kind {
	case kindHello:
		s.hello = true
		if m.Protocol != Protocol {
			return false, fmt.Errorf("it is plimsoll %s and speaks protocol %d, this one speaks %d\nhint: install the same version there", m.Version, m.Protocol, Protocol)
		}
		return false, nil
	case kindBeat:
		return false, nil
	case kindDone:
		return true, nil
	case kindFault:
		return false, m.Fault
	}
	return false, handle(m)
}

// stop ends the agent: asks it by closing its input, then kills its group.
func (s *conversation) stop() {
	s.stdin.Close()
	kill := time.AfterFunc(grace, func() {
		s.kill()
		s.stdout.Close() // a process that left the group may hold it open
	})
	defer kill.Stop()
	for range s.lines {
	}
	s.waited = s.cmd.Wait()
	// Whatever it left in its group goes too.
	s.kill()
}

func (s *conversation) kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
}

// sweep removes what an agent on this host could not remove itself.
func (s *conversation) sweep(req Request) {
	if s.client.On != "" || req.Order == nil {
		return
	}
	_ = host.KillMarked(context.Background(), MarkVar+"="+req.Order.ID)
	_ = os.RemoveAll(scratchDir(req.Order.ID))
}

// explain turns how a conversation ended into the error that Do promises.
func (s *conversation) explain(err error) error {
	var fault *Fault
	var lost Lost
	switch {
	case err == nil, errors.As(err, &fault), errors.As(err, &lost), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case !s.hello && s.client.On != "":
		return Unreachable{s.client.On, s.cause(err)}
	case !s.hello, errors.Is(err, errEnded):
		return Lost{fmt.Sprintf("the agent died: %v", s.cause(err))}
	}
	return err
}

// cause adds the exit status and the last words of a process that ended.
func (s *conversation) cause(err error) error {
	if s.waited != nil {
		err = s.waited
	}
	if words := s.stderr.String(); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// scratchDir is where the trial of that order keeps its files.
func scratchDir(orderID string) string {
	return filepath.Join(os.TempDir(), "plimsoll-"+orderID)
}

// tail keeps the last bytes written to it.
type tail struct{ buf []byte }

const tailBytes = 1 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - tailBytes; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(string(t.buf)) }

// Describe asks the agent what machine it is on.
func (c Client) Describe(ctx context.Context) (record.Machine, error) {
	var m record.Machine
	err := c.Do(ctx, Request{Do: DoMachine}, func(msg Message) error {
		if msg.Machine != nil {
			m = *msg.Machine
		}
		return nil
	})
	return m, err
}
