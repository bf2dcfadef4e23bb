package main

import (
	"regexp"
	"slices"
	"testing"

	"plimsoll/internal/run/invocation"
	"plimsoll/internal/workload"
)

// TestPeers verifies that the counterpart of another tool's flag exists, and that its workload has no such flag itself,
// which would hide the counterpart.
func TestPeers(t *testing.T) {
	a := &app{agent: newAgent()}
	cmd, _ := a.runWith()
	known := func(s workload.Spec, name string) bool {
		if len(name) > 1 {
			return slices.Contains(invocation.FlagsOf(cmd.Flags(), s, true), "--"+name)
		}
		f := cmd.Flags().ShorthandLookup(name)
		return f != nil && slices.Contains(invocation.FlagsOf(cmd.Flags(), s, true), "--"+f.Name)
	}
	ours := regexp.MustCompile(`(?:^|[ (])--?([a-z][a-z-]*)`)
	checked := 0
	for _, s := range a.agent.Workloads {
		for _, p := range s.Command.Peers {
			for _, m := range ours.FindAllStringSubmatch(p.Use, -1) {
				if !known(s, m[1]) {
					t.Errorf("%s: there is no flag %s: %s", s.Name, m[1], p.Use)
				}
				checked++
			}
			for _, name := range p.Flags {
				if known(s, name) && (p.As == "" || !rejects(s, name)) {
					t.Errorf("%s has the flag %s itself", s.Name, name)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d flags in counterparts", checked)
	}
}

// rejects reports whether a workload's flag checks its values: one that it rejects can be meant for another tool's
// flag.
func rejects(s workload.Spec, name string) bool {
	return slices.ContainsFunc(s.Command.Flags, func(f workload.Flag) bool { return f.Short == name && f.Check != nil })
}
