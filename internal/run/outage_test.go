package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// shop is hosts that measure one command, each with an agent of its own, and one that may be away.
func shop(t *testing.T, replicates int, hosts ...string) *bench {
	t.Helper()
	decl := record.Workload{Name: "exec", Loads: []record.LoadKind{record.Once},
		Params: []record.Param{{Name: "command", Kind: record.Text}}}
	targets := map[string]plan.Target{}
	for _, h := range hosts {
		targets[h] = plan.Target{CPUs: 2, Machine: "boot of " + h}
	}
	p, err := plan.Resolve(plan.Request{
		Name: "test", Replicates: replicates, Seed: 1, Session: "s", DurationS: 2, Hosts: hosts,
		Measure: []plan.Ask{{Workload: "exec", Set: map[string]string{"command": "true"}}},
	}, []record.Workload{decl}, targets)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(p)
	b.Machines, b.Agents = map[string]record.Machine{}, map[string]Doer{}
	for _, h := range hosts {
		b.Machines[h] = record.Machine{Name: "m-" + h, ID: "id-" + h}
		b.Agents[h] = &script{}
	}
	b.MaxOutage, b.Pause = time.Minute, func(context.Context, time.Duration) error { return nil }
	return b
}

// gone ends an order as a host does that cannot be reached.
func gone(host string) step {
	return failing(agent.Unreachable{On: host, Err: errors.New("no route to host\nhint: look at the cable")})
}

// away makes the orders of a host after the first good ones fail, so many times.
func (b *bench) away(host string, good, times int) *script {
	s := &script{steps: slices.Concat(make([]step, good), slices.Repeat([]step{gone(host)}, times))}
	b.Agents[host] = s
	return s
}

func eventNames(events []record.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Name+" "+e.Machine+": "+e.Detail)
	}
	return out
}

// TestHostThatComesBack: what was ordered is measured once it is there again, under the same id and attempt.
func TestHostThatComesBack(t *testing.T) {
	b := shop(t, 3, "a", "b")
	s := b.away("b", 1, 4)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 6 || !slices.Equal(voids(trials), make([]string, 6)) {
		t.Fatalf("%d trials, %q, %v", len(trials), voids(trials), err)
	}
	for _, o := range s.orders[1:6] {
		if o.ID != s.orders[1].ID {
			t.Errorf("order %s, want %s again", o.ID, s.orders[1].ID)
		}
	}
	// Pauses of 1, 2, 4 and 8 s.
	want := []string{`host-away m-b: cannot reach an agent through "b": no route to host`, "host-back m-b: 15s"}
	if got := eventNames(b.session.host); !slices.Equal(got, want) || len(b.Lost) != 0 {
		t.Errorf("events %q, lost %v", got, b.Lost)
	}
}

// TestSeveralHostsAway: of the hosts that carry out an order together any may be the first that is missed, and none is
// back before the order was carried out.
func TestSeveralHostsAway(t *testing.T) {
	b := shop(t, 1, "a", "b")
	b.Agents["a"] = &script{steps: []step{gone("a"), gone("b"), gone("b"), gone("a")}}
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 2 {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	want := []string{`host-away m-a: cannot reach an agent through "a": no route to host`,
		`host-away m-b: cannot reach an agent through "b": no route to host`, "host-back m-a: 8s", "host-back m-b: 7s"}
	if got := eventNames(b.session.host); !slices.Equal(got, want) || len(b.Lost) != 0 {
		t.Errorf("events %q, lost %v", got, b.Lost)
	}
}

// TestEachHostHasItsTime: one that is missed as another one comes back may be away for as long as that was.
func TestEachHostHasItsTime(t *testing.T) {
	b := shop(t, 1, "a", "b")
	b.MaxOutage = 4 * time.Second // tries after 1, 3 and 4 s
	b.Agents["a"] = &script{steps: []step{gone("a"), gone("a"), gone("a"), gone("b"), gone("b"), gone("b")}}
	if trials, err := b.Run(t.Context(), nil); err != nil || len(trials) != 2 || len(b.Lost) != 0 {
		t.Errorf("%d trials, %v, lost %v", len(trials), err, b.Lost)
	}
	b = shop(t, 1, "a", "b")
	b.MaxOutage = 4 * time.Second
	b.Agents["a"] = &script{steps: []step{gone("a"), gone("a"), gone("a"), gone("b"), gone("b"), gone("b"), gone("b")}}
	if _, err := b.Run(t.Context(), nil); err != nil || len(b.Lost) != 1 || b.Lost[0].Host != "b" {
		t.Errorf("%v, lost %v, want b", err, b.Lost)
	}
}

// TestInterruptedAsItIsTried: a try that Ctrl-C ends does not say that the host is back.
func TestInterruptedAsItIsTried(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := shop(t, 4, "b")
	s := b.away("b", 0, 1)
	s.steps = append(s.steps, func(ctx context.Context, _ record.Order, _ func(agent.Message) error) error {
		cancel()
		return ctx.Err()
	})
	if trials, err := b.Run(ctx, nil); !errors.Is(err, ErrInterrupted) || len(trials) != 0 || len(b.session.host) != 1 {
		t.Errorf("%d trials, %v, events %q", len(trials), err, eventNames(b.session.host))
	}
}

// TestLostHost: the others go on without it, and it is in the session.
func TestLostHost(t *testing.T) {
	b := shop(t, 4, "a", "b", "c")
	b.away("b", 2, 100)
	trials, err := b.Run(t.Context(), nil)
	count := map[string]int{}
	for _, tr := range trials {
		count[tr.Keys[record.KeyMachine]+tr.Void]++
	}
	if err != nil || len(trials) != 10 || b.session.ends[0].Reason != "done" {
		t.Fatalf("%v, %v, %+v", count, err, b.session.ends)
	}
	if got := eventNames(b.session.host); len(got) != 2 ||
		!strings.HasPrefix(got[1], `host-lost m-b: cannot reach an agent through "b": no route to host`) ||
		strings.Contains(got[1], "hint") {
		t.Errorf("events %q", got)
	}
	e := b.session.host[1]
	if e.Plan != trials[0].Plan || e.Host != "b" || e.MachineID != "id-b" || e.At == "" {
		t.Errorf("%+v", e)
	}
	if n := len(b.Agents["a"].(*script).orders); n != 4 {
		t.Errorf("%d orders of a, want all 4", n)
	}
}

// TestLostHostStaysLost: a run that goes on leaves out the hosts that were lost.
func TestLostHostStaysLost(t *testing.T) {
	b := shop(t, 4, "a", "b")
	s := b.away("b", 0, 0)
	b.Lost = []record.Event{{Name: record.HostLost, OfHost: record.OfHost{Host: "b"}}}
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 4 || len(s.orders) != 0 {
		t.Errorf("%d trials, %d orders of the lost one, %v", len(trials), len(s.orders), err)
	}
}

// TestNoHostLeft: the loss of the last one ends the run, which can be resumed.
func TestNoHostLeft(t *testing.T) {
	b := shop(t, 4, "a", "b")
	b.away("a", 1, 100)
	b.away("b", 2, 100)
	trials, err := b.Run(t.Context(), nil)
	if !errors.As(err, &agent.Unreachable{}) || len(trials) != 3 || b.session.ends[0].Reason != "failed" ||
		len(b.Lost) != 2 {
		t.Errorf("%d trials, %v, %+v, %v", len(trials), err, b.session.ends, b.Lost)
	}
}

// TestNoOutageIsTolerated: with a limit of 0 a host is lost at once.
func TestNoOutageIsTolerated(t *testing.T) {
	b := shop(t, 2, "a", "b")
	b.MaxOutage = 0
	s := b.away("b", 1, 100)
	if trials, err := b.Run(t.Context(), nil); err != nil || len(trials) != 3 || len(s.orders) != 2 ||
		len(b.session.host) != 1 {
		t.Errorf("%d trials, %d orders, %v, %v", len(trials), len(s.orders), b.session.host, err)
	}
}

// TestInterruptedWhileAway: Ctrl-C does not wait for a host.
func TestInterruptedWhileAway(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := shop(t, 4, "b")
	b.away("b", 1, 100)
	b.Pause = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}
	if trials, err := b.Run(ctx, nil); !errors.Is(err, ErrInterrupted) || len(trials) != 1 || len(b.Lost) != 0 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
}

// TestFinishedWhileAway: what an agent had finished when its connection broke is sent by the next one, and counts once.
func TestFinishedWhileAway(t *testing.T) {
	b := shop(t, 2, "a", "b")
	s := &script{steps: []step{nil, failing(agent.Lost{Reason: "no output for 20s; killed"})}}
	s.kept = good
	b.Agents["b"] = s
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 4 || !slices.Equal(voids(trials), make([]string, 4)) || len(s.orders) != 2 ||
		len(s.asked) != 1 {
		t.Fatalf("%d trials, %q, %d orders, %v", len(trials), voids(trials), len(s.orders), err)
	}
	if got := eventNames(b.session.host); len(got) != 1 || got[0] != "run-resent m-b: "+s.asked[0].SlotOf(0).ID() {
		t.Errorf("events %q", got)
	}
}

// TestNotFinishedWhileAway: the run failed, for the reason that its connection broke.
func TestNotFinishedWhileAway(t *testing.T) {
	for name, kept := range map[string]step{"nothing": nil, "lost again": failing(agent.Lost{Reason: "again"}),
		"a fault": failing(&agent.Fault{Message: "damaged"})} {
		b := shop(t, 2, "a", "b")
		s := &script{steps: []step{failing(agent.Lost{Reason: "no output for 20s; killed"})}, kept: kept}
		b.Agents["b"] = s
		trials, err := b.Run(t.Context(), nil)
		if err != nil || len(trials) != 5 || !slices.Contains(voids(trials), "no output for 20s; killed") ||
			len(s.orders) != 3 {
			t.Errorf("%s: %q, %d orders, %v", name, voids(trials), len(s.orders), err)
		}
	}
}

// TestLostBeforeItIsResent: a host that stays away after its connection broke is lost, and its run no failed one.
func TestLostBeforeItIsResent(t *testing.T) {
	b := shop(t, 2, "a", "b")
	s := &script{steps: []step{nil, failing(agent.Lost{Reason: "no output for 20s; killed"})}}
	s.kept = failing(agent.Unreachable{On: "b", Err: errors.New("no route to host")})
	b.Agents["b"] = s
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 3 || !slices.Equal(voids(trials), make([]string, 3)) || len(b.Lost) != 1 {
		t.Errorf("%q, %v, lost %v", voids(trials), err, b.Lost)
	}
}
