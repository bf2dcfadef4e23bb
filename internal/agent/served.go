package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// serve is the target's half of an order: it starts the server, meters the machine over the
// window that it is told of, and says a trial that holds nothing of the load.
func (t *trial) serve(ctx context.Context) error {
	end, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	s, server, err := t.newServer()
	if err != nil {
		return UsageError{err}
	}
	defer server.Close()
	address, err := server.Start(ctx)
	if err != nil {
		s.voidFor(fmt.Sprintf("preparing: %v", err))
		return s.report(t.say)
	}
	p := newProfiling(ctx, t)
	defer p.close()
	t.say.enter(phaseWaiting)
	if err := t.say.say(Message{Kind: KindServing, Address: address}); err != nil {
		return err
	}
	err = t.meterWhenTold(ctx, p)
	if err == nil {
		err = await(ctx, t.told, WordLeave)
	}
	if err != nil {
		if ctx.Err() != nil {
			return errors.New("told to stop")
		}
		return err
	}
	s.finishServing(ctx, server)
	return s.report(t.say)
}

// newServer makes the only side of a trial that is loaded from elsewhere: all of the
// machine is its.
func (t *trial) newServer() (*side, workload.Server, error) {
	o := t.order.Sides[0]
	spec, ok := find(t.agent.Workloads, o.Workload)
	if !ok || spec.Serve == nil {
		return nil, nil, fmt.Errorf("workload %q of plimsoll %s serves no other hosts\nhint: install the same version on all hosts", o.Workload, t.agent.Version)
	}
	s := &side{spec: spec, trial: Blank(t.order, 0, t.machine), root: t.agent.Root}
	env, err := t.env(s, o.Load)
	if err != nil {
		return nil, nil, err
	}
	params := workload.NewParams(spec.Workload, o.Params).With(t.secrets)
	s.data = t.dataOf(spec, params)
	server, err := spec.Serve(env, params)
	t.sides = append(t.sides, s)
	return s, server, err
}

// meterWhenTold takes CPU time and the ledger from one word to the other.
func (t *trial) meterWhenTold(ctx context.Context, p *profiling) error {
	m := newMeter(t)
	m.profiling = p
	defer m.close()
	dog := t.watch() // before the word, which may come while this process stands still
	defer func() { dog.Stop() }()
	if err := await(ctx, t.told, WordBegin); err != nil {
		return err
	}
	clock, err := load.NewClock()
	if err != nil {
		return err
	}
	s := t.sides[0]
	s.trial.Start, s.trial.MonoNs = time.Now().UTC().Format(time.RFC3339Nano), clock.Now()
	p.begin()
	m.begin()
	if err := await(ctx, t.told, WordEnd); err != nil {
		return err
	}
	p.end()
	m.end()
	t.say.enter(phaseFinishing)
	gaps := dog.Stop()
	m.share(t.sides)
	if s.trial.Ledger != nil {
		stoodStill(s.trial.Ledger, gaps, span{s.trial.MonoNs - int64(time.Second), clock.Now()}, nil)
	}
	p.take(ctx)
	return nil
}

// finishServing states what the target says of the trial: the machine's CPU use, for whatever
// it does is for the load's sake.
func (s *side) finishServing(ctx context.Context, server workload.Server) {
	if k, ok := server.(workload.Keyer); ok {
		maps.Copy(s.trial.Keys, k.Keys())
	}
	if err := server.Verify(ctx); err != nil {
		s.voidFor(fmt.Sprintf("verifying: %v", err))
	}
	if d, ok := server.(workload.Doubter); ok {
		for _, msg := range d.Doubts() {
			s.doubt(msg)
		}
	}
	if u := s.trial.CPU; u != nil && u.WindowS > 0 && u.CPUs > 0 {
		u.Generator, u.GeneratorCPUs = 0, 0
		s.trial.DurationS = u.WindowS
		s.trial.Values = []record.Value{{
			Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral},
			Value:  100 * u.Machine / (u.WindowS * float64(u.CPUs)),
		}}
	}
}
