package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Agent is the serving side.
type Agent struct {
	Workloads []workload.Spec
	Version   string
	Root      host.Root
}

// Serve answers the one request on in. It returns once everything it started
// is stopped; the end of in makes it stop early.
func (a Agent) Serve(in io.Reader, out io.Writer) error {
	say := newSpeaker(out)
	if err := say.say(Message{Kind: kindHello, Protocol: Protocol, Version: a.Version}); err != nil {
		return err
	}
	r := bufio.NewReader(in)
	req, err := readRequest(r)
	if err != nil {
		return say.fault(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go watchInput(r, cancel, req)
	defer beats(say)()
	if err := a.do(ctx, say, req); err != nil {
		return say.fault(err)
	}
	return say.say(Message{Kind: kindDone})
}

func readRequest(r *bufio.Reader) (Request, error) {
	var req Request
	line, err := r.ReadBytes('\n')
	if err != nil {
		return req, fmt.Errorf("reading the request: %w\nhint: the agent is started by plimsoll run, which tells it what to do", err)
	}
	if err := json.Unmarshal(line, &req); err != nil {
		return req, fmt.Errorf("reading the request: %w", err)
	}
	if req.Protocol != Protocol {
		return req, fmt.Errorf("the client speaks protocol %d, this agent speaks %d\nhint: install the same version of plimsoll on both hosts", req.Protocol, Protocol)
	}
	return req, nil
}

// watchInput cancels when the client goes, and makes sure that the agent then
// ends even if what it runs does not.
func watchInput(r io.Reader, cancel func(), req Request) {
	_, _ = io.Copy(io.Discard, r)
	cancel()
	time.Sleep(grace)
	if req.Order != nil {
		_ = host.KillMarked(context.Background(), MarkVar+"="+req.Order.ID)
		_ = os.RemoveAll(scratchDir(req.Order.ID))
	}
	os.Exit(1)
}

// beats says every second that the agent lives, until the returned function is called.
func beats(say *speaker) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if say.say(Message{Kind: kindBeat}) != nil {
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

func (a Agent) do(ctx context.Context, say *speaker, req Request) error {
	switch {
	case req.Do == DoMachine:
		m, err := a.Describe(ctx)
		if err != nil {
			return err
		}
		return say.say(Message{Kind: kindMachine, Machine: &m})
	case req.Do == DoTrial && req.Order != nil && req.Machine != nil && len(req.Order.Sides) > 0:
		return a.trial(ctx, say, *req.Order, *req.Machine)
	}
	return fmt.Errorf("the request %q is not one that this agent knows, or lacks its order", req.Do)
}

// Describe is the fingerprint of the agent's host.
func (a Agent) Describe(ctx context.Context) (record.Machine, error) {
	m, err := host.Describe(ctx, a.Root)
	if err != nil {
		return m, fmt.Errorf("describing this machine: %w", err)
	}
	m.Software.Plimsoll = a.Version
	return m, nil
}
