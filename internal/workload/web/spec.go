// Package web is the workload "http": requests to a web server, which it starts itself, here or on the
// target where other hosts make the load, or which is already there.
package web

import (
	"fmt"

	"plimsoll/internal/httpload"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "http"

// The parameters of its own; those that make a load are record.Param*.
const (
	paramServer      = "server"
	paramURL         = "url"
	paramPath        = "path"
	paramMethod      = "method"
	paramHeader      = "header"
	paramPost        = "post"
	paramTLS         = "tls"
	paramInsecure    = "insecure"
	paramBody        = "body"
	paramTransport   = "transport"
	paramService     = "service"
	paramServers     = "servers"
	paramServerCPUs  = "server_threads"
	paramAddress     = "address"
	paramConnections = "connections"
	paramThreads     = "threads"
	paramTimeout     = "timeout"
	paramCPUs        = "cpu_sets"
)

// serverURL is the value of server for one that is already there.
const serverURL = "url"

// The values of cpu_sets.
const (
	cpusShared = "shared"
	cpusSplit  = "split"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:   Name,
			Doc:    "asks a web server: Netty, nginx, the embedded one, or a URL; open or closed load over HTTP/1.1",
			Params: append(append(serverParams(), requestParams()...), loadParams()...),
			Metrics: []record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "requests answered; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "from the intended start to the last byte"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: "cpu_per_op", Unit: "s", Better: record.Lower, Doc: "CPU time of the server for a request"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral, Doc: "of the server's CPUs; of the whole target where other hosts make the load"},
			},
			Loads:  []record.LoadKind{record.Closed, record.Open},
			Serves: true,
			Needs:  []string{"netty", "nginx"},
		},
		Charge: workload.Started,
		Split: func(p workload.Params) bool {
			return p.Text(paramCPUs) == cpusSplit && p.Text(paramServer) != serverURL
		},
		Lanes: lanes,
		Check: check,
		Serve: newServer, CheckServe: checkServe,
		New: newDriver,
	}
}

// lanes is how many event loops there are: as asked, else one for each CPU of the generator; never more than connections.
func lanes(p workload.Params, l record.LoadPoint, cpus int) int {
	n := p.Int(paramThreads)
	if n == 0 {
		n = cpus
	}
	return min(n, connections(p, l))
}

// connections is how many there are in all: in a closed load each is a client.
func connections(p workload.Params, l record.LoadPoint) int {
	if l.Kind == record.Closed {
		return max(int(l.Level), 1)
	}
	return p.Int(paramConnections)
}

func check(p workload.Params, _ record.Machine) error {
	switch url := p.Text(paramURL); {
	case p.Text(paramServer) == serverURL && url == "":
		return fmt.Errorf("%s: server=%s, and there is no URL\nhint: --set %s.%s=http://HOST:PORT/PATH", Name, serverURL, Name, paramURL)
	case p.Text(paramServer) != serverURL && url != "":
		return fmt.Errorf("%s: a URL is given for a server that is started here\nhint: --set %s.%s=%s", Name, Name, paramServer, serverURL)
	case url == "":
		url = "http://127.0.0.1:80" + p.Text(paramPath)
		fallthrough
	default:
		_, err := httpload.New(requests(p, url))
		return err
	}
}

// checkServe refuses a server that the target does not start: nothing there would be metered.
func checkServe(p workload.Params) error {
	if p.Text(paramServer) != serverURL {
		return nil
	}
	return fmt.Errorf("%s: server=%s is not started on the target, and generators load what is\nhint: without --generator, --on 'ssh HOST' asks the URL from that host", Name, serverURL)
}

func serverParams() []record.Param {
	return []record.Param{
		{Name: paramServer, Kind: record.Enum, Default: "netty", Choices: []string{"netty", "nginx", "embedded", serverURL}, Phase: record.Server,
			Doc: "what is asked: an engine that is started for the trial (`plimsoll setup` fetches them), or a URL that is there"},
		{Name: paramURL, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "for server=url: one URL or several of one server, with spaces between, asked in turn; its CPU use is not known"},
		{Name: paramTLS, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "HTTPS; the certificate of a server that is started here is made for it, and not checked"},
		{Name: paramBody, Minor: true, Kind: record.Size, Default: "128B", Min: 1, Max: 64 << 20, Phase: record.Server,
			Doc: "length of the answer's body at path=/; at /hello it is 12 bytes"},
		{Name: paramTransport, Minor: true, Kind: record.Enum, Default: "nio", Choices: []string{"nio", "epoll"}, Phase: record.Server,
			Doc: "of server=netty: Java's own, or Netty's native one"},
		{Name: paramService, Minor: true, Kind: record.Duration, Default: "0s", Min: 0, Max: 60, Phase: record.Server,
			Doc: "of server=embedded: mean of an exponential time for which each request is held by a timer"},
		{Name: paramServers, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 1e6, Phase: record.Server,
			Doc: "of server=embedded with a service time: requests that are served at once, the others wait"},
		{Name: paramServerCPUs, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Server,
			Doc: "worker threads or processes of the server; 0: one for each of its CPUs"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; by default its first one that is not loopback"},
	}
}

func requestParams() []record.Param {
	return []record.Param{
		{Name: paramPath, Minor: true, Kind: record.Text, Default: "/hello", Phase: record.Load, Doc: "what is asked for of a server that is started"},
		{Name: paramMethod, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "by default GET, and POST where there is something to post"},
		{Name: paramHeader, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "header fields of each request, one a line: Name: value"},
		{Name: paramPost, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "body of each request"},
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
		{Name: paramCPUs, Minor: true, Kind: record.Enum, Default: cpusSplit, Choices: []string{cpusShared, cpusSplit}, Phase: record.Load,
			Doc: "split keeps server and generator on CPUs of their own, where there are two or more"},
	}
}
