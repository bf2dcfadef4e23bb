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

// TestWhichTrialsCount: those that the plan ordered for estimates, including void ones and probes, and no others. Of
// these, the void ones measure nothing.
func TestWhichTrialsCount(t *testing.T) {
	for _, c := range []struct {
		name  string
		trial Trial
		role  Role
		want  bool
	}{
		{"of the plan", Trial{Slot: Slot{Replicate: 2}}, RoleReplicate, true},
		{"tried again", Trial{Slot: Slot{Attempt: 1}}, RoleReplicate, true},
		{"void", Trial{Void: "the backlog grew", Over: true}, RoleReplicate, true},
		{"a probe", Trial{Slot: Slot{Probe: 3}}, RoleProbe, true},
		{"a confirmation", Trial{Slot: Slot{Probe: 9, Confirms: "p99"}}, RoleConfirmation, true},
		{"a pilot", Trial{Slot: Slot{Pilot: true, Replicate: -1}}, RolePilot, false},
		{"of an extra pair", Trial{Slot: Slot{Extra: true, Replicate: 30}}, RoleExtra, false},
		{"near the safe rate", Trial{Slot: Slot{Capped: .95}}, RoleSafeRate, false},
		{"profiled", Trial{Slot: Slot{Profiled: true}}, RoleProfile, false},
	} {
		if got := c.trial.Counts(); got != c.want {
			t.Errorf("%s: counts %t, want %t", c.name, got, c.want)
		}
		if got := c.trial.Role(); got != c.role {
			t.Errorf("%s: role %d, want %d", c.name, got, c.role)
		}
		if got, want := c.trial.Measures(), c.want && c.trial.Void == ""; got != want {
			t.Errorf("%s: measures %t, want %t", c.name, got, want)
		}
	}
}
