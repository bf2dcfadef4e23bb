// Package tpcc is the workload "tpcc": a load like TPC-C's (revision 5.11 of the specification) on PostgreSQL. It is
// not audited, and none of its results is a TPC-C result.
package tpcc

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// Name is the workload's name, and that of its database.
const Name = "tpcc"

// The workload's own parameters.
const (
	paramWarehouses = "warehouses"
	paramTables     = "tables"
	paramPopulation = "population"
	paramDataSeed   = "data_seed"
	paramStatements = "statements"
	paramSkew       = "skew"
	paramHome       = "home"
	paramIsolation  = "isolation"
	paramHeat       = record.ParamHeat
)

// The values of statements.
const (
	statementsPipelined = "pipelined"
	statementsApart     = "one-at-a-time"
)

// The values of skew.
const (
	skewUniform = "uniform"
	skewPareto  = "pareto"
)

// The values of home.
const (
	homeAny   = "any"
	homeFixed = "fixed"
)

// The values of isolation.
const (
	readCommitted  = "read-committed"
	repeatableRead = "repeatable-read"
	serializable   = "serializable"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return database.Complete(workload.Spec{
		Workload: record.Workload{
			Name:    Name,
			Doc:     "TPC-C-like transactions on PostgreSQL, pipelined; not audited, and without keying and think times",
			Params:  database.Params(params()...),
			Metrics: append(metrics(), database.WatchMetrics()...),
			Loads:   []record.LoadKind{record.Closed, record.Open},
		},
		New:   newDriver,
		Serve: newServer,

		Command: command(),
	}, func(p workload.Params) database.Set {
		set := populationIn(p).set()
		set.HeatS = p.Number(paramHeat)
		return set
	})
}

func params() []record.Param {
	return []record.Param{
		{Name: paramWarehouses, Kind: record.Int, Default: "10", Min: 1, Max: 1e5, Phase: record.Build,
			Doc: "warehouses per copy of the tables, about 100 MB each. With one, nothing can be remote"},
		{Name: paramTables, Kind: record.Int, Default: "1", Min: 1, Max: 1000, Phase: record.Build,
			Doc: "number of copies of the nine tables, as in sysbench-tpcc"},
		{Name: paramPopulation, Minor: true, Kind: record.Enum, Default: populationSpec,
			Choices: []string{populationSpec, populationSmall}, Phase: record.Build,
			Doc: "spec has the specification's rows; small, for tests, a tenth of its customers and orders and a " +
				"hundredth of its items"},
		{Name: paramDataSeed, Minor: true, Kind: record.Int, Default: "1", Min: 0, Max: 1 << 53, Phase: record.Build,
			Doc: "seed of the rows: the same seed always gives the same rows"},
		{Name: paramStatements, Kind: record.Enum, Default: statementsPipelined,
			Choices: []string{statementsPipelined, statementsApart}, Phase: record.Load,
			Doc: "pipelined takes two round trips per New-Order, all reads and then all writes; one-at-a-time " +
				"awaits each statement, with four per line"},
		{Name: paramSkew, Kind: record.Enum, Default: skewUniform, Choices: []string{skewUniform, skewPareto},
			Phase: record.Load,
			Doc: "distribution of customers and items: uniform is the specification's NURand, pareto, which " +
				"departs from it, sysbench's distribution with h = 0.2"},
		{Name: paramHome, Minor: true, Kind: record.Enum, Default: homeAny, Choices: []string{homeAny, homeFixed},
			Phase: record.Load,
			Doc: "warehouse of a client: any draws one per transaction, fixed keeps to one, as the specification's " +
				"terminals do"},
		{Name: paramIsolation, Minor: true, Kind: record.Enum, Default: readCommitted,
			Choices: []string{readCommitted, repeatableRead, serializable}, Phase: record.Load,
			Doc: "isolation level of the writing transactions; with read-committed their row locks isolate them"},
		{Name: paramHeat, Minor: true, Kind: record.Duration, Default: "0s", Min: 0, Max: 3600, Phase: record.Load,
			Only: []record.Only{database.Started()},
			Doc: "time under full load before the warm-up, after which the server makes a checkpoint, so that the time and " +
				"the log to the next one begin with the measurement; 0s: none"},
	}
}

// populationIn returns the population that the values describe.
func populationIn(p workload.Params) population {
	return populationOf(p.Text(paramPopulation), p.Int(paramWarehouses), p.Int(paramTables), uint64(p.Int(paramDataSeed)))
}
