package main

import (
	"testing"

	"plimsoll/internal/record"
)

// TestWatchedLabel: factors are in the order of their names, whatever order the map has.
func TestWatchedLabel(t *testing.T) {
	trial := record.Trial{Replicate: 2, Load: record.LoadPoint{Kind: record.Closed, Level: 16, Unit: record.ParamClients}, Keys: map[string]string{
		record.KeyMachine: "m", record.KeyWorkload: "pgbench",
		record.FactorPrefix + "c": "3", record.FactorPrefix + "a": "1", record.FactorPrefix + "d": "4", record.FactorPrefix + "b": "2",
	}}
	for range 20 {
		if got, want := watchedLabel(trial), "m, pgbench, a=1, b=2, c=3, d=4, "+trial.Load.Key()+", replicate 2"; got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
