package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

func voids(trials []record.Trial) []string {
	var out []string
	for _, t := range trials {
		out = append(out, t.Void)
	}
	return out
}

func TestRunToItsEnd(t *testing.T) {
	b := newBench(commands(t, 3, "true"))
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) != 3 || len(b.session.trials) != 3 || b.session.series != 3 {
		t.Fatalf("%d trials (%d written, %d series), %v", len(trials), len(b.session.trials), b.session.series, err)
	}
	want := record.End{Plan: trials[0].Plan, Reason: "done", Trials: 3}
	if !slices.Equal(b.session.ends, []record.End{want}) {
		t.Errorf("ends %+v, want %+v", b.session.ends, want)
	}
	told := []string{
		"start 3 0s",
		"begin exec 0s", "done exec: 1.5 s",
		"begin exec 0s", "done exec: 1.5 s",
		"begin exec 0s", "done exec: 1.5 s",
		"stop",
	}
	if !slices.Equal(b.told.lines, told) {
		t.Errorf("progress %q, want %q", b.told.lines, told)
	}
}

func TestRunGoesOn(t *testing.T) {
	p := commands(t, 5, "true")
	first := newBench(p)
	first.session.limit = 2
	done, err := first.Run(t.Context(), nil)
	if err == nil || len(done) != 2 {
		t.Fatalf("%d trials, %v", len(done), err)
	}
	second := newBench(p)
	all, err := second.Run(t.Context(), done)
	if err != nil || len(all) != 5 || len(second.session.trials) != 3 || second.told.lines[0] != "start 3 0s" {
		t.Errorf("%d trials (%d written), %v, %q", len(all), len(second.session.trials), err, second.told.lines)
	}
	seen := map[string]bool{}
	for _, trial := range all {
		seen[trial.ID] = true
	}
	if len(seen) != 5 {
		t.Errorf("trials %v, want five", seen)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(commands(t, 5, "true"), nil, nil,
		func(ctx context.Context, _ record.Order, say func(agent.Message) error) error {
			cancel()
			return ctx.Err()
		})
	trials, err := b.Run(ctx, nil)
	if !errors.Is(err, ErrInterrupted) || len(trials) != 2 || len(b.session.trials) != 2 {
		t.Errorf("%d trials (%d written), %v", len(trials), len(b.session.trials), err)
	}
	if e := b.session.ends; len(e) != 1 || e[0].Reason != "interrupted" || e[0].Trials != 2 || len(b.agent.orders) != 3 {
		t.Errorf("ends %+v after %d orders", e, len(b.agent.orders))
	}
	if last := b.told.lines[len(b.told.lines)-1]; last != "stop" {
		t.Errorf("progress ends with %q", last)
	}
}

// TestMaxTime: after its time a session begins no further replicate, and completes the one that has begun.
func TestMaxTime(t *testing.T) {
	slow := func(ctx context.Context, o record.Order, say func(agent.Message) error) error {
		time.Sleep(20 * time.Millisecond)
		return good(ctx, o, say)
	}
	p := commands(t, 100, "true", "false")
	p.MaxS = .03
	b := newBench(p, slow, slow, slow, slow)
	trials, err := b.Run(t.Context(), nil)
	if err != nil || len(trials) < 2 || len(trials) > 6 || len(trials)%2 != 0 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
	if e := b.session.ends; len(e) != 1 || e[0].Reason != "done" {
		t.Errorf("ends %+v", e)
	}
}

// A connection that breaks because of the interruption is not its cause.
func TestInterruptedAndUnreachable(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(commands(t, 5, "true"), func(context.Context, record.Order, func(agent.Message) error) error {
		cancel()
		return agent.Unreachable{On: "ssh there", Err: errors.New("gone")}
	})
	if _, err := b.Run(ctx, nil); !errors.Is(err, ErrInterrupted) || strings.Contains(err.Error(), "gone") {
		t.Errorf("%v", err)
	}
}

func TestSessionThatCannotBeWritten(t *testing.T) {
	b := newBench(commands(t, 5, "true"))
	b.session.limit = 2
	trials, err := b.Run(t.Context(), nil)
	if err == nil || err.Error() != "write x: no space left; runs safe in it: 2" {
		t.Errorf("error %v: want the session's, once", err)
	}
	if len(trials) != 2 || len(b.agent.orders) != 3 || len(b.session.ends) != 0 {
		t.Errorf("%d trials after %d orders, ends %v", len(trials), len(b.agent.orders), b.session.ends)
	}
}

// The disk is full when an interrupted run's series come: both are so, the disk is told.
func TestSessionThatCannotBeWrittenWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	full := errors.New("no space left")
	b := newBench(commands(t, 5, "true"), func(_ context.Context, o record.Order, say func(agent.Message) error) error {
		cancel()
		return say(agent.Message{Series: &record.Series{Trial: o.SlotOf(0).ID()}})
	})
	b.session.full = full
	if _, err := b.Run(ctx, nil); !errors.Is(err, full) || errors.Is(err, ErrInterrupted) {
		t.Errorf("%v, want %v", err, full)
	}
}

// closing is a session that cannot be closed.
type closing struct{ *book }

func (closing) End(record.End) error { return errors.New("the disk is gone") }

func TestEndThatCannotBeWritten(t *testing.T) {
	b := newBench(commands(t, 1, "true"))
	b.Loop.Session = closing{b.session}
	if _, err := b.Run(t.Context(), nil); err == nil || err.Error() != "the disk is gone" {
		t.Errorf("a run that is done: %v", err)
	}
	lost := agent.Unreachable{On: "ssh there", Err: errors.New("gone")}
	b = newBench(commands(t, 1, "true"), failing(lost))
	b.Loop.Session = closing{b.session}
	_, err := b.Run(t.Context(), nil)
	if !errors.As(err, &agent.Unreachable{}) || !strings.Contains(err.Error(), "could not be closed: the disk is gone") {
		t.Errorf("a run that failed: %v", err)
	}
}

func TestUnreachableEndsTheRun(t *testing.T) {
	b := newBench(commands(t, 5, "true"), nil, failing(agent.Unreachable{On: "ssh there", Err: errors.New("gone")}))
	trials, err := b.Run(t.Context(), nil)
	if !errors.As(err, &agent.Unreachable{}) || len(trials) != 1 || len(b.agent.orders) != 2 {
		t.Errorf("%d trials of %d orders, %v", len(trials), len(b.agent.orders), err)
	}
	if e := b.session.ends; len(e) != 1 || e[0].Reason != "failed" || !strings.Contains(e[0].Detail, "gone") {
		t.Errorf("ends %+v", e)
	}
}

// What voids a trial is written down, and the trial is tried once more.
func TestVoidTrialsAreTriedAgain(t *testing.T) {
	late := func(u record.LoadUse) step { return with(func(t *record.Trial) { t.Generator = &u }) }
	for name, c := range map[string]struct {
		step step
		void string
	}{
		"lost": {failing(agent.Lost{Reason: "the agent died: signal: killed"}),
			"the agent died: signal: killed"},
		"fault":   {failing(&agent.Fault{Message: "no such library", Usage: true}), "no such library"},
		"wrapped": {failing(fmt.Errorf("on m6gd: %w", agent.Lost{Reason: "gone"})), "on m6gd: gone"},
		"void by the agent": {with(func(t *record.Trial) { t.Void = "it rained"; t.Generator = &record.LoadUse{} }),
			"it rained"},
		"nothing done":       {late(record.LoadUse{}), "no operation completed"},
		"errors":             {late(record.LoadUse{Done: 900, Errors: 100}), "100 of 1000 operations failed"},
		"the generator full": {late(record.LoadUse{Done: 10, Offered: 10, Useful: .9}), "the load generator was 90% busy"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(commands(t, 2, "true"), nil, c.step)
			trials, err := b.Run(t.Context(), nil)
			if err != nil || len(trials) != 3 || trials[0].Void != "" || trials[2].Void != "" ||
				!strings.Contains(trials[1].Void, c.void) {
				t.Fatalf("voids %q, %v; want the second to be %q", voids(trials), err, c.void)
			}
			if trials[1].ID != b.agent.orders[1].SlotOf(0).ID() || trials[2].Attempt != 1 ||
				trials[2].Replicate != trials[1].Replicate {
				t.Errorf("the second trial is %s, the third attempt %d of replicate %d", trials[1].ID, trials[2].Attempt,
					trials[2].Replicate)
			}
			if !slices.Equal(voids(b.session.trials), voids(trials)) || b.session.ends[0].Void != 1 {
				t.Errorf("written: %q, %+v", voids(b.session.trials), b.session.ends)
			}
		})
	}
}

// A target that fell behind would do so again.
func TestTargetThatFellBehindIsNotTriedAgain(t *testing.T) {
	for want, u := range map[string]record.LoadUse{
		"900 of 1000 offered operations completed": {Done: 900, Offered: 1000},
		"the backlog grew from 0 to 50":            {Done: 9950, Offered: 10000, BacklogEnd: 50},
	} {
		b := newBench(commands(t, 2, "true"), with(func(t *record.Trial) { t.Generator = &u }))
		trials, err := b.Run(t.Context(), nil)
		if err != nil || len(trials) != 2 || !trials[0].Over || !strings.Contains(trials[0].Void, want) ||
			trials[1].Void != "" {
			t.Errorf("%s: voids %q, %v", want, voids(trials), err)
		}
	}
}

// A side that is never valid is given up, though its host is tried more often; the other is measured to the end.
func TestHopelessSideIsGivenUp(t *testing.T) {
	b := newBench(commands(t, 4, "true", "false"))
	b.agent.steps = slices.Repeat([]step{func(ctx context.Context, o record.Order, say func(agent.Message) error) error {
		if o.Sides[0].Params["command"] == "false" {
			return agent.Lost{Reason: "it always dies", Gone: true}
		}
		return good(ctx, o, say)
	}}, 20)
	trials, err := b.Run(t.Context(), nil)
	count := map[string]int{}
	for _, tr := range trials {
		count[tr.Keys["exec.command"]+" "+tr.Void]++
	}
	if err != nil || count["true "] != 4 || count["false it always dies"] != 4 || len(count) != 2 {
		t.Errorf("%v, %v", count, err)
	}
}

func TestDoubtsOfTheGenerator(t *testing.T) {
	b := newBench(commands(t, 1, "true"), with(func(t *record.Trial) {
		t.Generator = &record.LoadUse{Done: 10, Offered: 10, Useful: .6}
	}))
	trials, err := b.Run(t.Context(), nil)
	if err != nil || trials[0].Void != "" ||
		!slices.Contains(trials[0].Doubts, "the load generator was 60% busy") {
		t.Errorf("%+v, %v", trials, err)
	}
}

func TestEventsAreKept(t *testing.T) {
	b := newBench(commands(t, 1, "true"), func(ctx context.Context, o record.Order, say func(agent.Message) error) error {
		return errors.Join(say(agent.Message{Kind: "event", Event: &record.Event{Name: "checkpoint"}}),
			say(agent.Message{Kind: "news"}), good(ctx, o, say))
	})
	if _, err := b.Run(t.Context(), nil); err != nil || b.session.events != 1 || b.session.series != 1 {
		t.Errorf("%d events, %d series, %v", b.session.events, b.session.series, err)
	}
}

func TestLabel(t *testing.T) {
	once := record.LoadPoint{Kind: record.Once, Level: 1}
	cpus := record.LoadPoint{Kind: record.Closed, Level: 2, Unit: "cpus"}
	all := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "cpus", All: true}
	rate := record.LoadPoint{Kind: record.Open, Level: 250, Unit: "rate", Arrivals: "poisson"}
	for want, o := range map[string]record.Order{
		"exec": {Sides: []record.Side{{Workload: "exec", Load: once}}},
		"exec command=true at 250/s poisson on ssh there": {Host: "ssh there",
			Sides: []record.Side{{Workload: "exec", Load: rate, Levels: map[string]string{"exec.command": "true"}}}},
		"aes-gcm a=1 bits=128 at all cpus": {Sides: []record.Side{
			{Workload: "aes-gcm", Load: all, Levels: map[string]string{"aes-gcm.bits": "128", "a": "1"}}}},
		"aes-gcm bits=128 at 2 cpus | aes-gcm bits=256 at 2 cpus": {Sides: []record.Side{
			{Workload: "aes-gcm", Load: cpus, Levels: map[string]string{"aes-gcm.bits": "128"}},
			{Workload: "aes-gcm", Load: cpus, Levels: map[string]string{"aes-gcm.bits": "256"}},
		}},
		"": {},
	} {
		if got := Label(o); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestVoidedBatch: a batch without results voids its first run. The others are ordered again.
func TestVoidedBatch(t *testing.T) {
	o := record.Order{Slot: record.Slot{Plan: "p"}, Sides: []record.Side{{Cell: 0}, {Cell: 1}},
		Turns: []record.Turn{{Side: 0, Replicate: 4}, {Side: 0, Replicate: 5}, {Side: 1, Replicate: 5}}}
	got := voided(o, record.Machine{}, agent.Lost{Reason: "it died", Gone: true})
	if len(got) != 1 || got[0].ID != o.SlotOf(0).ID() || got[0].Void == "" || !got[0].Away {
		t.Errorf("%+v", got)
	}
	o.Turns = nil
	if got := voided(o, record.Machine{}, agent.Lost{}); len(got) != 2 {
		t.Errorf("%d runs of an order with two sides", len(got))
	}
}
