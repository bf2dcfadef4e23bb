package web

import (
	"slices"

	engines "plimsoll/internal/engine/all"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func serverParams() []record.Param {
	return slices.Concat([]record.Param{
		{Name: paramServer, Kind: record.Enum, Default: serverUsual, Choices: append(names(), serverURL), Phase: record.Server,
			Doc: "what is asked: an engine that is started for the trial (`plimsoll setup` fetches them), or a URL that is there"},
		{Name: paramURL, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load,
			Doc: "for server=url: one URL or several of one server, with spaces between, asked in turn; its CPU use is not known"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "for server=url: name of the machine that answers, such as its instance type; its vCPUs and price are then known by that name"},
	}, engineParams(), []record.Param{
		{Name: paramServerCPUs, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Server,
			Doc: "worker threads or processes of the server; 0: one for each of its CPUs"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; by default its first one that is not loopback"},
		{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server,
			Doc: "port of a server that is started; 0: any that is free"},
		{Name: workload.ParamHeat, Minor: true, Kind: record.Text, Default: workload.HeatAuto, Phase: record.Server,
			Doc: "how long a fresh server is asked at full load before the warm-up, so that what compiles while it runs has been compiled, such as 10s; auto: " + usualHeat()},
	})
}

// usualHeat says what heat=auto means, engine by engine.
func usualHeat() string {
	out := ""
	for _, e := range engines.Webs() {
		if e.Heat() > 0 {
			out += record.FormatDuration(e.Heat().Seconds()) + " for " + e.Name() + ", "
		}
	}
	return out + "else none"
}

func requestParams() []record.Param {
	return []record.Param{
		{Name: paramPath, Minor: true, Kind: record.Text, Secret: record.SecretText, Default: "/hello", Phase: record.Load, Doc: "what is asked for of a server that is started"},
		{Name: paramMethod, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "by default GET, and POST where there is something to post"},
		{Name: paramHeader, Minor: true, Kind: record.Text, Secret: record.SecretText, Lines: true, Phase: record.Load,
			Doc: "header fields of each request, one a line: Name: value; each --set adds one, ${NAME} is taken from the environment, @FILE is a file of them"},
		{Name: paramPost, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load, Doc: "body of each request; @FILE is what the file holds, @@ begins a text with @"},
		{Name: paramInsecure, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load, Doc: "do not check the certificate of a URL"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "10s", Min: 1e-3, Max: 3600, Phase: record.Load, Doc: "a request that takes longer has failed"},
	}
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "0", Min: 0, Max: 1e5, Phase: record.Load, Shared: true,
			Doc: "closed load: so many connections, over all generators, each asks again as soon as it is answered"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load, Doc: "open load: requests a second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform}, Phase: record.Load,
			Doc: "how an open load's requests are spaced"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "64", Min: 1, Max: 1e5, Phase: record.Load, Shared: true,
			Doc: "connections of an open load, over all generators; what is due waits where all are busy"},
		{Name: paramThreads, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Load, Doc: "event loops of the generator; 0: one for each of its CPUs"},
		workload.CPUSets(record.CPUsSplit, "server and generator"),
	}
}
