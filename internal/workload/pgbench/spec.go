// Package pgbench is the workload "pgbench": the transactions of PostgreSQL's pgbench, or scripts in its language,
// on a database with its tables.
package pgbench

import (
	"fmt"

	"plimsoll/internal/client/pgscript"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// Name is the workload's name.
const Name = "pgbench"

// The workload's own parameters; the others are database's.
const (
	paramScript     = "script"
	paramScale      = "scale"
	paramProtocol   = "protocol"
	paramTries      = "tries"
	paramFillfactor = "fillfactor"
	paramSchema     = "schema"
	paramInit       = "init"
)

// The values of schema.
const (
	schemaPgbench = "pgbench"
	schemaOwn     = "own"
)

// The values of protocol, as in pgbench.
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
	// metricStatement begins the name of each statement's mean latency; the statement's number and first word
	// follow.
	metricStatement = "statement"
)

// Spec declares the workload.
func Spec() workload.Spec {
	s := database.Complete(workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc: "runs the transactions of pgbench, or scripts in its language, on a PostgreSQL server; open or " +
				"closed loop",
			Params: database.Params(ownParams()...),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "transactions per second; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start of a transaction to its last answer"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower,
					Doc: "CPU time of the server per transaction"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral, Doc: "CPU use of the server's CPUs"},
				{Name: "primary_" + record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "with a replica: transactions per second of the scripts that write"},
				{Name: "primary_" + record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "their latency"},
				{Name: "primary_" + record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: "replica_" + record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "transactions per second of the scripts that only read"},
				{Name: "replica_" + record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "their latency"},
				{Name: "replica_" + record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricStatement, Unit: "s", Better: record.Lower,
					Doc: "mean latency of each statement, as statement_NUMBER_WORD: its position in the script, " +
						"from 1, and its first word"},
				{Name: metricSerialization, Unit: "%", Better: record.Lower,
					Doc: "share of transactions given up because of serialization failures; not errors of the load"},
				{Name: metricDeadlocks, Unit: "%", Better: record.Lower,
					Doc: "share of transactions given up as victims of deadlocks"},
				{Name: metricRetries, Unit: "op", Better: record.Lower,
					Doc: "mean number of retries per transaction"},
			}, database.WatchMetrics()...),
			Loads: []record.LoadKind{record.Closed, record.Open},
		},
		Inline: map[string]func(string) (string, error){paramScript: inline, paramInit: inlineInit},
		Check:  check,
		New:    newDriver,
		Serve:  newServer,

		Command: command(),
	}, setOf)
	s.There = withReplica(s.There)
	return s
}

func ownParams() []record.Param {
	return []record.Param{
		{Name: paramScript, Kind: record.Text, Default: scriptTPCB, Phase: record.Load,
			Doc: "scripts to run: tpcb-like, simple-update, select-only, or files of scripts; several with " +
				"@WEIGHT, separated by spaces; or a script's text"},
		{Name: paramSchema, Minor: true, Kind: record.Enum, Default: schemaPgbench, Derive: derivedSchema,
			Phase:   record.Build,
			Choices: []string{schemaPgbench, schemaOwn}, Only: []record.Only{database.Existing()},
			Doc: "pgbench: its tables, in a database that plimsoll makes and drops; own: the database of the DSN as it is, in " +
				"which plimsoll makes nothing; the default for scripts of one's own with a DSN"},
		{Name: paramInit, Minor: true, Kind: record.Text, Phase: record.Build,
			Only: []record.Only{{Param: paramSchema, Is: []string{schemaOwn}, Hint: "--" + paramSchema + " " + schemaOwn +
				", with --dsn"}},
			Doc: "for schema=own: file of SQL that runs before each run's load, in one simple query"},
		{Name: paramScale, Kind: record.Int, Default: "20", Derive: derivedScale, Idle: ownSchema, Min: 1, Max: 1e6,
			Phase: record.Build,
			Doc: "size of the data: 100000 accounts, 10 tellers and a branch per unit; of a schema of one's own the value " +
				"of :scale, 1 " +
				"by default"},
		{Name: paramProtocol, Kind: record.Enum, Default: protocolPrepared,
			Choices: []string{protocolPrepared, protocolExtended, protocolSimple}, Phase: record.Load,
			Doc: "query protocol: prepared once per client, parsed each time, or text with the values in it"},
		{Name: paramPool, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "connections that the clients share, each for one transaction; the wait for one counts; 0: each client has " +
				"its own"},
		{Name: paramReplica, Minor: true, Kind: record.Text, Secret: record.SecretDSN, Phase: record.Load,
			Only: []record.Only{database.Existing()},
			Doc:  "connection string of a standby of the DSN's server: scripts that only read run there"},
		{Name: paramTries, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 1e6, Phase: record.Load,
			Doc: "maximum tries of a transaction after serialization failures or deadlocks; as pgbench --max-tries"},
		{Name: paramFillfactor, Minor: true, Kind: record.Int, Default: "100", Min: 10, Max: 100, Phase: record.Build,
			Doc: "fill factor of the tables' pages, in %"},
	}
}

func check(p workload.Params, _ record.Machine) error {
	program, err := programOf(p)
	if err != nil {
		return err
	}
	if err := checkSessions(p, program); err != nil {
		return err
	}
	return database.Check(Name, p)
}

// programOf parses the scripts of the load.
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
	for _, s := range out.Scripts {
		out.reads = append(out.reads, reads(s))
	}
	return out, nil
}

// program is the parsed scripts and their protocol.
type program struct {
	*pgscript.Program
	protocol string
	builtin  []bool // of each script
	reads    []bool // of each script: it only reads
	tpcb     bool   // all scripts are tpcb-like
}
