package main

import (
	"testing"

	"plimsoll/internal/run/invocation"
	"plimsoll/internal/workload/all"
	"plimsoll/suites"
)

// TestSuitesStateTheirLoads: whoever runs a suite has chosen no load, and is not told how to set one.
func TestSuitesStateTheirLoads(t *testing.T) {
	for _, name := range suites.Names() {
		req, _, err := suites.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if texts := (invocation.Settings{}).Unsaid(req, all.All()); len(texts) > 0 {
			t.Errorf("%s: %q", name, texts)
		}
	}
}
