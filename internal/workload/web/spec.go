// Package web is the workload "http": requests to a web server, which it starts itself, here or on the
// target where other hosts make the load, or which is already there.
package web

import (
	"fmt"

	"plimsoll/internal/engine/netty"
	"plimsoll/internal/httpload"
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
	paramInsecure    = "insecure"
	paramServerCPUs  = "server_threads"
	paramAddress     = workload.ParamAddress
	paramPort        = "port"
	paramConnections = workload.ParamConnections
	paramThreads     = "threads"
	paramTimeout     = "timeout"
)

// serverURL is the value of server for one that is already there, serverUsual that where nobody chose one.
const (
	serverURL   = "url"
	serverUsual = "netty"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:   Name,
			Doc:    "asks a web server that is started for the trial, or a URL; open or closed load over HTTP/1.1",
			Params: append(append(serverParams(), requestParams()...), loadParams()...),
			Metrics: []record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "requests answered; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "from the intended start to the last byte"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the server for a request"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral, Doc: "of the server's CPUs; of the whole target where other hosts make the load"},
			},
			Loads:  []record.LoadKind{record.Closed, record.Open},
			Serves: true,
			Needs:  needs(),
		},
		Charge: workload.Started,
		Split: func(p workload.Params) bool {
			return p.Text(record.ParamCPUSets) == record.CPUsSplit && p.Text(paramServer) != serverURL
		},
		Lanes:     lanes,
		Check:     check,
		Preflight: preflight,
		Runs:      runs,
		Serve:     newServer, CheckServe: checkServe,
		New: newDriver,
	}
}

func runs(p workload.Params) workload.Runs {
	switch p.Text(paramServer) {
	case serverURL:
		return workload.External
	case netty.Engine{}.Name():
		return workload.Java
	}
	return workload.Programs
}

// lanes is how many event loops there are: as asked, else one for each CPU of the generator; never more than connections.
func lanes(p workload.Params, l record.LoadPoint, cpus int) int {
	n := p.Int(paramThreads)
	if n == 0 {
		n = cpus
	}
	return min(n, workload.Clients(l, p.Int(paramConnections)))
}

func check(p workload.Params, _ record.Machine) error {
	if _, err := heatOf(p); err != nil {
		return err
	}
	switch url := p.Text(paramURL); {
	case p.Text(paramServer) != serverURL && p.Text(record.ParamMachine) != "":
		return fmt.Errorf("%s: %s names the machine behind a URL, and the server is started here\nhint: --set %s.%s=%s", Name, record.ParamMachine, Name, paramServer, serverURL)
	case p.Text(paramServer) == serverURL && url == "":
		return fmt.Errorf("%s: server=%s, and there is no URL\nhint: --set %s.%s=http://HOST:PORT/PATH", Name, serverURL, Name, paramURL)
	case p.Text(paramServer) != serverURL && url != "":
		return fmt.Errorf("%s: a URL is given for a server that is started here\nhint: --set %s.%s=%s", Name, Name, paramServer, serverURL)
	case url == "":
		if _, _, err := engineOf(p); err != nil {
			return err
		}
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
