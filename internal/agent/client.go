package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/secret"
)

// Client starts agents on one host.
type Client struct {
	On      string        // a command that reaches the host; "": this host
	Self    string        // path of this program, for agents on this host
	Silence time.Duration // an agent that says nothing for longer is taken for hung; 0: 20 s
	Grace   time.Duration // how long an agent told to stop may take to leave; 0: 10 s
	Answer  time.Duration // how long it may take to answer a question; 0: a minute
	Still   time.Duration // how long it may prepare or finish without using a second of CPU time; 0: an hour
	Secrets secret.Values // what parameters refer to; agents get theirs with the request, and no process has them in its environment or arguments for it
}

// Unreachable is the error for an agent that never answered: no trial began.
type Unreachable struct {
	On  string
	Err error
}

func (e Unreachable) Error() string {
	switch {
	case e.On == "":
		return fmt.Sprintf("starting an agent on this host: %v", e.Err)
	case strings.Contains(e.Err.Error(), "\nhint:"):
		return fmt.Sprintf("no agent answers through %q: %v", e.On, e.Err)
	}
	return fmt.Sprintf("no agent answers through %q: %v\nhint: %s plimsoll agent </dev/null must run there and ask for nothing; plimsoll must be in its PATH", e.On, e.Err, e.On)
}

func (e Unreachable) Unwrap() error { return e.Err }

// Lost is the error for an agent that answered and then ended, or fell silent,
// before it was done.
type Lost struct{ Reason string }

func (e Lost) Error() string { return e.Reason }

// maxLine bounds one message; a profile of 1 MB is the largest.
const maxLine = 8 << 20

// Do has an agent carry out one request and passes its messages on. When it
// returns, the agent and all that it started here are gone. The error is an
// Unreachable, a Lost, a *Fault, the context's, or the handler's.
func (c Client) Do(ctx context.Context, req Request, handle func(Message) error) error {
	req.Protocol, req.Secrets = Protocol, given(c.Secrets, req)
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
	s := &conversation{client: c, secrets: req.Secrets, cmd: cmd, stdin: stdin, stdout: stdout, stderr: stderr, lines: make(chan []byte), answer: answer{req: req}, watch: watch{client: c, req: req}}
	defer c.sweep(req)
	quit := make(chan struct{})
	go s.read(stdout, quit)
	// What does not take its request answers nothing, which listen finds; stop ends the write.
	go tell(stdin, req, s.watch.tell, quit)
	err = s.listen(ctx, handle)
	close(quit)
	var fault *Fault
	if err != nil && ctx.Err() == nil && !errors.As(err, &fault) {
		stdout.Close() // it may have more to say, which nobody hears
	}
	s.stop()
	return maskedError(s.explain(err), req.Secrets)
}

// tell writes the request, and then the words that come for the agent.
func tell(stdin io.Writer, req Request, note func(word string), quit <-chan struct{}) {
	if json.NewEncoder(stdin).Encode(req) != nil {
		return
	}
	for {
		select {
		case word := <-req.Told:
			note(word)
			if _, err := io.WriteString(stdin, word+"\n"); err != nil {
				return
			}
		case <-quit:
			return
		}
	}
}

func (c Client) command(req Request) (*exec.Cmd, *tail) {
	cmd := exec.Command(c.Self, "agent")
	if c.On != "" {
		cmd = exec.Command("sh", "-c", c.On+" plimsoll agent")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = c.Secrets.Without(os.Environ(), c.On)
	if req.Order != nil && c.On == "" {
		cmd.Env = append(cmd.Env, MarkVar+"="+req.Order.ID)
	}
	stderr := &tail{}
	cmd.Stderr = stderr
	cmd.WaitDelay = strangerGrace // for what has left the group and holds its standard error open
	return cmd, stderr
}

// sweep removes what an agent on this host could not remove itself.
func (c Client) sweep(req Request) {
	if c.On != "" || req.Order == nil {
		return
	}
	sweep(*req.Order)
}

func (c Client) grace() time.Duration   { return cmp.Or(c.Grace, patience) }
func (c Client) silence() time.Duration { return cmp.Or(c.Silence, silence) }

// Describe asks the agent what machine it is on.
func (c Client) Describe(ctx context.Context) (record.Machine, error) {
	var m record.Machine
	err := c.Do(ctx, Request{Do: DoMachine}, func(msg Message) error {
		m = *msg.Machine
		return nil
	})
	return m, c.from(err)
}

// Look asks the agent whether a side could be measured on its host; the error says why not.
func (c Client) Look(ctx context.Context, s record.Side) error {
	return c.from(c.Do(ctx, Request{Do: DoLook, Side: &s}, func(Message) error { return nil }))
}

// Device asks the agent what a device is that the user gives up to a workload.
func (c Client) Device(ctx context.Context, workload, path string) (record.Device, error) {
	var d record.Device
	err := c.from(c.Do(ctx, Request{Do: DoDevice, Side: &record.Side{Workload: workload}, Device: path}, func(m Message) error {
		if m.Device != nil {
			d = *m.Device
		}
		return nil
	}))
	d.Host, d.Path = c.On, path
	return d, err
}

// LookProfile says why nothing of a side could be profiled on the host; nil where something can.
func (c Client) LookProfile(ctx context.Context, s record.Side) error {
	return c.from(c.Do(ctx, Request{Do: DoLook, Side: &s, Profile: true}, func(Message) error { return nil }))
}

// from names the host where an error comes from, unless it is this one or the error does.
func (c Client) from(err error) error {
	var gone Unreachable
	if err == nil || c.On == "" || errors.As(err, &gone) {
		return err
	}
	return fmt.Errorf("through %q: %w", c.On, err)
}
