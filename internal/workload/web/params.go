package web

import (
	"slices"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	engines "plimsoll/internal/engine/all"
	"plimsoll/internal/engine/own"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
	"plimsoll/internal/workload/web/targets"
)

// started is met if the server is started for the run.
func started() record.Only {
	return record.Only{Param: paramServer, Not: []string{serverURL}, To: "a server started for the run",
		Hint: "leave it out; a URL has the scheme, the port and the path"}
}

// existing is met if the server is an existing one.
func existing() record.Only {
	return record.Only{Param: paramServer, Is: []string{serverURL}, To: "an existing server",
		Hint: "plimsoll run " + Name + " http://HOST:PORT/PATH"}
}

func serverParams() []record.Param {
	return slices.Concat([]record.Param{
		{Name: paramServer, Kind: record.Enum, Default: serverUsual, Derive: derivedServer,
			Choices: append(names(), serverURL), Phase: record.Server,
			Doc: "server under test: an engine started for the run (`plimsoll setup` fetches them), or url for " +
				"an existing one, which is the default if a URL is set"},
	}, record.Needing(existing(), []record.Param{
		{Name: paramURL, Minor: true, Kind: record.Text, Secret: record.SecretURL, Phase: record.Load,
			Doc: "for server=url: one or more URLs of one server, separated by spaces, requested in turn; on " +
				"this host its processes are metered"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "for server=url: name of the server's machine, such as its instance type, from which its vCPUs " +
				"and price follow"},
	}...), there.Params("for server=url", existing()), record.Needing(started(), append(engineParams(), []record.Param{
		{Name: paramServerCPUs, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Server,
			Doc: "worker threads or processes of the server; 0: one per CPU"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; default: its first one that is not loopback"},
		{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server,
			Doc: "port of a started server; 0: any free one"},
		{Name: record.ParamHeat, Minor: true, Kind: record.Text, Default: record.HeatAuto, Phase: record.Server,
			Doc: "JIT warm-up: time under full load before the warm-up, so that hot code is compiled, such as 10s; " +
				"auto: " + usualHeat() + "; short: at most 5s of that"},
	}...)...))
}

func derivedServer(vals record.Params) string {
	switch {
	case vals[paramURL] != "":
		return serverURL
	case vals[own.ParamStart] != "":
		return own.Name
	case vals[paramTargets] != "":
		return serverURL
	}
	return serverUsual
}

// The paths of requests: of engines that plimsoll knows, and of others.
const (
	usualPath = "/hello"
	rootPath  = "/"
)

func derivedPath(vals record.Params) string {
	if vals[own.ParamStart] != "" {
		return rootPath
	}
	return usualPath
}

// usualHeat describes heat=auto, engine by engine.
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
	login := []record.Only{{Param: paramLogin, Not: []string{""}, Hint: "--login 'POST /login'"}}
	return []record.Param{
		{Name: paramPath, Minor: true, Kind: record.Text, Secret: record.SecretURL, Default: usualPath, Derive: derivedPath,
			Phase: record.Load, Only: []record.Only{started()},
			Doc: "request path for a started server; default for start: /"},
		{Name: paramMethod, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "HTTP method; default GET, or POST if there is a body"},
		{Name: paramHeader, Minor: true, Kind: record.Text, Secret: record.SecretText, Lines: true, Phase: record.Load,
			Doc: "request header fields, one per line: Name: value; each --set adds one, ${NAME} is taken from the " +
				"environment, @FILE reads a file of them"},
		{Name: paramPost, Minor: true, Kind: record.Text, Secret: record.SecretBody, Phase: record.Load,
			Doc: "request body; @FILE reads a file, @@ starts a text with @; {uuid}, {seq}, {random 1 1000} and {column NAME} " +
				"differ from request to request, as in URLs and headers"},
		{Name: paramCSV, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load,
			Doc: "CSV file for {column NAME} in URLs, headers and bodies, whose first line names the columns; each request " +
				"takes the next row"},
		{Name: paramLogin, Minor: true, Kind: record.Text, Secret: record.SecretURL, Phase: record.Load,
			Doc: "request before the load, such as 'POST /login', whose answer gives {token} and cookies, which are sent " +
				"with each request"},
		{Name: paramLoginBody, Minor: true, Kind: record.Text, Secret: record.SecretBody, Phase: record.Load, Only: login,
			Doc: "body of the login request, like post"},
		{Name: paramLoginHeader, Minor: true, Kind: record.Text, Secret: record.SecretText, Lines: true, Phase: record.Load,
			Only: login,
			Doc:  "its header fields, one per line: Name: value"},
		{Name: paramToken, Minor: true, Kind: record.Text, Phase: record.Load, Only: login,
			Doc: "where in its answer {token} is: a path in JSON, such as .user.token, or header:NAME or cookie:NAME"},
		{Name: paramLogins, Minor: true, Kind: record.Enum, Default: loginsAuto,
			Choices: []string{loginsAuto, loginsOne, loginsClients}, Phase: record.Load, Only: login,
			Doc: "one login for all clients, or one for each; auto: one for each if the login has values such as {column user}"},
		{Name: paramTargets, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load,
			Doc: "file of requests in vegeta's formats, weighted by comments # weight: N, or an access log; a path alone is " +
				"one of the measured server"},
		{Name: paramLogMethods, Minor: true, Kind: record.Text, Phase: record.Load,
			Only: []record.Only{{Param: paramTargets, Not: []string{""}, Hint: "--targets FILE"}},
			Doc: "methods of an access log's requests that are sent, separated by commas; default: " + targets.LogMethods +
				"; a log has no bodies"},
		{Name: paramExpectStatus, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "statuses of a good answer, such as 2xx or 200,304; others are failed requests; default: below 400"},
		{Name: paramExpectBody, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load,
			Doc: "text that each answer's body contains, else the request has failed; @FILE reads a file"},
		{Name: paramProtocol, Minor: true, Kind: record.Enum, Default: httpload.HTTP1,
			Choices: []string{httpload.HTTP1, httpload.HTTP2}, Phase: record.Load,
			Doc: "HTTP version; 2 is negotiated over TLS, and begins at once without TLS (h2c)"},
		{Name: paramStreams, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 1000, Phase: record.Load,
			Only: []record.Only{{Param: paramProtocol, Is: []string{httpload.HTTP2}, Hint: "--protocol " + httpload.HTTP2}},
			Doc:  "protocol=2: most requests in flight per connection; clients share connections of so many streams"},
		{Name: paramKeepAlive, Minor: true, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "false: each request has a connection of its own, so that connects and TLS handshakes are the load"},
		{Name: paramResume, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load,
			Doc: "resume TLS sessions; else each connection has a full handshake"},
		{Name: paramInsecure, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load,
			Only: []record.Only{existing()},
			Doc:  "do not verify the certificate of a URL"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "10s", Min: 1e-3, Max: 3600, Phase: record.Load,
			Doc: "request timeout; a request that takes longer has failed"},
	}
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "32", Min: 0, Max: 1e5, Phase: record.Load, Shared: true,
			Doc: "closed loop: number of clients across all generators, one connection each, or of protocol=2 one " +
				"stream; each sends its next request on completion"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load,
			Doc: "open loop: requests per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load,
			Doc:   "spacing of an open loop's requests"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "64", Min: 1, Max: 1e5, Phase: record.Load,
			Shared: true,
			Doc:    "open loop: connection pool across all generators; due requests queue while all are busy"},
		{Name: paramThreads, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Load,
			Doc: "event loops of the generator; 0: one per CPU"},
		workload.CPUSets(record.CPUsSplit, "server and generator"),
	}
}
