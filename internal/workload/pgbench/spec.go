// Package pgbench is the workload "pgbench": the transactions of PostgreSQL's pgbench, or scripts in its language, on a
// database of its tables.
package pgbench

import (
	"fmt"

	"plimsoll/internal/pgscript"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// Name is the workload's name.
const Name = "pgbench"

// The parameters of its own; the others are database's.
const (
	paramScript     = "script"
	paramScale      = "scale"
	paramProtocol   = "protocol"
	paramTries      = "tries"
	paramFillfactor = "fillfactor"
)

// The values of protocol, as pgbench has them.
const (
	protocolPrepared = "prepared"
	protocolExtended = "extended"
	protocolSimple   = "simple"
)

// The metrics beside those of record.
const (
	metricSerialization = "serialization_failures"
	metricDeadlocks     = "deadlock_failures"
	metricRetries       = "retries"
	// metricStatement is what the mean latency of each statement begins with: its number and its first word follow.
	metricStatement = "statement"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return database.Complete(workload.Spec{
		Workload: record.Workload{
			Name:   Name,
			Doc:    "runs the transactions of pgbench, or scripts in its language, on a PostgreSQL server; open or closed load",
			Params: database.Params(ownParams()...),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "transactions; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "from the intended start of a transaction to its last answer"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the server for a transaction"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral, Doc: "of the server's CPUs"},
				{Name: metricStatement, Unit: "s", Better: record.Lower, Doc: "mean time of each statement, as statement_NUMBER_WORD: its place in the script, from 1, and its first word"},
				{Name: metricSerialization, Unit: "%", Better: record.Lower, Doc: "of the transactions, those given up since they could not be serialized; no errors of the load"},
				{Name: metricDeadlocks, Unit: "%", Better: record.Lower, Doc: "likewise as the victims of deadlocks"},
				{Name: metricRetries, Unit: "op", Better: record.Lower, Doc: "tries of a transaction beyond its first, on average"},
			}, database.WatchMetrics()...),
			Loads: []record.LoadKind{record.Closed, record.Open},
		},
		Inline: map[string]func(string) (string, error){paramScript: inline},
		Check:  check,
		New:    newDriver,
	}, setOf)
}

func ownParams() []record.Param {
	return []record.Param{
		{Name: paramScript, Kind: record.Text, Default: scriptTPCB, Phase: record.Load,
			Doc: "what is run: tpcb-like, simple-update, select-only, files of scripts, several with @WEIGHT and spaces between; or a script's text"},
		{Name: paramScale, Kind: record.Int, Default: "20", Min: 1, Max: 1e6, Phase: record.Build,
			Doc: "100000 accounts, 10 tellers and a branch for each"},
		{Name: paramProtocol, Kind: record.Enum, Default: protocolPrepared, Choices: []string{protocolPrepared, protocolExtended, protocolSimple}, Phase: record.Load,
			Doc: "how statements are sent: prepared once by each client, parsed each time, or as text with the values in it"},
		{Name: paramTries, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 1e6, Phase: record.Load,
			Doc: "how often a transaction is tried that cannot be serialized or is the victim of a deadlock; as pgbench --max-tries"},
		{Name: paramFillfactor, Minor: true, Kind: record.Int, Default: "100", Min: 10, Max: 100, Phase: record.Build,
			Doc: "how full the tables' pages are made, in %"},
	}
}

func check(p workload.Params, _ record.Machine) error {
	if _, err := programOf(p); err != nil {
		return err
	}
	return database.Check(Name, p)
}

// programOf reads the scripts that are run.
func programOf(p workload.Params) (*program, error) {
	sources, err := sourcesOf(p.Text(paramScript))
	if err != nil {
		return nil, err
	}
	var texts []pgscript.Source
	out := &program{protocol: p.Text(paramProtocol), tpcb: true}
	for _, s := range sources {
		texts = append(texts, s.Source)
		out.builtin = append(out.builtin, s.builtin)
		out.tpcb = out.tpcb && s.builtin && s.Name == scriptTPCB
	}
	if out.Program, err = pgscript.Parse(texts, out.protocol == protocolSimple); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	return out, nil
}

// program is the scripts that are run, and how.
type program struct {
	*pgscript.Program
	protocol string
	builtin  []bool // of each script
	tpcb     bool   // nothing but tpcb-like is run
}
