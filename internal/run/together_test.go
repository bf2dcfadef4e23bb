package run

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// meeting is an agent whose orders end only once those of all parties run.
type meeting struct {
	mu       sync.Mutex
	parties  int
	here     int
	met      chan struct{}
	together int // how often all parties met
	before   func(o record.Order) error
}

func (m *meeting) Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	if m.before != nil {
		if err := m.before(*req.Order); err != nil {
			return err
		}
	}
	m.mu.Lock()
	m.here++
	met := m.met
	if m.here == m.parties {
		m.here, m.together = 0, m.together+1
		close(met)
		m.met = make(chan struct{})
	}
	m.mu.Unlock()
	select {
	case <-met:
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(20 * time.Second):
		return errors.New("the other side of the pair never came")
	}
	return good(ctx, *req.Order, handle)
}

// pairsOn is a plan of pairs of a command on two machines.
func pairsOn(t *testing.T, replicates int) record.Plan {
	t.Helper()
	decl := record.Workload{Name: "exec", Loads: []record.LoadKind{record.Once},
		Params: []record.Param{{Name: "command", Kind: record.Text}}}
	req := plan.Request{Replicates: replicates, Seed: 1, Session: "s", DurationS: 2, Hosts: []string{"x", "y"},
		Measure: []plan.Ask{{Workload: "exec", Set: map[string]string{"command": "true"}}}}
	p, err := plan.Resolve(req, []record.Workload{decl},
		map[string]plan.Target{"x": {CPUs: 2, Machine: "1"}, "y": {CPUs: 2, Machine: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// onTwo is a loop whose hosts x and y are reached by these.
func onTwo(p record.Plan, x, y Doer) *bench {
	b := newBench(p)
	b.Loop.Machines = map[string]record.Machine{"x": {Name: "x"}, "y": {Name: "y"}}
	b.Loop.Agents = map[string]Doer{"x": x, "y": y}
	b.Loop.Progress = &silence{}
	return b
}

// silence discards progress from several goroutines.
type silence struct{}

func (silence) Start(int, time.Duration)           {}
func (silence) TrialStarted(string, time.Duration) {}
func (silence) TrialDone(string, string, string)   {}
func (silence) Note(string)                        {}
func (silence) Stop()                              {}

func TestSidesOfAPairRunAtOnce(t *testing.T) {
	m := &meeting{parties: 2, met: make(chan struct{})}
	b := onTwo(pairsOn(t, 6), m, m)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 12 || m.together != 6 || len(b.session.trials) != 12 {
		t.Fatalf("%d trials, met %d times, %v", len(trials), m.together, err)
	}
	for i := 0; i < 12; i += 2 {
		if a, b := b.session.trials[i], b.session.trials[i+1]; a.Replicate != b.Replicate || a.Cell == b.Cell {
			t.Errorf("trials %d and %d are no pair: %s %s", i, i+1, a.ID, b.ID)
		}
	}
}

// TestHostLostInMidPair: the other side goes on, and a run that goes on later measures what is missing.
func TestHostLostInMidPair(t *testing.T) {
	p := pairsOn(t, 4)
	y := &script{steps: []step{nil, nil, failing(agent.Unreachable{On: "y", Err: errors.New("gone")})}}
	first := onTwo(p, &script{}, y)
	done, err := first.Run(t.Context(), nil)
	if err != nil || len(done) != 6 || first.session.ends[0].Reason != "done" || len(first.Lost) != 1 {
		t.Fatalf("%d trials, %v, %+v", len(done), err, first.session.ends)
	}
	x := &script{}
	second := onTwo(p, x, y)
	all, err := second.Run(t.Context(), done)
	if err != nil || len(all) != 8 || len(second.session.trials) != 2 || len(x.orders) != 0 {
		t.Errorf("%d trials, %d of them new, %v", len(all), len(second.session.trials), err)
	}
}

func TestInterruptedInMidPair(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &meeting{parties: 2, met: make(chan struct{}), before: func(o record.Order) error {
		if o.Replicate == 1 && o.Host == "y" {
			cancel()
		}
		return nil
	}}
	b := onTwo(pairsOn(t, 4), m, m)
	done, err := b.Run(ctx, nil)
	// What the two began after the interruption may have ended as well.
	if !errors.Is(err, ErrInterrupted) || len(done) < 2 || len(done) > 4 {
		t.Errorf("%d trials, %v", len(done), err)
	}
	if e := b.session.ends; len(e) != 1 || e[0].Reason != "interrupted" {
		t.Errorf("ends %+v", e)
	}
}

// TestVoidSideIsTriedAgainAlone: its partner has been measured and is not measured twice.
func TestVoidSideIsTriedAgainAlone(t *testing.T) {
	x := &script{}
	y := &script{steps: []step{failing(agent.Lost{Reason: "it died"})}}
	b := onTwo(pairsOn(t, 2), x, y)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 5 || len(x.orders) != 2 || len(y.orders) != 3 {
		t.Errorf("%d trials, %d on x, %d on y, %v", len(trials), len(x.orders), len(y.orders), err)
	}
	if !slices.ContainsFunc(y.orders, func(o record.Order) bool { return o.Attempt == 1 && o.Replicate == 0 }) {
		t.Errorf("orders %+v", y.orders)
	}
}
