// Package web is the workload "http": requests to a web server, which it starts itself, here or on the target if
// other hosts make the load, or which is external.
package web

import (
	"fmt"
	"net"
	"net/url"
	"slices"

	"plimsoll/internal/engine/netty"
	"plimsoll/internal/engine/own"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
	"plimsoll/internal/workload/web/targets"
)

// Name is the workload's name.
const Name = "http"

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramServer       = "server"
	paramURL          = "url"
	paramPath         = "path"
	paramMethod       = "method"
	paramHeader       = "header"
	paramPost         = "post"
	paramTargets      = "targets"
	paramLogMethods   = "log_methods"
	paramCSV          = "csv"
	paramExpectStatus = "expect_status"
	paramExpectBody   = "expect_body"
	paramProtocol     = "protocol"
	paramStreams      = "streams"
	paramKeepAlive    = "keepalive"
	paramResume       = "tls_resume"
	paramInsecure     = "insecure"
	paramServerCPUs   = "server_threads"
	paramAddress      = workload.ParamAddress
	paramPort         = "port"
	paramConnections  = record.ParamConnections
	paramThreads      = "threads"
	paramTimeout      = "timeout"
)

// serverURL is the value of server for an external one, serverUsual the default.
const (
	serverURL   = "url"
	serverUsual = "netty"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:   Name,
			Doc:    "loads a web server started for the run, or a URL; open or closed loop over HTTP/1.1 or HTTP/2",
			Params: append(append(serverParams(), requestParams()...), loadParams()...),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "requests answered per second; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start to the last byte"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the server per request"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral,
					Doc: "CPU use of the server's CPUs; of the whole target if other hosts make the load"},
			}, record.PacketMetrics("request")...),
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
		Remarks:   remarks,
		Preflight: preflight,
		Runs:      runs,
		Cost:      cost,
		Serve:     newServer,
		Aim:       aimed,
		New:       newDriver,
		Command:   command(),
		There:     found,
		Behind:    func(p workload.Params) bool { return p.Text(paramServer) == own.Name },
		Files:     map[string]workload.Packer{paramTargets: targets.Pack, paramCSV: targets.PackRows},
	}
}

// found returns the processes that listen at the URLs.
func found(p workload.Params) (workload.There, bool) {
	if p.Text(paramServer) != serverURL {
		return workload.There{}, false
	}
	var addresses []string
	for _, text := range addressed(p) {
		u, err := url.Parse(text)
		if err != nil {
			continue
		}
		port := u.Port()
		if port == "" {
			port = portOf(u.Scheme)
		}
		if a := net.JoinHostPort(u.Hostname(), port); !slices.Contains(addresses, a) {
			addresses = append(addresses, a)
		}
	}
	return there.At(p, addresses...), true
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

// lanes returns the number of event loops: as set, else one for each CPU of the generator; never more than
// connections.
func lanes(p workload.Params, l record.LoadPoint, cpus int) int {
	n := p.Int(paramThreads)
	if n == 0 {
		n = cpus
	}
	return min(n, connections(p, workload.Clients(l, p.Int(paramConnections)*p.Int(paramStreams))))
}

// connections returns the number of connections of so many requests in flight.
func connections(p workload.Params, requests int) int {
	return (requests + p.Int(paramStreams) - 1) / p.Int(paramStreams)
}

func check(p workload.Params, _ record.Machine) error {
	if _, err := heatOf(p); err != nil {
		return err
	}
	if err := expected(p).Valid(); err != nil {
		return err
	}
	if err := checkLogin(p); err != nil {
		return err
	}
	if p.Set(paramTargets) != "" {
		return checkTargets(p)
	}
	switch url := p.Text(paramURL); {
	case p.Text(paramServer) == serverURL && url == "":
		return fmt.Errorf("%s: server=%s without a URL\nhint: --set %s.%s=http://HOST:PORT/PATH",
			Name, serverURL, Name, paramURL)
	case p.Text(paramServer) == own.Name && p.Text(own.ParamStart) == "":
		return fmt.Errorf("%s: server=%s without a command\nhint: --start './svc --port {port}'", Name, own.Name)
	case url == "":
		if _, _, err := engineOf(p); err != nil {
			return err
		}
		url = "http://127.0.0.1:80" + p.Text(paramPath)
		fallthrough
	default:
		c, err := requests(p, url, workload.Env{})
		if err == nil {
			_, err = newTarget(c, p)
		}
		return err
	}
}
