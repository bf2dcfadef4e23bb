package record

import "testing"

func TestOperations(t *testing.T) {
	throughput := func(v float64, unit string) []Value {
		return []Value{{Metric: Metric{Name: Throughput, Unit: unit}, Value: v}}
	}
	for _, c := range []struct {
		name string
		t    Trial
		want float64
	}{
		{"a rate of operations", Trial{DurationS: 2, Values: throughput(50, "op/s"), Generator: &LoadUse{Done: 7}}, 100},
		{"a rate of bytes", Trial{DurationS: 2, Values: throughput(50, "B/s"), Generator: &LoadUse{Done: 7}}, 7},
		{"a load generator alone", Trial{DurationS: 2, Generator: &LoadUse{Done: 7}}, 7},
		{"nothing", Trial{DurationS: 2, Values: throughput(50, "B/s")}, 0},
	} {
		if got := c.t.Operations(); got != c.want {
			t.Errorf("%s: %v operations, want %v", c.name, got, c.want)
		}
	}
}

// TestWhichTrialsCount: those that the plan ordered for estimates, including void ones and probes, and no others.
func TestWhichTrialsCount(t *testing.T) {
	for _, c := range []struct {
		name  string
		trial Trial
		want  bool
	}{
		{"of the plan", Trial{Slot: Slot{Replicate: 2}}, true},
		{"tried again", Trial{Slot: Slot{Attempt: 1}}, true},
		{"void", Trial{Void: "the backlog grew", Over: true}, true},
		{"a probe", Trial{Slot: Slot{Probe: 3}}, true},
		{"a pilot", Trial{Slot: Slot{Pilot: true, Replicate: -1}}, false},
		{"of an extra pair", Trial{Slot: Slot{Extra: true, Replicate: 30}}, false},
		{"near the safe rate", Trial{Slot: Slot{Capped: .95}}, false},
		{"profiled", Trial{Slot: Slot{Profiled: true}}, false},
	} {
		if got := c.trial.Counts(); got != c.want {
			t.Errorf("%s: counts %t, want %t", c.name, got, c.want)
		}
	}
}
