package run

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/agent/joint"
)

// parrot gives a fixed answer to any request; as a target it serves until it is told to leave.
type parrot []byte

func (p parrot) Do(ctx context.Context, req agent.Request, handle func(agent.Message) error) error {
	serve := func(m agent.Message) error {
		err := handle(m)
		for m.Kind == agent.KindServing {
			select {
			case w := <-req.Commands:
				if strings.HasPrefix(w, agent.WordLeave) {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return err
	}
	if err := agent.Replay(req, p, serve); err != nil {
		return agent.Lost{Reason: err.Error()}
	}
	return nil
}

// FuzzConcert: whatever a target and its generators send, their order ends with the one ordered trial, which can be
// written.
func FuzzConcert(f *testing.F) {
	const hello = `{"kind":"hello","protocol":6}` + "\n"
	b := band(&testing.T{}, 1, nil, nil, nil)
	order, ok := plan.Follow(b.Plan).Next()
	if !ok {
		f.Fatal("no order")
	}
	line := func(m agent.Message) string {
		text, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		return string(text) + "\n"
	}
	trial := func(o record.Order, machine string, part *joint.Part) string {
		return line(agent.Message{Kind: "trial", Trial: new(agent.Blank(o, 0, record.Machine{Name: machine})), Part: part})
	}
	windows, err := session.EncodeWindows([]int64{1, 2})
	if err != nil {
		f.Fatal(err)
	}
	series := line(agent.Message{Kind: "series",
		Series: &record.Series{Trial: order.SlotOf(0).ID(), Name: "ops", Unit: "op", StepNs: 1e9, Enc: record.EncWindows,
			Data: windows}})
	heat := strings.Replace(series, `"ops"`, `"heat"`, 1)
	const done = `{"kind":"done"}` + "\n"
	target := hello + line(agent.Message{Kind: agent.KindServing, Address: "a:1"}) +
		line(agent.Message{Kind: agent.KindSettled}) + trial(order, "t", nil) + done
	source := func(i int) string {
		cues := line(agent.Message{Kind: agent.KindReady}) +
			strings.Repeat(line(agent.Message{Kind: agent.KindClock, MonoNs: 7}), readings) +
			line(agent.Message{Kind: agent.KindBegun}) + line(agent.Message{Kind: agent.KindEnded})
		part := joint.Part{StartNs: 100, EndNs: 2e9, HeatNs: int64(i) * 1e9, Weights: map[string]float64{"mean": 1}}
		return hello + cues + series + heat + trial(partOf(order, i), []string{"g1", "g2"}[i], &part) + done
	}
	f.Add([]byte(target), []byte(source(0)), []byte(source(1)))
	f.Add([]byte(strings.Replace(target, "\n", "\n"+line(agent.Message{Kind: agent.KindClock, MonoNs: 9}), 1)),
		[]byte(source(0)), []byte(source(1)))
	f.Add([]byte(hello+`{"kind":"ended"}`+"\n"), []byte(source(0)), []byte(source(1)))
	f.Add([]byte(hello+`{"kind":"trial","trial":{"cell":-1}}`), []byte(hello), []byte(""))
	f.Fuzz(func(t *testing.T, target, one, other []byte) {
		b := band(t, 1, nil, nil, nil)
		b.Loop.Agents = map[string]Doer{"target": parrot(target), "g1": parrot(one), "g2": parrot(other)}
		got, err := b.Loop.inConcert(t.Context(), order)
		if err != nil {
			t.Fatalf("the run ends: %v", err)
		}
		if got.trial.ID != order.SlotOf(0).ID() || got.trial.Cell < 0 || got.trial.Keys[record.KeyMachine] != "t" {
			t.Errorf("%+v", got.trial)
		}
		if err := session.CheckTrial(got.trial); err != nil {
			t.Error(err)
		}
	})
}
