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

	"plimsoll/internal/base/process"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/kept"
)

// Client starts agents on one host.
type Client struct {
	On      string        // command that reaches the host; "": this host
	Self    string        // path of this program, for agents on this host
	Program string        // its path on the other host; "": it is in the PATH there
	Silence time.Duration // an agent that sends nothing for longer counts as hung; 0: 20 s
	Grace   time.Duration // time for a stopped agent to exit before it is killed; 0: 10 s
	Answer  time.Duration // time limit for answering a question; 0: 1 min
	Still   time.Duration // time limit for preparing or finishing without using 1 s of CPU time; 0: 1 h
	Secrets secret.Values // sent with the request, never in the environment or arguments

	Say func(remark string) // of what a host has to say as it is described; nil: nobody listens
}

// Unreachable is the error of an agent that never answered: no trial began.
type Unreachable struct {
	On  string
	Err error
}

func (e Unreachable) Error() string {
	if e.On == "" {
		return fmt.Sprintf("starting an agent on this host: %v", e.Err)
	}
	if _, hint := usage.Parts(e.Err); hint != "" {
		return fmt.Sprintf("cannot reach an agent through %q: %v", e.On, e.Err)
	}
	if _, err := exec.LookPath(e.On); errors.Is(err, exec.ErrNotFound) && !strings.ContainsAny(e.On, " \t") {
		return fmt.Sprintf("cannot reach an agent through %q: %v\nhint: it isn't a command; 'ssh %s' reaches the host %s",
			e.On,
			e.Err, e.On, e.On)
	}
	return fmt.Sprintf("cannot reach an agent through %q: %v\nhint: %s plimsoll agent </dev/null must run there without "+
		"a prompt; plimsoll must be in its PATH", e.On, e.Err, e.On)
}

func (e Unreachable) Unwrap() error { return e.Err }

// Lost is the error of an agent that answered and then was not heard to the end.
type Lost struct {
	Reason string
	Gone   bool // it exited or fell silent; else it said what no agent does, or took too long
}

func (e Lost) Error() string { return e.Reason }

// maxLine bounds one message in bytes; the largest is a profile of 1 MB.
const maxLine = 8 << 20

// Do sends one request to an agent and passes its messages to handle. When it returns, the agent and everything it
// started on this host are gone. The error is an Unreachable, a Lost, a *Fault, the context's, or the handler's.
func (c Client) Do(ctx context.Context, req Request, handle func(Message) error) error {
	req.Protocol, req.Secrets, req.Carried = Protocol, given(c.Secrets, req), c.On != ""
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
	s := &conversation{client: c, secrets: req.Secrets, cmd: cmd, stdin: stdin, stdout: stdout, stderr: stderr,
		lines: make(chan []byte), answer: answer{req: req}, watch: watch{client: c, req: req}}
	defer func() { c.cleanUp(req, err == nil) }()
	parting := make(chan string, 1)
	go s.read(stdout)
	// If the request cannot be written no answer comes, and listen reports that; stop ends a blocked write.
	s.sent = make(chan struct{})
	go func() {
		defer close(s.sent)
		send(stdin, req, s.watch.sent, parting)
	}()
	err = s.listen(ctx, handle)
	var fault *Fault
	if err == nil || ctx.Err() != nil || errors.As(err, &fault) {
		parting <- wordBye + "\n"
	}
	close(parting)
	if err != nil && ctx.Err() == nil && !errors.As(err, &fault) {
		stdout.Close() // the rest of its output is discarded
	}
	s.stop()
	return maskedError(s.explain(err), req.Secrets)
}

// send writes the request, then the commands for the agent as they come, with beats if it is carried, and at last what
// is said in parting, if anything is.
func send(stdin io.Writer, req Request, note func(word string), parting <-chan string) {
	if json.NewEncoder(stdin).Encode(req) != nil {
		return
	}
	beats := time.NewTicker(beat)
	defer beats.Stop()
	if !req.Carried {
		beats.Stop()
	}
	for {
		var err error
		select {
		case word := <-req.Commands:
			note(word)
			_, err = io.WriteString(stdin, word+"\n")
		case <-beats.C:
			_, err = io.WriteString(stdin, wordBeat+"\n")
		case word := <-parting:
			if req.Carried && word != "" {
				_, _ = io.WriteString(stdin, word) // if it is gone, it knows
			}
			return
		}
		if err != nil {
			return
		}
	}
}

func (c Client) command(req Request) (*exec.Cmd, *process.LastWords) {
	cmd := exec.Command(c.Self, "agent")
	if c.On != "" {
		cmd = exec.Command("sh", "-c", c.On+" "+cmp.Or(c.Program, "plimsoll")+" agent")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = c.Secrets.Without(os.Environ(), c.On)
	if req.Order != nil && c.On == "" {
		cmd.Env = append(cmd.Env, MarkVar+"="+req.Order.ID)
	}
	stderr := &process.LastWords{}
	cmd.Stderr = stderr
	cmd.WaitDelay = strangerGrace // in case a process that left the group holds its standard error open
	return cmd, stderr
}

// cleanUp removes whatever an agent on this host could not remove itself.
func (c Client) cleanUp(req Request, again bool) {
	if c.On != "" || req.Order == nil {
		return
	}
	kept.CleanUp(req.Order.ID, again)
}

func (c Client) grace() time.Duration   { return cmp.Or(c.Grace, patience) }
func (c Client) silence() time.Duration { return cmp.Or(c.Silence, silence) }

// Describe returns the fingerprint of the agent's machine.
func (c Client) Describe(ctx context.Context) (record.Machine, error) {
	var m record.Machine
	err := c.Do(ctx, Request{Do: DoMachine}, func(msg Message) error {
		switch {
		case msg.Machine != nil:
			m = *msg.Machine
		case c.Say != nil:
			c.Say(msg.Remark)
		}
		return nil
	})
	return m, c.from(err)
}

// Preflight returns an error if a side cannot be measured on the agent's host, or its part on one of so many hosts.
func (c Client) Preflight(ctx context.Context, s record.Side, hosts int) error {
	return c.from(c.Do(ctx, Request{Do: DoPreflight, Side: &s, Hosts: hosts}, func(Message) error { return nil }))
}

// Tunable returns an error if the agent's host cannot have the settings of the machine that a side names, and what is
// to be said about those that it can have.
func (c Client) Tunable(ctx context.Context, s record.Side, may bool) (remarks []string, err error) {
	err = c.Do(ctx, Request{Do: DoTune, Side: &s, Tune: may}, func(m Message) error {
		if m.Kind == kindRemark {
			remarks = append(remarks, m.Remark)
		}
		return nil
	})
	return remarks, c.from(err)
}

// Device returns the description of a device that the user gives up to a workload.
func (c Client) Device(ctx context.Context, workload, path string) (record.Device, error) {
	var d record.Device
	err := c.from(c.Do(ctx, Request{Do: DoDevice, Side: &record.Side{Workload: workload}, Device: path},
		func(m Message) error {
			if m.Device != nil {
				d = *m.Device
			}
			return nil
		}))
	d.Host, d.Path = c.On, path
	return d, err
}

// Speed measures the speed of the agent's host, and of the file systems of paths.
func (c Client) Speed(ctx context.Context, paths []string) (forecast.Speed, error) {
	var s forecast.Speed
	err := c.Do(ctx, Request{Do: DoSpeed, Paths: paths}, func(m Message) error {
		s = *m.Speed
		return nil
	})
	return s, c.from(err)
}

// PreflightProfile returns an error if nothing of a side can be profiled on the agent's host.
func (c Client) PreflightProfile(ctx context.Context, s record.Side) error {
	return c.from(c.Do(ctx, Request{Do: DoPreflight, Side: &s, Profile: true}, func(Message) error { return nil }))
}

// PreflightEnergy returns an error if a command of the user's prints no energy or power on the agent's host.
func (c Client) PreflightEnergy(ctx context.Context, command string) error {
	return c.from(c.Do(ctx, Request{Do: DoPreflight, Energy: command}, func(Message) error { return nil }))
}

// from adds the command that reaches the host to an error, unless it is this host or the error names it already.
func (c Client) from(err error) error {
	var gone Unreachable
	if err == nil || c.On == "" || errors.As(err, &gone) {
		return err
	}
	return fmt.Errorf("through %q: %w", c.On, err)
}
