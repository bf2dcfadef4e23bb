package agent

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// servedFake is a server that states what it saw of a load.
type servedFake struct {
	elsewhere bool
	lost      bool // what happened to it in the window has no end
}

func elsewhereSpec() workload.Spec {
	spec := fakeSpec("elsewhere")
	spec.Charge = workload.Started
	return spec
}

func (servedFake) Start(context.Context) (string, error)     { return "here:1", nil }
func (servedFake) Verify(context.Context) error              { return nil }
func (servedFake) Close() error                              { return nil }
func (servedFake) Doubts() []string                          { return []string{"a server's"} }
func (servedFake) Heat() (w workload.Warming, compiles bool) { return w, true }
func (s servedFake) Elsewhere() bool                         { return s.elsewhere }

func (s servedFake) Settle(context.Context) error {
	if s.lost {
		return errors.New("it did not start again")
	}
	return nil
}

func (servedFake) Extra(r load.Result) []record.Value {
	return []record.Value{{Metric: record.Metric{Name: "seen", Unit: "op"}, Value: float64(r.Ops) / r.Seconds}}
}

func (servedFake) Timeline(r load.Result) []workload.Track {
	return []workload.Track{{Name: "db.seen", StepNs: r.Windows.StepNs, Values: r.Windows.Ops}}
}

func (servedFake) Events(r load.Result) []record.Event {
	return []record.Event{{TimeNs: r.Start, Name: "start"}, {TimeNs: r.End, Name: "end"}}
}

// TestServedIsObserved: a target's server states what it saw under the load of other hosts as a driver does of its own.
func TestServedIsObserved(t *testing.T) {
	b := newBench(t)
	now, err := load.NewClock()
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range []string{"fake", "elsewhere"} {
		l := joint.Loaded{StartNs: now.Now(), Ops: 600, StepNs: 1e9, HeatStepNs: 1e8}
		l.EndNs = l.StartNs + 60e9
		for i := range 60 {
			l.Windows, l.Heat = append(l.Windows, int64(100+i%3)), append(l.Heat, int64(50+i%2))
		}
		leave, err := joint.Told(WordLeave, l)
		if err != nil {
			t.Fatal(err)
		}
		req := b.order(closed(2), "")
		commands := make(chan string, 8)
		req.Do, req.Commands, req.Order.Sides[0].Workload = DoServe, commands, server
		var got told
		var read []int64
		before := now.Now()
		for range 20 { // as metered
			got, read = told{}, nil
			err = b.client.Do(t.Context(), req, func(m Message) error {
				switch m.Kind {
				case KindServing:
					commands <- WordClock
				case KindClock:
					read = append(read, m.MonoNs)
					commands <- WordBegin
					time.AfterFunc(90*time.Millisecond, func() { commands <- WordEnd; commands <- leave })
				}
				return got.take(m)
			})
			if err != nil || len(got.trials) != 1 || len(got.trials[0].Doubts) == 1 {
				break
			}
		}
		if err != nil || len(got.trials) != 1 || got.trials[0].Void != "" {
			t.Fatalf("%s: %+v, %v", server, got.trials, err)
		}
		tr := got.trials[0]
		if len(read) != 1 || read[0] < before || read[0] > now.Now() {
			t.Errorf("%s: the clock is %v, between %d and %d", server, read, before, now.Now())
		}
		if v, ok := tr.Value("seen"); !ok || v.Value != 10 || tr.MonoNs != l.StartNs ||
			!reflect.DeepEqual(tr.Doubts, []string{"a server's"}) {
			t.Errorf("%s: %+v", server, tr)
		}
		if tr.Steady == nil || tr.Steady.Windows != 60 || tr.WarmUp == nil || tr.WarmUp.Seconds != 6 || tr.Rise == nil {
			t.Errorf("%s: within %+v, heat %+v, rise %+v", server, tr.Steady, tr.WarmUp, tr.Rise)
		}
		for name, want := range map[string][]int64{"db.seen": l.Windows, "heat": l.Heat} {
			if seen, err := session.DecodeWindows(got.series[name].Data); err != nil || !reflect.DeepEqual(seen, want) {
				t.Errorf("%s: the series %s is %v, %v", server, name, seen, err)
			}
		}
		if len(got.events) != 2 || got.events[0].TimeNs != l.StartNs || got.events[1].TimeNs != l.EndNs {
			t.Errorf("%s: events %+v", server, got.events)
		}
		_, cpu := tr.Value(record.CPUPercent)
		if metered := server == "fake"; cpu != metered || (tr.CPU != nil) != metered || (tr.Ledger != nil) != metered ||
			(tr.Keys[record.KeyUnseen] == "") != metered {
			t.Errorf("%s: %+v", server, tr)
		}
	}
}

// TestServerThatCannotSettle: its trial ends at once with the reason, instead of having generators go on.
func TestServerThatCannotSettle(t *testing.T) {
	b := newBench(t)
	req := b.order(closed(2), "settle")
	commands := make(chan string, 8)
	req.Do, req.Commands = DoServe, commands
	var got told
	err := b.client.Do(t.Context(), req, func(m Message) error {
		switch m.Kind {
		case KindServing:
			commands <- WordBegin
			commands <- WordEnd
		case KindSettled:
			t.Error("it is said to have settled")
		}
		return got.take(m)
	})
	if err != nil || len(got.trials) != 1 || got.trials[0].Void != "it did not start again" {
		t.Errorf("%+v, %v", got.trials, err)
	}
}

// TestAHostIsAskedAboutItsPart: a preflight knows of how many hosts the target is.
func TestAHostIsAskedAboutItsPart(t *testing.T) {
	b := newBench(t)
	side := record.Side{Workload: "fake", Params: record.Params{"faults": "alone"}}
	if err := b.client.Preflight(t.Context(), side, 0); err != nil {
		t.Error(err)
	}
	if err := b.client.Preflight(t.Context(), side, 3); err == nil || !strings.Contains(err.Error(), "is one of 3 hosts") {
		t.Error(err)
	}
}
