package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/run/agent/door"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// serve runs the target's half of an order: it starts the server, meters the machine over the window that the client
// announces, and returns a trial without the load's values.
func (t *trial) serve(ctx context.Context) error {
	end, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	s, server, err := t.newServer()
	if err != nil {
		return usage.Wrap(err)
	}
	defer server.Close()
	address := ""
	placed, err := t.join(ctx, s, server)
	defer func() { placed.Close() }() // it may be open despite the error
	if err == nil {
		address, err = server.Start(ctx)
	}
	var own *door.Door // a member's place is not what it tells the generators
	if err == nil {
		own, err = t.opened(s.spec, s.params, address)
	}
	defer own.Close()
	if err != nil {
		s.voidFor(fmt.Sprintf("preparing: %v", err))
		return t.report()
	}
	if s.away = workload.IsElsewhere(server); !s.away {
		err = s.meterThere(ctx)
	}
	if err != nil {
		s.voidFor(fmt.Sprintf("preparing: %v", err))
		return t.report()
	}
	p := newProfiling(ctx, t)
	defer p.close()
	t.out.enter(phaseWaiting)
	if err := t.out.send(Message{Kind: KindServing, Address: address, Door: own.Port()}); err != nil {
		return err
	}
	if err = t.meterWhenTold(ctx, p, server); err == nil {
		switch why := workload.Settle(ctx, server); {
		case why == nil:
			err = t.out.send(Message{Kind: KindSettled})
		case ctx.Err() == nil: // generators would look for their records in vain
			s.voidFor(why.Error())
			return t.report()
		}
	}
	if err == nil {
		err = s.finishServing(ctx, t.commands, server)
	}
	if ctx.Err() != nil {
		return errors.New("told to stop")
	}
	if err != nil {
		return err
	}
	if s.away {
		s.markUnseen(t.order.Sides[0].Params[record.ParamMachine] != "")
	}
	return t.report()
}

// newServer creates the only side of a trial that other hosts load; it has the whole machine.
func (t *trial) newServer() (*side, workload.Server, error) {
	o := t.order.Sides[0]
	spec, ok := workload.Find(t.agent.Workloads, o.Workload)
	if !ok || spec.Serve == nil {
		return nil, nil, fmt.Errorf("workload %q of plimsoll %s serves no other hosts\nhint: install the same version "+
			"on all hosts", o.Workload, t.agent.Version)
	}
	s := &side{spec: spec, trial: Blank(t.order, 0, t.machine), root: t.agent.Root}
	s.serves = true
	s.params = workload.NewParams(spec.Workload, o.Params).With(t.secrets)
	if err := s.place(t.agent.Root, t.machine); err != nil {
		return nil, nil, err
	}
	env, err := t.env(s, o.Load)
	if err != nil {
		return nil, nil, err
	}
	env.Member = t.order.Member > 0
	s.data = t.dataOf(spec, s.params)
	server, err := spec.Serve(env, s.params)
	t.sides = append(t.sides, s)
	return s, server, err
}

// join has a member of a cluster tell its place, and hear those of the others. It returns the door that proves its own.
func (t *trial) join(ctx context.Context, s *side, server workload.Server) (*door.Door, error) {
	m, ok := server.(workload.Member)
	if !ok || t.order.Member == 0 {
		return nil, nil
	}
	place, err := m.Place(ctx)
	if err != nil {
		return nil, err
	}
	own, err := t.openedAt(m, s.params, place)
	if err == nil {
		err = t.out.send(Message{Kind: KindPlaced, Place: place, Door: own.Port()})
	}
	if err != nil {
		return own, err
	}
	word, err := await(ctx, t.commands, WordJoin)
	if err != nil {
		return own, err
	}
	var all workload.Places
	if _, err := joint.Heard(word, &all); err != nil {
		return own, err
	}
	if err := t.check(ctx, m, s.params, all); err != nil {
		return own, err
	}
	return own, m.Join(all)
}

// meterWhenTold meters CPU time and the ledger between the client's commands. Measurements of a machine that does none
// of the work are dropped.
func (t *trial) meterWhenTold(ctx context.Context, p *profiling, server workload.Server) error {
	m := newMeter(t) // before the command, which may arrive while this process is suspended
	m.profiling = p
	defer m.close()
	m.others.begin() // with the generators' warm-up: after the command it would be late for the window
	s := t.sides[0]
	looks := s.keepLookingBehind()
	defer looks.stop()
	if _, err := await(ctx, t.commands, WordBegin); err != nil {
		return err
	}
	clock, err := load.NewClock()
	if err != nil {
		return err
	}
	looks.take()
	s.trial.Start, s.trial.MonoNs = record.FormatTime(time.Now()), clock.Now()
	m.load.From = s.trial.MonoNs
	workload.Begin(server, s.trial.MonoNs, seconds(t.order.DurationS))
	p.begin()
	m.begin()
	if _, err := await(ctx, t.commands, WordEnd); err != nil {
		return err
	}
	m.load.To = clock.Now() // of all generators
	p.end()
	m.end()
	m.others.end()
	looks.stop()
	t.lookBehind(true)
	t.out.enter(phaseFinishing)
	gaps := m.dog.Stop()
	if !s.away {
		m.share(t.sides)
	}
	if s.trial.Ledger != nil {
		stoodStill(s.trial.Ledger, gaps, course.Span{From: s.trial.MonoNs - int64(time.Second), To: clock.Now()}, nil)
	}
	p.take(ctx)
	return nil
}

// finishServing completes the target's part of the trial once the load is gone: by the load of all generators together,
// as a driver's is by its own.
func (s *side) finishServing(ctx context.Context, commands <-chan string, server workload.Server) error {
	word, err := await(ctx, commands, WordLeave)
	if err != nil {
		return err
	}
	var loaded joint.Loaded
	if _, err := joint.Heard(word, &loaded); err != nil {
		return err
	}
	clock, err := load.NewClock()
	if err != nil {
		return err
	}
	res := loaded.Result()
	s.stamp(clock, res)
	s.conclude(ctx, server, func() error {
		s.machineShare()
		s.extend(server, res)
		return nil
	})
	s.observe(ctx, server, res, loaded.Warming())
	return nil
}

// machineShare states the CPU use of the whole machine: everything that a target does serves the load.
func (s *side) machineShare() {
	u := s.trial.CPU
	if u == nil || u.WindowS <= 0 || u.CPUs <= 0 {
		return
	}
	// Not ours, and the reason why the machine is busy, unless this is a cluster's host without a server.
	if u.Generator, u.GeneratorCPUs = 0, 0; s.external() && s.spec.RunsOf(s.params) == workload.External {
		u.Work, u.Source, s.trial.Ledger.ForeignCPU = u.Machine, record.ChargedMachine, nil
	}
	s.trial.Values = []record.Value{{
		Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral},
		Value:  100 * u.Machine / (u.WindowS * float64(u.CPUs)),
	}}
}
