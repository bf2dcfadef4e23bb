package database

import (
	"slices"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The parameters that all workloads of a database have, beside those of the engine.
const (
	ParamServer      = "server"
	ParamDSN         = "dsn"
	ParamConnections = workload.ParamConnections
	ParamPath        = workload.ParamPath
	ParamAddress     = workload.ParamAddress
	ParamPort        = "port"
)

// The values of ParamServer.
const (
	ServerPostgres = "postgres"
	ServerDSN      = "dsn"
)

// ServerParams declares what says which server is loaded, and how that is set up.
func ServerParams() []record.Param {
	out := []record.Param{
		{Name: ParamServer, Kind: record.Enum, Default: ServerPostgres, Choices: []string{ServerPostgres, ServerDSN}, Phase: record.Server,
			Doc: "what is loaded: a server that is started for the trial, or one that is there"},
		{Name: ParamDSN, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load,
			Doc: "for server=dsn: how to connect, as a URL or as libpq's words; a password as ${NAME}, of the environment, or all of it as @FILE; a database of our own is made there and dropped; its CPU use is not known"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "for server=dsn: name of the machine that answers, such as its instance type; its vCPUs and price are then known by that name"},
	}
	out = append(out, placeParams()...)
	for _, d := range (postgres.Engine{}).Params() {
		if d.Name != postgres.ParamCluster {
			out = append(out, d)
		}
	}
	return out
}

// placeParams declare where a server that is started is.
func placeParams() []record.Param {
	return []record.Param{
		{Name: ParamPath, Minor: true, Kind: record.Text, Phase: record.Build,
			Doc: "directory below which the data of a server lie that is started, by default the trial's scratch below TMPDIR"},
		{Name: ParamDiskRate, Minor: true, Kind: record.Size, Default: "0B", Min: 0, Max: 1e12, Phase: record.Server,
			Doc: "bytes a second that a server which is started reads at most on the disks below its data, and writes at most, held back by the kernel's control groups; 0B: nothing is held back"},
		{Name: ParamAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; by default its first one that is not loopback"},
		{Name: ParamPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server,
			Doc: "port of a server that is started; 0: any that is free"},
	}
}

// LoadParams declares what makes the load.
func LoadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "16", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "closed load: so many connections, over all generators, each asks again as soon as it is answered"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load, Doc: "open load: transactions a second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform}, Phase: record.Load,
			Doc: "how an open load's transactions are spaced"},
		{Name: ParamConnections, Minor: true, Kind: record.Int, Default: "64", Min: 1, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "connections of an open load, over all generators; what is due waits where all are busy"},
		workload.CPUSets(record.CPUsSplit, "server and generator"),
	}
}

// Params are those of a workload with its own.
func Params(own ...record.Param) []record.Param {
	return slices.Concat(own, ServerParams(), LoadParams())
}
