package run

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// script is an agent that follows its steps, one per order; after the last it measures well.
type script struct {
	steps  []step
	orders []record.Order
	kept   step           // its answer if it is asked to send an order again; nil: nothing
	asked  []record.Order // which was
}

// step carries out one order.
type step func(ctx context.Context, o record.Order, say func(agent.Message) error) error

func (s *script) Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	if req.Do == agent.DoTidy {
		return nil
	}
	if req.Do == agent.DoResend {
		s.asked = append(s.asked, *req.Order)
		if s.kept == nil {
			return nil
		}
		return s.kept(ctx, *req.Order, handle)
	}
	n := len(s.orders)
	s.orders = append(s.orders, *req.Order)
	if n < len(s.steps) && s.steps[n] != nil {
		return s.steps[n](ctx, *req.Order, handle)
	}
	return good(ctx, *req.Order, handle)
}

// good gives a series and a sound trial for each side.
func good(_ context.Context, o record.Order, say func(agent.Message) error) error {
	for i := range o.Sides {
		if err := say(agent.Message{Series: &record.Series{Trial: o.SlotOf(i).ID(), Name: "ops"}}); err != nil {
			return err
		}
		t := trialOf(o, i)
		if err := say(agent.Message{Trial: &t}); err != nil {
			return err
		}
	}
	return nil
}

func trialOf(o record.Order, i int) record.Trial {
	t := agent.Blank(o, i, record.Machine{Name: "m"})
	t.Values = []record.Value{{Metric: record.Metric{Name: "time", Unit: "s"}, Value: 1.5}}
	return t
}

// failing ends an order with an error.
func failing(err error) step {
	return func(context.Context, record.Order, func(agent.Message) error) error { return err }
}

// with gives trials that were changed.
func with(change func(*record.Trial)) step {
	return func(_ context.Context, o record.Order, say func(agent.Message) error) error {
		for i := range o.Sides {
			t := trialOf(o, i)
			change(&t)
			if err := say(agent.Message{Trial: &t}); err != nil {
				return err
			}
		}
		return nil
	}
}

// book is a session that takes so many trials (0: all) and is then full.
type book struct {
	limit  int
	trials []record.Trial
	series int
	events int
	host   []record.Event
	ends   []record.End
	full   error
}

func (b *book) Series(record.Series) error { b.series++; return b.full }

func (b *book) Event(e record.Event) error {
	if b.events++; e.Host != "" {
		b.host = append(b.host, e)
	}
	return b.full
}

func (b *book) Trial(trials ...record.Trial) error {
	if b.limit > 0 && len(b.trials)+len(trials) > b.limit {
		b.full = fmt.Errorf("write x: no space left; runs safe in it: %d", len(b.trials))
	}
	if b.full == nil {
		b.trials = append(b.trials, trials...)
	}
	return b.full
}

func (b *book) End(e record.End) error {
	if b.full == nil {
		b.ends = append(b.ends, e)
	}
	return b.full
}

// witness records progress.
type witness struct {
	mu    sync.Mutex
	lines []string
}

func (w *witness) add(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

func (w *witness) Start(total int, budget time.Duration)      { w.add("start %d %v", total, budget) }
func (w *witness) TrialStarted(label string, d time.Duration) { w.add("begin %s %v", label, d) }
func (w *witness) TrialDone(label, figure, void string)       { w.add("done %s: %s%s", label, figure, void) }
func (w *witness) Note(msg string)                            { w.add("note %s", msg) }
func (w *witness) Stop()                                      { w.add("stop") }

// bench is a loop whose every part is a fake.
type bench struct {
	*Loop
	agent   *script
	session *book
	told    *witness
}

// commands is a plan of so many replicates of one run of a command for each value.
func commands(t *testing.T, replicates int, values ...string) record.Plan {
	t.Helper()
	decl := record.Workload{
		Name: "exec", Loads: []record.LoadKind{record.Once, record.Closed},
		Params: []record.Param{{Name: "command", Kind: record.Text},
			{Name: record.ParamClients, Kind: record.Int, Default: "0"}},
	}
	ask := plan.Ask{Workload: "exec", Set: map[string]string{"command": values[0]}}
	req := plan.Request{Name: "test", Replicates: replicates, Seed: 1, Session: "s", DurationS: 2,
		Measure: []plan.Ask{ask}}
	if len(values) > 1 {
		req.Measure[0].Set = nil
		req.Factors = []plan.Factor{plan.Vary("exec.command", values)}
	}
	p, err := plan.Resolve(req, []record.Workload{decl}, map[string]plan.Target{"": {CPUs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newBench(p record.Plan, steps ...step) *bench {
	b := &bench{agent: &script{steps: steps}, session: &book{}, told: &witness{}}
	b.Loop = &Loop{
		Plan: p, Machines: map[string]record.Machine{"": {Name: "m"}}, Agents: map[string]Doer{"": b.agent},
		Session: b.session, Progress: b.told, Figure: func(record.Trial) string { return "1.5 s" },
	}
	return b
}
