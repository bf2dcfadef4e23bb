package tpcc

import (
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

func TestConformance(t *testing.T) {
	inMemory(t)
	set := func(more record.Params) record.Params {
		p := record.Params{paramPopulation: populationSmall, paramWarehouses: "1", record.ParamClients: "2",
			"settings": "fsync = off"}
		for name, v := range more {
			p[name] = v
		}
		return p
	}
	clients := record.LoadPoint{Kind: record.Closed, Level: 2, Unit: record.ParamClients}
	workloadtest.Run(t, Spec(),
		workloadtest.Case{Name: "pipelined", Params: set(record.Params{paramWarehouses: "2"}), Load: clients, Lanes: 2},
		workloadtest.Case{Name: "one at a time, at a rate",
			Params: set(record.Params{paramStatements: statementsApart, record.ParamRate: "50"}),
			Load:   record.LoadPoint{Kind: record.Open, Level: 50, Unit: record.ParamRate, Arrivals: record.Poisson}, Lanes: 2,
			For: time.Second},
	)
}
