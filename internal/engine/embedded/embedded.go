// Package embedded is the HTTP server that is always available: net/http of the Go that built this program, in a
// process of its own of the same binary. It can also answer like a queue of known capacity, against which load
// generators and the search for a load line are tested.
package embedded

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// Verb is this binary's hidden verb for the server's process.
const Verb = "serve-http"

// variable names another binary to be the server: for instance a test's, which has no such verb.
const variable = "PLIMSOLL_EMBEDDED"

// The values of hold.
const (
	byTimer = "timer"
	byCPU   = "cpu"
)

const (
	paramService = "service"
	paramServers = "servers"
	paramYield   = "yield"
	paramHold    = "hold"
)

// Engine is the engine `embedded`.
type Engine struct{}

// Name implements engine.Engine.
func (Engine) Name() string { return "embedded" }

// Doc implements engine.Engine.
func (Engine) Doc() string {
	return "the HTTP/1.1 server of Go's standard library, in a process of this program; with service, a queue of " +
		"known capacity: M/M/c, or cores with two threads each"
}

// Params implements engine.Engine.
func (Engine) Params() []record.Param {
	return append(engine.WebParams(),
		record.Param{Name: paramService, Kind: record.Duration, Default: "0s", Min: 0, Max: 60, Phase: record.Server,
			Doc: "mean of an exponential service time for which each request holds one of the servers, by a timer, " +
				"without work; 0s: answers at once"},
		record.Param{Name: paramServers, Kind: record.Int, Default: "1", Min: 1, Max: 1e6, Phase: record.Server,
			Doc: "with a service time, number of requests served at once; others queue, first come first served: " +
				"the capacity is servers/service requests/s"},
		record.Param{Name: paramYield, Kind: record.Float, Default: "0", Min: 0, Max: 1, Phase: record.Server,
			Doc: "with a service time: if over 0, servers are cores with a second thread each, which adds this " +
				"share of a core; twice as many requests are served at once, and the capacity is " +
				"servers*(1+yield)/service"},
		record.Param{Name: paramHold, Kind: record.Enum, Default: byTimer, Choices: []string{byTimer, byCPU},
			Phase: record.Server,
			Doc: "kind of service time: timer holds a request without work, so that the capacity is exact and CPU " +
				"use is meaningless; cpu takes that much CPU time, so that CPU use shows how full the server is, with " +
				"as many servers as it has CPUs"},
		record.Param{Name: engine.ParamSeed, Kind: record.Int, Default: "1", Min: 0, Max: engine.MaxSeed,
			Phase: record.Server,
			Doc:   "seed of the service times"},
	)
}

// Heat implements engine.Web.
func (Engine) Heat() time.Duration { return 0 }

// Check refuses second threads without a service time, or beside real ones.
func (Engine) Check(p engine.Params) error {
	if p.Number(paramYield) > 0 && p.Number(paramService) == 0 {
		return fmt.Errorf("%s is set without a service time\nhint: set %s too, such as 2ms", paramYield, paramService)
	}
	if p.Number(paramYield) > 0 && p.Text(paramHold) == byCPU {
		return fmt.Errorf("%s=%s uses the machine's own second threads, but %s is set\nhint: leave out one of the "+
			"two", paramHold, byCPU, paramYield)
	}
	return nil
}

// Find implements engine.Engine. The version is that of Go.
func (e Engine) Find(context.Context, engine.Params) (engine.Install, error) {
	in := engine.Install{Name: e.Name(), Version: runtime.Version(), From: "this program"}
	if os.Getenv(variable) != "" {
		var err error
		in.Path, in.From, err = engine.Program(e.Name(), "", variable)
		return in, err
	}
	path, err := os.Executable()
	if err != nil {
		return in, fmt.Errorf("embedded: find this program: %w\nhint: %s=PATH sets its path", err, variable)
	}
	in.Path = path
	return in, nil
}

// Start implements engine.Engine.
func (e Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	threads, err := s.Workers()
	if err != nil {
		return nil, fmt.Errorf("embedded: %w", err)
	}
	if s.Params.Text(paramHold) == byCPU {
		// Burning servers leave a thread for reading and answering: the kernel schedules it.
		threads += s.Params.Int(paramServers)
	}
	v, err := engine.Launch(ctx, s, func(at netip.AddrPort) (engine.Command, error) {
		c := engine.Command{
			Engine: e.Name(), Path: in.Path, ParentDeath: unix.SIGKILL, Env: []string{"GOMAXPROCS=" + strconv.Itoa(threads)},
			Args: []string{Verb, "-listen", at.String(), "-body", strconv.Itoa(s.Params.Int(engine.ParamBody)),
				"-service", s.Params.Text(paramService), "-servers", s.Params.Text(paramServers),
				"-yield", s.Params.Text(paramYield), "-hold", s.Params.Text(paramHold), "-seed", s.Params.Text(engine.ParamSeed)},
		}
		if s.Params.Bool(engine.ParamTLS) {
			if err := engine.SelfSign(s.Scratch, at.Addr().String()); err != nil {
				return c, fmt.Errorf("embedded: %w", err)
			}
			c.Args = append(c.Args, "-tls")
			c.Certificate = engine.CertPath(s.Scratch)
		}
		return c, nil
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
