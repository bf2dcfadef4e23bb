package brokerfault

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/record"
)

const second = int64(1e9)

func valuesOf(c Course, ops ...int64) map[string]record.Value {
	out := map[string]record.Value{}
	for _, v := range c.Values(ops, 100*second, second) {
		out[v.Name] = v
	}
	return out
}

// TestCost: ten seconds of which the fault takes three, two of them wholly.
func TestCost(t *testing.T) {
	c := Course{Broker: 3, Killed: 104*second + second/2, InSync: 110 * second}
	got := valuesOf(c, 100, 98, 102, 100, 50, 0, 0, 95, 99, 100)
	for name, want := range map[string]float64{record.FaultRecovery: 2.5, record.FaultLost: 2.5, record.FaultOutage: 2,
		record.FaultInSync: 5.5} {
		if v := got[name]; v.Value != want || v.AtLeast {
			t.Errorf("%s: %+v, want %v", name, v, want)
		}
	}
	// It does not recover: one good second is none.
	got = valuesOf(c, 100, 98, 102, 100, 50, 0, 95, 10, 20, 100)
	if v := got[record.FaultRecovery]; v.Value != 5.5 || !v.AtLeast {
		t.Errorf("%+v", v)
	}
	if v := got[record.FaultLost]; !v.AtLeast || v.Value < 3.2 {
		t.Errorf("%+v", v)
	}
	// What is usual is unknown.
	if got = valuesOf(Course{Killed: 102 * second, InSync: 104 * second}, 100, 100, 0, 0, 100, 100); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// cluster is one whose broker leaves as it is killed and is in sync some looks after its start.
type cluster struct {
	gone, started atomic.Bool
	looks         atomic.Int64
	fails         error
	never         bool
}

func (c *cluster) Kill(context.Context, int) error { c.gone.Store(true); return nil }

func (c *cluster) Start(ctx context.Context, _ int, await func(context.Context) error) error {
	if err := await(ctx); err != nil {
		return err
	}
	c.started.Store(c.gone.Load()) // or it would meet the one that is there
	return c.fails
}

func (c *cluster) InSync(context.Context) (bool, error) {
	if c.started.Load() && c.looks.Add(1) > 2 && !c.never {
		return true, nil
	}
	return !c.gone.Load(), nil
}

func begin(t *testing.T, c *cluster) *Run {
	t.Helper()
	now, err := cputime.Monotonic()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prepare(t.Context(), c, 2, 30*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	r.At(now + int64(20*time.Millisecond))
	t.Cleanup(r.Close)
	return r
}

func TestRun(t *testing.T) {
	r := begin(t, &cluster{})
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := r.Course()
	if !(c.Killed > 0 && c.Left > c.Killed && c.Started-c.Killed >= int64(30*time.Millisecond) && c.InSync > c.Started) {
		t.Errorf("%+v", c)
	}
	events := c.Events()
	if len(events) != 4 || events[0].Name != record.EventBrokerKilled || events[3].Name != record.EventBrokerInSync ||
		events[0].Detail != "broker 2" {
		t.Errorf("%+v", events)
	}
}

func TestABrokerThatDoesNotStartAgain(t *testing.T) {
	err := begin(t, &cluster{fails: errors.New("no memory")}).Wait(t.Context())
	if err == nil || !strings.Contains(err.Error(), "broker 2 was killed and did not start again: no memory") {
		t.Errorf("%v", err)
	}
}

// TestClose ends a fault whose broker never rejoins, and one that has not begun.
func TestClose(t *testing.T) {
	r := begin(t, &cluster{never: true})
	time.Sleep(60 * time.Millisecond)
	r.Close()
	if err := r.Wait(t.Context()); err == nil {
		t.Error("it ended well")
	}
	idle, err := Prepare(t.Context(), &cluster{}, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := idle.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "the window never began") {
		t.Errorf("%v", err)
	}
	idle.Close()
	var none *Run
	none.Close()
	if err := none.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAFaultBesideAnother has twice the time: what one of them moves holds the other up.
func TestAFaultBesideAnother(t *testing.T) {
	for _, c := range []struct {
		beside bool
		want   string
	}{{true, "broker 2 was killed, and 20ms after"}, {false, "broker 2 was killed, and 10ms after"}} {
		r, err := Prepare(t.Context(), &cluster{never: true}, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		r.next.patience, r.next.beside = 10*time.Millisecond, func() bool { return c.beside }
		now, err := cputime.Monotonic()
		if err != nil {
			t.Fatal(err)
		}
		r.At(now)
		if err := r.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
