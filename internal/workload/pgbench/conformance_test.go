package pgbench

import (
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// small is a load that any machine can make soon.
func small(set record.Params) record.Params {
	out := record.Params{paramScale: "1", "settings": "fsync = off\nshared_buffers = 16MB"}
	for name, v := range set {
		out[name] = v
	}
	return out
}

func TestConformance(t *testing.T) {
	if testing.Short() {
		workloadtest.Declaration(t, Spec())
		t.Skip("it needs PostgreSQL")
	}
	clients := record.LoadPoint{Kind: record.Closed, Level: 2, Unit: record.ParamClients}
	workloadtest.Run(t, Spec(),
		workloadtest.Case{Name: "read-write", Params: small(nil), Load: clients, Lanes: 2, For: 300 * time.Millisecond},
		workloadtest.Case{Name: "a rate of reads",
			Params: small(record.Params{paramScript: scriptSelect, record.ParamClients: "0", record.ParamRate: "200"}),
			Load:   record.LoadPoint{Kind: record.Open, Level: 200, Unit: record.ParamRate, Arrivals: record.Poisson}, Lanes: 2,
			For: 300 * time.Millisecond},
	)
}

var _ workload.Extender = (*driver)(nil)
