package main

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestEveryHostIsTidied: also the further ones of a cluster, each once; this host only if something is kept there.
func TestEveryHostIsTidied(t *testing.T) {
	a := &app{}
	a.agent.Workloads = []workload.Spec{
		{Workload: record.Workload{Name: "keeper"}, Keeps: true}, {Workload: record.Workload{Name: "other"}}}
	cell := func(name, host string, cluster ...string) record.Cell {
		return record.Cell{Workload: name, Host: host, Cluster: cluster}
	}
	p := record.Plan{Cells: []record.Cell{cell("other", thisHost), cell("other", "a"), cell("keeper", "a", "b", "c"),
		cell("keeper", "c", "a"), cell("keeper", thisHost)}}
	if got, want := a.keeps(p), []string{"a", "b", "c", thisHost}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
