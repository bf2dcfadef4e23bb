package agent

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"plimsoll/internal/base/process"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/record/session"
)

// conversation is the client's side of one exchange with an agent.
type conversation struct {
	client Client

	secrets secret.Values // sent to the agent, masked in whatever it returns

	cmd    *exec.Cmd
	stdin  io.Closer
	stdout io.Closer
	stderr *process.LastWords
	lines  chan []byte
	sent   chan struct{} // closed once nothing more is written to it; nil: it is not written to
	hello  bool
	answer answer
	watch  watch
	broken error // set if its output was invalid; read only after lines is closed
	waited error

	mu     sync.Mutex
	reaped bool // the process was waited for, so its ID may have been reused
}

// read passes the agent's output on, line by line, until it ends.
func (s *conversation) read(r io.Reader) {
	defer close(s.lines)
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	for in.Scan() {
		s.lines <- bytes.Clone(in.Bytes()) // stop reads to the end
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		s.broken = fmt.Errorf("not an agent: a line of its output exceeds %d MiB", maxLine>>20)
	}
}

var errEnded, errSilent = errors.New("it exited before it was done"), errors.New("no output")

// turns divides the limit of silence. However long this process itself is suspended, only one turn passes, and what the
// agent sent meanwhile is read in the next.
const turns = 10

// listen handles messages until the agent is done, exits, or falls silent, or the context ends.
func (s *conversation) listen(ctx context.Context, handle func(Message) error) error {
	silence := s.client.silence()
	turn, silent := time.NewTicker(silence/turns), 0
	defer turn.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-turn.C:
			if silent++; silent > turns {
				return fmt.Errorf("%w for %v; killed", errSilent, silence)
			}
			if err := s.watch.pass(silence/turns, s.answer.whole()); err != nil {
				return err
			}
		case line, ok := <-s.lines:
			if !ok {
				return cmp.Or(s.broken, errEnded)
			}
			silent = 0
			if done, err := s.receive(line, handle); done || err != nil {
				return err
			}
		}
	}
}

// Replay handles recorded output of an agent as Do does while it arrives.
func Replay(req Request, said []byte, handle func(Message) error) error {
	s := conversation{answer: answer{req: req}, watch: watch{req: req}}
	for line := range bytes.Lines(said) {
		if done, err := s.receive(bytes.TrimSuffix(line, []byte("\n")), handle); done || err != nil {
			return err
		}
	}
	return errEnded
}

// refusal wraps an error of the handler.
type refusal struct{ error }

func (s *conversation) receive(line []byte, handle func(Message) error) (done bool, err error) {
	m, err := parseMessage(line)
	m = masked(m, s.secrets)
	switch {
	case err != nil:
		return false, err
	case m.Kind == kindHello && !s.hello:
		s.hello = m.Protocol == Protocol
		if !s.hello {
			return false, fmt.Errorf("plimsoll %.40s there uses protocol %d, this one uses %d\nhint: install the same version "+
				"there, or --deploy this one",
				m.Version, m.Protocol, Protocol) // no wrong usage: what a host says does not choose exit code 2
		}
		return false, nil
	case !s.hello:
		return false, notAnswer(line)
	case m.Kind == kindBeat:
		return false, s.watch.beat(m)
	case m.Kind == kindDone:
		return true, s.answer.done()
	case m.Kind == kindFault:
		m.Fault.Message = fmt.Sprintf("%.*s", maxDetail, m.Fault.Message)
		m.Fault.Usage = m.Fault.Usage && s.answer.judgesUsage()
		return false, m.Fault
	}
	if m, err = s.answer.take(m, len(line)); err != nil {
		return false, err
	}
	if err := handle(m); err != nil {
		return false, refusal{err}
	}
	return false, nil
}

func parseMessage(line []byte) (Message, error) {
	var m Message
	if session.Crowded(line, maxObjects) != nil || json.Unmarshal(line, &m) != nil || m.Kind == "" ||
		m.Kind == kindFault && m.Fault == nil {
		return m, notAnswer(line)
	}
	return m, nil
}

func notAnswer(line []byte) error {
	return fmt.Errorf("not an agent: it printed %.120q", line)
}

// stop asks the agent to exit by closing its input, then kills its process group. It signals the group only until the
// leader is reaped, because afterwards the ID may belong to somebody else.
func (s *conversation) stop() {
	select {
	case <-s.sent:
	case <-time.After(strangerGrace): // it does not read
	}
	s.stdin.Close()
	kill := time.AfterFunc(s.patience(), func() {
		s.kill()
		s.stdout.Close() // in case a process that left the group holds it open
	})
	for line := range s.lines {
		if m, err := parseMessage(line); err == nil && m.Kind == kindBye {
			kill.Reset(strangerGrace) // the agent is gone, and what carries it may not notice
		}
	}
	_ = process.AwaitExit(s.cmd.Process.Pid)
	kill.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reaped = true
	// Anything left in the group goes too.
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	s.waited = s.cmd.Wait()
}

// patience returns the time that the process has to exit: a process that never identified itself as an agent has
// nothing to clean up.
func (s *conversation) patience() time.Duration {
	if !s.hello {
		return min(s.client.grace(), strangerGrace)
	}
	return s.client.grace()
}

func (s *conversation) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reaped {
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// explain converts the way a conversation ended into the error that Do promises.
func (s *conversation) explain(err error) error {
	var fault *Fault
	var refused refusal
	switch {
	case err == nil, errors.As(err, &fault), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &refused):
		return refused.error
	}
	what := "failed"
	if errors.Is(err, errEnded) {
		what, err = "died", s.cause(err)
		s.hello = s.hello || s.client.On == ""
	}
	if s.hello {
		return Lost{Reason: fmt.Sprintf("the agent %s: %v", what, err), Gone: what == "died" || errors.Is(err, errSilent)}
	}
	return Unreachable{s.client.On, err}
}

// cause adds the exit status and the end of standard error of a process that exited.
func (s *conversation) cause(err error) error {
	if s.waited != nil {
		err = s.waited
	}
	if words := s.stderr.String(); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}
