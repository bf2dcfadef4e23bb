package integrity

import (
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestSteppedClocks holds that a step is said once, of the machine whose clock it is, and that a boot and a slewed
// clock are none.
func TestSteppedClocks(t *testing.T) {
	begin := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	run := func(machine string, wall, mono time.Duration) record.Trial {
		return record.Trial{Slot: record.Slot{Plan: "p"}, Start: begin.Add(wall).Format(time.RFC3339Nano),
			MonoNs: int64(time.Hour + mono),
			Keys:   map[string]string{record.KeyMachine: machine, record.KeyMachineID: "id-" + machine}}
	}
	trials := []record.Trial{
		run("a", 0, 0), run("b", 0, 40*time.Second),
		run("a", 10*time.Second, 9*time.Second), // slewed
		run("b", -50*time.Second, 50*time.Second),
		run("a", 20*time.Second, -time.Minute), // another boot
		run("b", -40*time.Second, time.Minute),
		run("b", time.Hour, 70*time.Second), // set right again
	}
	got := steppedClocks(trials)
	if len(got) != 1 || got[0].Code != "clock-stepped" {
		t.Fatalf("%v", got)
	}
	want := "the wall clock of b moved by -60 s before the run of 2026-11-25T11:59:10Z: " +
		"durations are right, times of day are not"
	if got[0].String() != want {
		t.Errorf("%s", got[0])
	}
}
