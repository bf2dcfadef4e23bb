package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
)

// Doer carries out one request on one host; agent.Client is the real implementation.
type Doer interface {
	Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error
}

// Session stores results; session.Writer is the real implementation. A call that returns has made its argument durable,
// or failed. Calls are serialised.
type Session interface {
	Series(record.Series) error
	Event(record.Event) error
	Trial(...record.Trial) error // all of an order: of a pair, never one side
	End(record.End) error
}

// Progress is notified of events; render has one implementation for terminals and one for logs.
type Progress interface {
	Start(total int, budget time.Duration)
	TrialStarted(label string, expect time.Duration)
	TrialDone(label, figure, void string)
	Note(msg string)
	Stop()
}

// Loop is one run of a plan.
type Loop struct {
	Plan     record.Plan
	Machines map[string]record.Machine // by host
	Agents   map[string]Doer           // by host
	Session  Session
	Progress Progress
	Figure   func(record.Trial) string // formats a trial's primary value for display
	Keeps    []string                  // hosts with directories shared by trials until the run is over

	Secrets secret.Values // referred to by parameters
	Tune    bool          // the user permits that settings of the machines are changed

	MaxOutage time.Duration                              // how long a host may be away before it is lost; 0: not at all
	Lost      []record.Event                             // the hosts that are lost: those of an earlier run, and then all
	Pause     func(context.Context, time.Duration) error // between two tries to reach a host; nil: by the clock

	settling time.Duration // how long servers may take after a load; 0: mostSettling

	writing sync.Mutex // serialises writes to the session
}

// ErrInterrupted is the cause if the context ended before the plan did.
var ErrInterrupted = errors.New("interrupted")

// Run measures the rest of the plan after the trials already done, and returns all trials, including those, in the
// order in which they were done. On any error the finished trials are in the session.
func (l *Loop) Run(ctx context.Context, done []record.Trial) ([]record.Trial, error) {
	course := plan.Follow(l.Plan)
	course.Add(done...)
	for _, e := range l.Lost {
		course.Lose(e.Host)
	}
	left := course.Remaining(nil)
	all := scheduler{loop: l, course: course, done: done, ended: make(chan measured)}
	if l.Plan.MaxS > 0 {
		left.Load = min(left.Load, l.Plan.MaxS)
		all.until = time.Now().Add(time.Duration(l.Plan.MaxS * float64(time.Second)))
	}
	l.Progress.Start(left.Trials, time.Duration(left.Load*float64(time.Second)))
	defer l.Progress.Stop()
	err := all.run(ctx)
	if err != nil {
		err = l.fail(ctx, all.done, err)
	} else {
		err = l.end(all.done, record.EndDone, nil)
	}
	if err := l.Tidy(ctx); err != nil {
		l.Progress.Note(err.Error()) // it invalidates no measurement
	}
	return all.done, err
}

// tidyWithin bounds the time for each host to restore what its trials changed, such as a server's settings, and to
// remove the directories that they shared.
const tidyWithin = 15 * time.Minute

// Tidy has every host restore what its trials changed, and remove the directories that they shared, even after an
// interrupt. The error names the machines that did not.
func (l *Loop) Tidy(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var errs []error
	for _, host := range l.Keeps {
		if slices.ContainsFunc(l.Lost, func(e record.Event) bool { return e.Host == host }) {
			continue
		}
		if err := l.tidy(ctx, host); err != nil {
			errs = append(errs, fmt.Errorf("not tidied up on %s: %w", l.Machines[host].Name, err))
		}
	}
	return errors.Join(errs...)
}

func (l *Loop) tidy(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, tidyWithin)
	defer cancel()
	return l.Agents[host].Do(ctx, agent.Request{Do: agent.DoTidy, Plan: plan.Hash(l.Plan), Sides: l.sidesOn(host)},
		func(agent.Message) error { return nil })
}

// sidesOn returns the sides of a plan that run on a host, each once.
func (l *Loop) sidesOn(host string) []record.Side {
	var out []record.Side
	for _, c := range l.Plan.Cells {
		if s := (record.Side{Workload: c.Workload, Params: c.Params}); c.Host == host &&
			!slices.ContainsFunc(out, func(o record.Side) bool {
				return o.Workload == s.Workload && maps.Equal(o.Params, s.Params)
			}) {
			out = append(out, s)
		}
	}
	return out
}

// measure has one order carried out and writes its results.
func (l *Loop) measure(ctx context.Context, o record.Order) ([]record.Trial, error) {
	l.Progress.TrialStarted(Label(l.named(o)), time.Duration(plan.Seconds(o)*float64(time.Second)))
	if len(o.Sources) > 0 {
		return l.measureInConcert(ctx, o)
	}
	got, err := l.ask(ctx, o, agent.DoTrial)
	var lost agent.Lost
	var fault *agent.Fault
	if errors.As(err, &lost) && o.Host != "" {
		if again, rerr := l.resent(ctx, o); rerr != nil || len(again.trials) > 0 {
			got, err = again, rerr
		}
	}
	if errors.As(err, &lost) || errors.As(err, &fault) {
		got.trials, err = voided(o, l.Machines[o.Host], err), nil
	}
	if err != nil {
		return nil, err
	}
	for i := range got.trials {
		if err := l.percentiles(&got.trials[i], got.latencies); err != nil {
			return nil, err
		}
	}
	return l.commit(o, l.unanimous(o, got.trials))
}

// measureInConcert has an order carried out by several hosts and writes its results.
func (l *Loop) measureInConcert(ctx context.Context, o record.Order) ([]record.Trial, error) {
	var got played
	err := l.attached(ctx, func() (err error) {
		got, err = l.inConcert(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range got.series {
		if err := (inTurn{l}).Series(s); err != nil {
			return nil, err
		}
	}
	for _, e := range got.events {
		if err := (inTurn{l}).Event(e); err != nil {
			return nil, err
		}
	}
	if err := l.percentiles(&got.trial, got.series); err != nil {
		return nil, err
	}
	return l.commit(o, []record.Trial{l.judged(got.trial)})
}

// percentiles adds the percentiles of latency that the search of a probe has as objectives.
func (l *Loop) percentiles(t *record.Trial, series []record.Series) error {
	if t.Cell >= len(l.Plan.Cells) || l.Plan.Cells[t.Cell].Search == nil {
		return nil
	}
	own := list.Filter(series, func(s record.Series) bool { return s.Trial == t.ID })
	return session.AddPercentiles(t, own, loadline.Statistics(l.Plan.Cells[t.Cell].Search.Objectives))
}

// commit writes an order's trials and returns them; on an error, none is reported.
func (l *Loop) commit(o record.Order, trials []record.Trial) ([]record.Trial, error) {
	for i, t := range trials {
		for name, value := range l.Plan.Labels {
			t.Keys[record.LabelPrefix+name] = value
		}
		one, side := o.Alone(i)
		l.stampSecrets(one.Sides[side], t.Keys)
		if block := l.Plan.Blocks[o.Host]; block > 0 {
			t.Keys[record.KeyBlock] = strconv.Itoa(block)
		}
	}
	if err := (inTurn{l}).Trial(trials...); err != nil {
		return nil, err
	}
	for i, t := range trials {
		one, side := o.Alone(i)
		label := sideLabel(l.named(one), side)
		if i > 0 && len(o.Turns) > 0 {
			l.Progress.TrialStarted(label, 0)
		}
		l.Progress.TrialDone(label, l.Figure(t), t.Void)
	}
	return trials, nil
}

// unanimous judges the trials of an order. Sliced sides share one process: if one is void all are, so that a pair never
// consists of two processes. The runs of a batch are separate commands.
func (l *Loop) unanimous(o record.Order, trials []record.Trial) []record.Trial {
	out := make([]record.Trial, len(trials))
	why := ""
	for i, t := range trials {
		out[i] = l.judged(t)
		if why == "" && len(o.Turns) == 0 {
			why = out[i].Void
		}
	}
	for i := range out {
		if why != "" && out[i].Void == "" {
			out[i].Void = "the other side of its slices failed: " + why
		}
	}
	return out
}

// judged voids a trial whose load generator cannot be trusted.
func (l *Loop) judged(t record.Trial) record.Trial {
	if t.Void != "" {
		return t
	}
	// First, because after a suspension the other figures say nothing about the target.
	if t.Void = trialset.StoodStill(t); t.Void != "" {
		return t
	}
	if t.Generator == nil {
		t.Void = trialset.TrustStated(t).Void
		return t
	}
	kept := trialset.Kept{LoadUse: *t.Generator, WindowS: t.DurationS, WarmupS: t.WarmupS}
	if v, ok := t.Value(record.LatencyP50); ok {
		kept.MedianS = v.Value
	}
	if v, ok := t.Value(record.CPUPercent); ok {
		kept.Target = v.Value / 100
	}
	if t.Service != nil {
		kept.Connections = t.Service.Connections
	}
	trust := trialset.TrustIn(kept)
	t.Void, t.Over = cmp.Or(trust.Void, trialset.TrustStated(t).Void), trust.Over
	t.Doubts = append(t.Doubts, note.Texts(trust.Doubts)...)
	return t
}

// outcome collects an agent's messages. It writes bulk data to the session at once, where they do not count until their
// trial follows.
type outcome struct {
	session Session
	trials  []record.Trial

	latencies []record.Series // the trials' histograms of latencies
}

func (c *outcome) take(m agent.Message) error {
	switch {
	case m.Series != nil:
		if m.Series.Name == session.LatencySeries {
			c.latencies = append(c.latencies, *m.Series)
		}
		return c.session.Series(*m.Series)
	case m.Event != nil:
		return c.session.Event(*m.Event)
	case m.Trial != nil:
		c.trials = append(c.trials, *m.Trial)
	}
	return nil
}

// voided returns void trials for an order without results: of a batch, one, after which the others are ordered again.
func voided(o record.Order, m record.Machine, why error) []record.Trial {
	var out []record.Trial
	var lost agent.Lost
	errors.As(why, &lost)
	sides := o.Sides
	if len(o.Turns) > 0 {
		sides = sides[:1]
	}
	for i := range sides {
		t := agent.Blank(o, i, m)
		t.Void, t.Away = why.Error(), lost.Gone
		out = append(out, t)
	}
	return out
}

func (l *Loop) end(done []record.Trial, reason string, cause error) error {
	e := record.End{Plan: plan.Hash(l.Plan), Reason: reason}
	if cause != nil {
		e.Detail = cause.Error()
	}
	for _, t := range done {
		if t.Plan != e.Plan {
			continue // the file holds another plan's too
		}
		if e.Trials++; t.Void != "" {
			e.Void++
		}
	}
	return l.Session.End(e)
}

// fail closes the session as far as possible and returns why the run ended.
func (l *Loop) fail(ctx context.Context, done []record.Trial, cause error) error {
	reason := "failed"
	var gone agent.Unreachable
	// Not if the session cannot be written: that error takes precedence.
	if ctx.Err() != nil && (errors.Is(cause, ctx.Err()) || errors.As(cause, &gone)) {
		reason, cause = "interrupted", ErrInterrupted
		if over := (*Overspent)(nil); errors.As(context.Cause(ctx), &over) {
			reason, cause = "budget", over
		}
	}
	if err := l.end(done, reason, cause); err != nil && !errors.Is(cause, err) {
		return fmt.Errorf("%w (and the session could not be closed: %v)", cause, err)
	}
	return cause
}
