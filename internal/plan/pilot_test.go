package plan

import (
	"reflect"
	"testing"

	"plimsoll/internal/record"
)

// twoHosts is one command on two machines, each load of which goes on until it is stopped.
func twoHosts(t *testing.T, change func(*Request)) record.Plan {
	t.Helper()
	req := Request{Session: "s", Seed: 3, WarmupS: -1, Hosts: []string{"x", "y"}, Measure: []Ask{{Workload: "kernel"}}}
	if change != nil {
		change(&req)
	}
	p, err := Resolve(req, declared(), map[string]Target{"x": {CPUs: 4, Machine: "1"}, "y": {CPUs: 4, Machine: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pilot requests one of 60 s.
func pilot(r *Request) { r.PilotS = 60 }

func TestWhenAPlanHasAPilot(t *testing.T) {
	if p := twoHosts(t, nil); p.Pilot != nil {
		t.Errorf("none requested: %+v", p.Pilot)
	}
	if p := twoHosts(t, pilot); p.Pilot == nil || p.Pilot.DurationS != 60 {
		t.Errorf("60 s requested: %+v", p.Pilot)
	}
	for name, change := range map[string]func(*Request){
		"a length as well":     func(r *Request) { r.DurationS = 5 },
		"replicates as well":   func(r *Request) { r.Replicates = 5 },
		"nothing to choose":    func(r *Request) { r.Hosts = nil },
		"longer than anything": func(r *Request) { r.PilotS = 1e9 },
		"a warm-up as well":    func(r *Request) { r.WarmupS = 0 },
		"in slices": func(r *Request) {
			r.Hosts, r.Factors = r.Hosts[:1], []Factor{Vary("kernel.bits", []string{"128", "256"})}
		},
	} {
		req := Request{WarmupS: -1, PilotS: 40, Hosts: []string{"x", "y"}, Measure: []Ask{{Workload: "kernel"}}}
		change(&req)
		if _, err := Resolve(req, declared(), map[string]Target{"": {CPUs: 4}, "x": {CPUs: 4}, "y": {CPUs: 4}}); err == nil {
			t.Errorf("a pilot asked for and %s: no error", name)
		}
	}
}

// piloted runs a plan whose pilot trials have the given steady states, by side.
func piloted(t *testing.T, p record.Plan, within func(o record.Order) *record.SteadyState) []record.Order {
	t.Helper()
	var done []record.Trial
	var orders []record.Order
	for {
		o, ok := Next(p, done)
		if !ok {
			return orders
		}
		if len(orders) > 200 {
			t.Fatal("the plan does not end")
		}
		orders = append(orders, o)
		v := record.Value{Metric: record.Metric{Name: record.Throughput, Better: record.Higher},
			Value: 100 + float64(20*o.Sides[0].Cell)}
		trial := record.Trial{ID: o.SlotOf(0).ID(), Slot: o.SlotOf(0),
			Values: []record.Value{v}}
		if o.Pilot {
			trial.Steady = within(o)
		}
		done = append(done, trial)
	}
}

func timesOf(orders []record.Order) (pilots, others [][2]float64) {
	for _, o := range orders {
		at := [2]float64{o.WarmupS, o.DurationS}
		if o.Pilot {
			pilots = append(pilots, at)
		} else {
			others = append(others, at)
		}
	}
	return pilots, others
}

// TestPilotChooses: the warm-up ends when the slower side became steady; the duration is that of the worked example (W
// = 60 s, 5%, tau = 3, 1% between trials: 67 s); the pair is none of the five.
func TestPilotChooses(t *testing.T) {
	p := twoHosts(t, pilot)
	orders := piloted(t, p, func(o record.Order) *record.SteadyState {
		if o.Host == "x" {
			return &record.SteadyState{Windows: 60, Kept: 1, SD: .01, Tau: 1}
		}
		return &record.SteadyState{Windows: 60, SteadyS: 58.4, Kept: .4, SD: .05, Tau: 3}
	})
	pilots, others := timesOf(orders)
	if want := [][2]float64{{1, 60}, {1, 60}}; !reflect.DeepEqual(pilots, want) {
		t.Errorf("pilots %v", pilots)
	}
	if len(others) != 10 || others[0] != [2]float64{60, 68} || others[9] != others[0] {
		t.Errorf("trials %v", others)
	}
}

func TestPilotThatDoesNotSettleRunsTwice(t *testing.T) {
	orders := piloted(t, twoHosts(t, pilot), func(o record.Order) *record.SteadyState {
		w := &record.SteadyState{Windows: 60, Kept: 1, SD: .01, Tau: 1}
		if o.Host == "y" && o.Replicate == -1 {
			w.SteadyS, w.Kept = 50, .15
		}
		return w
	})
	pilots, others := timesOf(orders)
	if want := [][2]float64{{1, 60}, {1, 60}, {1, 120}, {1, 120}}; !reflect.DeepEqual(pilots, want) {
		t.Errorf("pilots %v", pilots)
	}
	if others[0] != [2]float64{1, 30} {
		t.Errorf("trials %v", others[0])
	}
}

func TestPilotThatSaysNothingChoosesNothing(t *testing.T) {
	pilots, others := timesOf(piloted(t, twoHosts(t, pilot), func(record.Order) *record.SteadyState { return nil }))
	if len(pilots) != 2 || others[0] != [2]float64{DefaultWarmupS, DefaultDurationS} {
		t.Errorf("pilots %v, trials %v", pilots, others[0])
	}
}

// TestSidesTogether: on two machines the sides of a pair run at once, and never those of two pairs.
func TestSidesTogether(t *testing.T) {
	p := twoHosts(t, func(r *Request) { r.Replicates = 3 })
	c := Follow(p)
	first, _ := c.Next()
	second, ok := c.Next(first)
	if !ok || second.Host == first.Host || second.Replicate != first.Replicate {
		t.Fatalf("beside %+v: %+v, %t", first, second, ok)
	}
	if o, ok := c.Next(first, second); ok {
		t.Errorf("beside a whole pair: %+v", o)
	}
	c.Add(trialsOf(second, nil)...)
	if o, ok := c.Next(first); ok {
		t.Errorf("the next pair begins before this one has ended: %+v", o)
	}
	if s := c.Remaining(nil); s.Trials != 5 || s.Load != 3*(DefaultWarmupS+DefaultDurationS) {
		t.Errorf("%+v remains", s)
	}
	one := twoHosts(t, nil)
	one.Together = false
	c = Follow(one)
	first, _ = c.Next()
	if o, ok := c.Next(first); ok {
		t.Errorf("on one machine, beside %+v: %+v", first, o)
	}
}

func TestHostsOfOneMachineAreNotLoadedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		targets  map[string]Target
		together bool
	}{
		"two machines":     {map[string]Target{"x": {Machine: "1"}, "y": {Machine: "2"}}, true},
		"one machine":      {map[string]Target{"x": {Machine: "1"}, "y": {Machine: "1"}}, false},
		"who knows":        {map[string]Target{"x": {}, "y": {Machine: "2"}}, false},
		"a single machine": {map[string]Target{"x": {Machine: "1"}}, false},
	} {
		hosts := []string{"x", "y"}[:len(c.targets)]
		if got := apart(hosts, c.targets); got != c.together {
			t.Errorf("%s: %t", name, got)
		}
	}
}
