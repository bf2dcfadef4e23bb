package agent

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/engine"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/machine/host"
	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/speed"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/kept"
	"plimsoll/internal/workload"
)

// Agent is the serving side.
type Agent struct {
	Workloads []workload.Spec
	Version   string
	Root      hostfs.Root

	State string // where is kept what is owed to this host; "": knob.Dir

	Sampler    engine.Profiler // of all programs; nil: none
	JVMSampler engine.Profiler // of Java virtual machines; nil: none

	Deaf    time.Duration // how long it works without a word of the client that it is carried to; 0: 30 s
	Grace   time.Duration // time for work to stop before the agent exits without waiting; 0: 5 s
	Overrun time.Duration // how long lanes may continue after the measured window; 0: 30 s or the window, if longer
}

// Serve answers the one request on in. It returns once everything that it started has stopped; the end of in makes it
// stop early.
func (a Agent) Serve(in io.Reader, w io.Writer) error {
	out := newSender(w)
	if err := out.send(Message{Kind: kindHello, Protocol: Protocol, Version: a.Version}); err != nil {
		return err
	}
	r := bufio.NewReader(in)
	req, err := readRequest(r)
	if err != nil {
		return out.fault(err)
	}
	if req.Do == DoGuard {
		return a.guard(r, out, req.Owed)
	}
	commands := make(chan string, maxCommands)
	ctx, leave := a.untilStopped(r, req, commands, out)
	defer leave()
	defer a.beats(out)()
	if err = a.do(ctx, out, req, commands); err != nil {
		err = out.fault(err)
	} else {
		err = out.send(Message{Kind: kindDone})
	}
	if err != nil || !req.Carried {
		return err
	}
	<-ctx.Done()
	return out.send(Message{Kind: kindBye}) // to nobody, if the client is gone
}

func readRequest(r *bufio.Reader) (Request, error) {
	var req Request
	line, err := r.ReadBytes('\n')
	if err != nil {
		return req, fmt.Errorf("reading the request: %w\nhint: plimsoll run starts the agent and sends it requests; do not "+
			"start it yourself", err)
	}
	if err := json.Unmarshal(line, &req); err != nil {
		return req, fmt.Errorf("reading the request: %w", err)
	}
	if req.Protocol != Protocol {
		return req, fmt.Errorf("the client uses protocol %d, this agent uses %d\nhint: install the same version of "+
			"plimsoll on both hosts", req.Protocol, Protocol)
	}
	return req, nil
}

// untilStopped returns a context that ends with the input or on a signal, after which the agent exits even if its work
// does not stop. Call the returned function before the agent exits by itself.
func (a Agent) untilStopped(in *bufio.Reader, req Request, commands chan<- string, out *sender) (context.Context,
	func()) {
	// If the client is gone, a write to it must fail rather than kill this process. Ignoring the signal instead would
	// be inherited by children.
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	ctx, cancel := signal.NotifyContext(context.Background(), StopSignals()...)
	heard := &atomic.Int64{}
	go func() {
		readCommands(in, commands, heard, out)
		cancel()
	}()
	if req.Carried {
		go a.listen(ctx, heard, cancel)
	}
	stay := context.AfterFunc(ctx, func() {
		time.Sleep(a.grace())
		if req.Order != nil {
			kept.CleanUp(req.Order.ID, false)
		}
		os.Exit(1)
	})
	return ctx, func() {
		stay()
		cancel()
	}
}

// listen ends the work of an agent whose client has not said a word for too long. It counts turns rather than time, so
// that a suspension of this process is not held against the client.
func (a Agent) listen(ctx context.Context, heard *atomic.Int64, cancel func()) {
	turn := time.NewTicker(cmp.Or(a.Deaf, deafness) / turns)
	defer turn.Stop()
	for last, silent := int64(0), 0; silent < turns; silent++ {
		select {
		case <-ctx.Done():
			return
		case <-turn.C:
			if now := heard.Load(); now != last {
				last, silent = now, 0
			}
		}
	}
	cancel()
}

// maxCommands exceeds the number of commands of one trial.
const maxCommands = 8

// readCommands passes on the client's commands until it says bye or its input ends, counts them, and reads the clock
// itself. Commands are dropped if nobody waits for them.
func readCommands(in *bufio.Reader, commands chan<- string, heard *atomic.Int64, out *sender) {
	clock, failed := load.NewClock()
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		heard.Add(1)
		word := strings.TrimSpace(line)
		switch {
		case word == wordBye:
			return
		case word == wordBeat:
			continue
		case word == WordClock && failed == nil:
			_ = out.send(Message{Kind: KindClock, MonoNs: clock.Now()}) // if the client is gone, the trial ends by itself
			continue
		}
		select {
		case commands <- word:
		default:
		}
	}
}

// await waits for a command that begins with a word, and returns it.
func await(ctx context.Context, commands <-chan string, word string) (string, error) {
	for {
		select {
		case w := <-commands:
			if first, _, _ := strings.Cut(w, " "); first == word {
				return w, nil
			}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func (a Agent) grace() time.Duration { return cmp.Or(a.Grace, grace) }

// beats sends a beat every second, until the returned function is called.
func (a Agent) beats(out *sender) (stop func()) {
	done := make(chan struct{})
	work := account.NewTree(a.Root, os.Getpid())
	go func() {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if out.send(out.pulse(work)) != nil {
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// pulse returns a beat. It reads CPU time only outside measurement, because that scans every process.
func (s *sender) pulse(work *account.Tree) Message {
	m := Message{Kind: kindBeat}
	m.Phase, _ = s.phase.Load().(string)
	if m.Phase == phasePreparing || m.Phase == phaseFinishing {
		used, _ := work.CPUSeconds() // on error: what was known of it
		m.UsedS = int64(used)
	}
	return m
}

func (a Agent) do(ctx context.Context, out *sender, req Request, commands <-chan string) error {
	switch {
	case req.Do == DoMachine:
		kept.RemoveDead(ctx) // every host of a run gets this request once, before anything is measured
		if err := a.putBackDead(out); err != nil {
			return err
		}
		m, err := a.Describe(ctx)
		if err != nil {
			return err
		}
		return out.send(Message{Kind: kindMachine, Machine: &m})
	case req.Do == DoSpeed:
		s, err := a.speed(ctx, req.Paths)
		if err != nil {
			return err
		}
		return out.send(Message{Kind: kindSpeed, Speed: &s})
	case req.Do == DoPreflight && req.Energy != "":
		return a.preflightEnergy(ctx, req.Energy)
	case req.Do == DoPreflight && req.Side != nil:
		if req.Profile {
			return a.preflightProfile(ctx, *req.Side)
		}
		return a.preflight(ctx, req)
	case req.Do == DoDevice && req.Side != nil:
		d, err := a.device(*req.Side, req.Device)
		if err != nil {
			return usage.Wrap(err)
		}
		return out.send(Message{Kind: kindDevice, Device: &d})
	case req.Do == DoTune && req.Side != nil:
		return a.tunable(ctx, out, req)
	case req.Do == DoTidy && req.Plan != "":
		return errors.Join(a.untuned(req.Plan), a.tidy(ctx, req))
	case req.Order == nil || req.Machine == nil || len(req.Order.Sides) == 0:
	case req.Do == DoTrial:
		t := &trial{agent: a, order: *req.Order, machine: *req.Machine, out: out, commands: commands, servers: req.Servers,
			key: req.Key, secrets: req.Secrets, mayTune: req.Tune}
		if req.Carried && len(req.Servers) == 0 {
			return t.carryOutOnce(ctx)
		}
		return t.carryOut(ctx)
	case req.Do == DoResend:
		_, err := resend(ctx, *req.Order, out)
		return err
	case req.Do == DoServe:
		t := &trial{agent: a, order: *req.Order, machine: *req.Machine, out: out, commands: commands, key: req.Key,
			secrets: req.Secrets, mayTune: req.Tune}
		return t.serve(ctx)
	}
	return fmt.Errorf("request %q is unknown to this agent, or has no order", req.Do)
}

// tidy undoes what a run's trials have left on this host, and removes their directory.
func (a Agent) tidy(ctx context.Context, req Request) error {
	return kept.Remove(ctx, req.Plan, func(dir string) error {
		var errs []error
		for _, s := range req.Sides {
			if spec, ok := workload.Find(a.Workloads, s.Workload); ok && spec.Restore != nil {
				errs = append(errs, spec.Restore(ctx, workload.NewParams(spec.Workload, s.Params).With(req.Secrets), dir))
			}
		}
		return errors.Join(errs...)
	})
}

func (a Agent) speed(ctx context.Context, paths []string) (forecast.Speed, error) {
	m, err := a.Describe(ctx)
	if err != nil {
		return forecast.Speed{}, err
	}
	return speed.Of(ctx, len(m.CPU.Allowed), paths, os.TempDir())
}

func (a Agent) device(s record.Side, path string) (record.Device, error) {
	spec, ok := workload.Find(a.Workloads, s.Workload)
	if !ok || spec.Describe == nil {
		return record.Device{}, fmt.Errorf("workload %q of plimsoll %s does not use devices\nhint: install the same "+
			"version on all hosts", s.Workload, a.Version)
	}
	return spec.Describe(path)
}

// preflight returns an error if a side cannot be measured on this host.
func (a Agent) preflight(ctx context.Context, req Request) error {
	spec, ok := workload.Find(a.Workloads, req.Side.Workload)
	if !ok || spec.Preflight == nil {
		return nil
	}
	if err := spec.Preflight(ctx, workload.NewParams(spec.Workload, req.Side.Params).With(req.Secrets).On(req.Hosts),
		os.TempDir()); err != nil {
		return usage.Wrap(err)
	}
	return nil
}

// Describe returns the fingerprint of the agent's host.
func (a Agent) Describe(ctx context.Context) (record.Machine, error) {
	m, err := host.Describe(ctx, a.Root)
	if err != nil {
		return m, fmt.Errorf("describing this machine: %w", err)
	}
	m.Software.Plimsoll = a.Version
	return m, nil
}

// StopSignals returns the signals on which this process stops in an orderly way, at least one: SIGTERM, and SIGINT and
// SIGHUP except those ignored at its start, as under nohup(1); Go's runtime ignores no SIGTERM.
func StopSignals() []os.Signal {
	all := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP}
	return slices.DeleteFunc(all, signal.Ignored)
}
