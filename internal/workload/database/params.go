package database

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/client/load"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
)

// The parameters of all database workloads, beside those of the engine.
const (
	ParamServer      = "server"
	ParamDSN         = "dsn"
	ParamConnections = record.ParamConnections
	ParamPath        = workload.ParamPath
	ParamAddress     = workload.ParamAddress
	ParamPort        = "port"
	ParamStandby     = "standby"
)

// The values of ParamServer.
const (
	ServerPostgres = "postgres"
	ServerDSN      = "dsn"
)

// The values of ParamStandby.
const (
	StandbyOff   = "off"
	StandbySync  = "sync"
	StandbyAsync = "async"
)

// Existing is met if the server is an existing one.
func Existing() record.Only {
	return record.Only{Param: ParamServer, Is: []string{ServerDSN}, To: "an existing server",
		Hint: "--dsn postgres://USER@HOST:PORT/DATABASE"}
}

// Started is met if the server is started for the run.
func Started() record.Only {
	return record.Only{Param: ParamServer, Is: []string{ServerPostgres}, To: "a server started for the run"}
}

// ServerParams declares the parameters of the server under test.
func ServerParams() []record.Param {
	out := []record.Param{
		{Name: ParamServer, Kind: record.Enum, Default: ServerPostgres, Derive: derivedServer,
			Choices: []string{ServerPostgres, ServerDSN}, Phase: record.Server,
			Doc: "server under test: postgres starts one per run, dsn connects to an existing one, which is the default if " +
				"a DSN is set"},
		{Name: ParamDSN, Minor: true, Kind: record.Text, Secret: record.SecretDSN, Phase: record.Load,
			Doc: "for server=dsn: connection string, as a URL or libpq's keywords; a password as ${NAME}, from the " +
				"environment, or all of it as @FILE; plimsoll creates and drops a database of its own there, unless " +
				"the data are the user's; on this host its processes are metered",
			Only: []record.Only{{Param: ParamServer, Is: []string{ServerDSN}, Hint: "--server " + ServerDSN}}},
		{Name: ParamStandby, Kind: record.Enum, Default: StandbyOff, Choices: []string{StandbyOff, StandbySync, StandbyAsync},
			Phase: record.Server,
			Doc: "hot standby of a started server, on its host: sync has each commit wait for it, async has none; it is " +
				"copied from the " +
				"server before each run's load"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load, Only: []record.Only{Existing()},
			Doc: "for server=dsn: name of the server's machine, such as its instance type, from which its vCPUs " +
				"and price follow"},
	}
	applying := Existing()
	applying.Hint = "leave it out: a server started for the run starts with its settings"
	out = append(out, record.Param{Name: paramApply, Minor: true, Kind: record.Text, Secret: record.SecretEnviron,
		Phase: record.Server, Only: []record.Only{applying},
		Doc: "for server=dsn: shell command on the target that brings the settings into force, with a restart if " +
			"they take one; " +
			"{settings} and $PLIMSOLL_SETTINGS stand for them, one per line: name = 'value'; runs before a run whose " +
			"settings are " +
			"not in force, and after the last with those found before the first"})
	out = append(out, there.Params("for server=dsn", Existing())...)
	out = append(out, placeParams()...)
	for _, d := range (postgres.Engine{}).Params() {
		if d.Name == postgres.ParamSettings {
			d.Doc += "; for server=dsn each connection begins with them, or " + paramApply + " brings them into force"
		}
		if d.Name != postgres.ParamCluster {
			out = append(out, d)
		}
	}
	for i, d := range out {
		if d.Phase == record.Server && d.Name != ParamServer && d.Name != paramApply && d.Name != postgres.ParamSettings ||
			d.Name == ParamPath {
			out[i].Only = []record.Only{Started()}
		}
	}
	return out
}

// placeParams declares where a started server keeps its data and listens.
func placeParams() []record.Param {
	return []record.Param{
		{Name: ParamPath, Minor: true, Kind: record.Text, Phase: record.Build,
			Doc: "directory below which a started server keeps its data; default: the run's scratch below TMPDIR"},
		{Name: ParamDiskRate, Minor: true, Kind: record.Size, Default: "0B", Min: 0, Max: 1e12, Phase: record.Server,
			Doc: "limit in bytes/s on a started server's reads, and on its writes, on the disks of its data, by " +
				"the kernel's control groups; 0B: no limit"},
		{Name: ParamAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; default: its first one that is not loopback"},
		{Name: ParamPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server,
			Doc: "port of a started server; 0: any free one"},
	}
}

// LoadParams declares the parameters of the load.
func LoadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "16", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "closed loop: number of clients across all generators; each sends its next request on completion"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load,
			Doc: "open loop: transactions per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load,
			Doc:   "spacing of an open loop's transactions"},
		{Name: ParamConnections, Minor: true, Kind: record.Int, Default: "64", Min: 1, Max: 1e4, Phase: record.Load,
			Shared: true,
			Doc:    "open loop: connection pool across all generators; due requests queue while all are busy"},
		workload.CPUSets(record.CPUsSplit, "server and generator"),
	}
}

// Params returns a workload's parameters including its own.
func Params(own ...record.Param) []record.Param {
	return slices.Concat(own, ServerParams(), LoadParams())
}

// Set is the data that a workload loads before the measurement.
type Set struct {
	// Name is the name of the workload, and of the database that holds the data.
	Name string
	// Key is everything that the data depend on, such as "scale=20".
	Key string
	// Bytes is the approximate size of the data on disk; 0: unknown.
	Bytes int64
	// Pool is the number of connections that the clients share; 0: each has its own.
	Pool int
	// Fill makes the tables in an empty database and fills them over several connections. The server is not
	// crash-safe meanwhile.
	Fill func(ctx context.Context, dsn string, jobs int) error
	// Check returns an error if the data made by Fill are wrong; nil if there is nothing to check.
	Check func(ctx context.Context, dsn string) error
	// Existing is set if the data are the user's own, in the database of a DSN. Nothing is made or checked there then:
	// Key, Bytes, Fill and Check are not used.
	Existing bool
	// Init is SQL of the user's that runs before each load of existing data; "": none.
	Init string
	// Compile returns an error if a statement of the load refers to something that existing data do not have. It
	// executes none.
	Compile func(ctx context.Context, c *pgx.Conn) error
	// HeatS is how long the load runs before the trial, in seconds, as Server.Checkpoint says.
	HeatS float64
	// Cost estimates the work of Fill with Check, and of checking the data after each trial.
	Cost SetCost
}

// Flags returns the further names of the parameters that all databases have; pgbench's own.
func Flags() []workload.Flag {
	return []workload.Flag{{Name: "client", Param: record.ParamClients}}
}

// Groups returns the groups of parameters in help, after a workload's own groups.
func Groups(own ...workload.Group) []workload.Group {
	return append(own, []workload.Group{
		{Title: "load", Params: []string{"clients", "rate", "arrivals", "connections", "cpu_sets"}},
		{Title: "existing server", Params: []string{
			"dsn", "answered_by", "apply", "pid", "unit", "container"}},
		{Title: "server started for the run", Params: []string{
			"server", "release", "bin", "preset", "settings", "checksums", "standby", "path", "disk_rate",
			"address", "port"}},
	}...)
}

// Peers returns the counterparts of settings of PostgreSQL, which are no parameters of their own, and of the flags by
// which its tools connect.
func Peers() []workload.Peer {
	return []workload.Peer{{
		Flags: []string{"U", "username", "user", "dbname", "database", "host", "hostname", "p", "password", "W"},
		Use:   "--dsn postgres://USER@HOST:5432/DATABASE",
	}, {
		Flags: []string{"shared_buffers", "work_mem", "max_wal_size", "effective_cache_size", "checkpoint_timeout",
			"synchronous_commit",
			"wal_buffers",
			"huge_pages", "max_connections", "random_page_cost", "maintenance_work_mem", "fsync", "full_page_writes"},
		Use: "--settings NAME=VALUE sets it on the server, --vary settings=NAME=A,NAME=B compares two values",
	}}
}

// derivedServer returns the server that is meant if only a DSN is set.
func derivedServer(vals record.Params) string {
	if vals[ParamDSN] != "" {
		return ServerDSN
	}
	return ServerPostgres
}
