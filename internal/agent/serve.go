package agent

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/secret"
	"plimsoll/internal/workload"
)

// Agent is the serving side.
type Agent struct {
	Workloads []workload.Spec
	Version   string
	Root      host.Root

	Sampler    engine.Profiler // of all programs; nil: none
	JVMSampler engine.Profiler // of Java virtual machines; nil: none

	Grace   time.Duration // how long what is told to stop may take, before the agent leaves without it; 0: 5 s
	Overrun time.Duration // how long lanes may go on after the measured window; 0: 30 s, or the window again where that is longer
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
	told := make(chan string, maxWords)
	ctx, leave := a.untilTold(r, req, told)
	defer leave()
	defer a.beats(say)()
	if err := a.do(ctx, say, req, told); err != nil {
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

// untilTold gives a context that ends with the input or with a signal, after
// which the agent leaves even if what it runs does not. The returned function
// must be called before the agent leaves by itself.
func (a Agent) untilTold(in *bufio.Reader, req Request, told chan<- string) (context.Context, func()) {
	// Where the client is gone, words to it must be an error and not this
	// process's end. Ignoring the signal instead would be inherited.
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	ctx, cancel := signal.NotifyContext(context.Background(), StopSignals()...)
	go func() {
		hear(in, told)
		cancel()
	}()
	stay := context.AfterFunc(ctx, func() {
		time.Sleep(a.grace())
		if req.Order != nil {
			sweep(*req.Order)
		}
		os.Exit(1)
	})
	return ctx, func() {
		stay()
		cancel()
	}
}

// maxWords is more than an agent is told in one trial.
const maxWords = 8

// hear passes on what the client says, until it says no more. Words that nobody
// waits for are lost.
func hear(in *bufio.Reader, told chan<- string) {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		select {
		case told <- strings.TrimSpace(line):
		default:
		}
	}
}

// await waits to be told a word.
func await(ctx context.Context, told <-chan string, word string) error {
	for {
		select {
		case w := <-told:
			if w == word {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (a Agent) grace() time.Duration { return cmp.Or(a.Grace, grace) }

// beats says every second that the agent lives and where a trial is, until the returned function is called.
func (a Agent) beats(say *speaker) (stop func()) {
	done := make(chan struct{})
	work := host.NewTree(a.Root, os.Getpid())
	go func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if say.say(say.pulse(work)) != nil {
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// pulse is a beat. CPU time is read where nothing is measured: it takes a look at every process.
func (s *speaker) pulse(work *host.Tree) Message {
	m := Message{Kind: kindBeat}
	m.Phase, _ = s.phase.Load().(string)
	if m.Phase == phasePreparing || m.Phase == phaseFinishing {
		used, _ := work.CPUSeconds() // an error: what was known of it
		m.UsedS = int64(used)
	}
	return m
}

func (a Agent) do(ctx context.Context, say *speaker, req Request, told <-chan string) error {
	switch {
	case req.Do == DoMachine:
		sweepDead(ctx) // each host of a run is asked this once, before anything is measured
		m, err := a.Describe(ctx)
		if err != nil {
			return err
		}
		return say.say(Message{Kind: kindMachine, Machine: &m})
	case req.Do == DoLook && req.Side != nil:
		if req.Profile {
			return a.lookProfile(ctx, *req.Side)
		}
		return a.look(ctx, *req.Side, req.Secrets)
	case req.Do == DoDevice && req.Side != nil:
		d, err := a.device(*req.Side, req.Device)
		if err != nil {
			return UsageError{err}
		}
		return say.say(Message{Kind: kindDevice, Device: &d})
	case req.Do == DoTidy && req.Plan != "":
		return removeKeep(ctx, req.Plan)
	case req.Order == nil || req.Machine == nil || len(req.Order.Sides) == 0:
	case req.Do == DoTrial:
		t := &trial{agent: a, order: *req.Order, machine: *req.Machine, say: say, told: told, target: req.Target, secrets: req.Secrets}
		return t.carryOut(ctx)
	case req.Do == DoServe:
		t := &trial{agent: a, order: *req.Order, machine: *req.Machine, say: say, told: told, secrets: req.Secrets}
		return t.serve(ctx)
	}
	return fmt.Errorf("the request %q is not one that this agent knows, or lacks its order", req.Do)
}

// device describes one that a side's workload is given.
func (a Agent) device(s record.Side, path string) (record.Device, error) {
	spec, ok := find(a.Workloads, s.Workload)
	if !ok || spec.Describe == nil {
		return record.Device{}, fmt.Errorf("workload %q of plimsoll %s takes no device\nhint: install the same version on all hosts", s.Workload, a.Version)
	}
	return spec.Describe(path)
}

// look says why a side cannot be measured on this host; nil where nothing is known against it.
func (a Agent) look(ctx context.Context, s record.Side, secrets secret.Values) error {
	spec, ok := find(a.Workloads, s.Workload)
	if !ok || spec.Preflight == nil {
		return nil
	}
	if err := spec.Preflight(ctx, workload.NewParams(spec.Workload, s.Params).With(secrets), os.TempDir()); err != nil {
		return UsageError{err}
	}
	return nil
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
