package kafka

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/engine"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/engine/redpanda"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/serveruse"
)

// server is a broker started for a trial, or several.
type server struct {
	engine   broker.Engine // the cluster; without a meaning if it is Redpanda
	starts   engine.Engine // the same, or Redpanda
	settings engine.Settings
	scratch  string // the trial's
	path     string // directory of its log; "": in its scratch
	install  engine.Install
	running  *workload.Running
	instance *broker.Instance // the same as running; nil: it is Redpanda
	meter    *serveruse.Meter // nil: one broker, whose use is the trial's
}

func newServer(env workload.Env, p workload.Params) (*server, error) {
	chosen, params, err := engineOfServer(p)
	if err != nil {
		return nil, err
	}
	e, err := engineOf(p, env.Work)
	if err != nil {
		return nil, err
	}
	if !isRedpanda(p) {
		chosen = e
	}
	return &server{engine: e, starts: chosen, scratch: env.Scratch, path: p.Text(paramPath),
		settings: engine.Settings{Params: params, Port: p.Int(paramPort), CPUs: env.Work, Environ: env.Environ,
			Enter: env.Enter}}, nil
}

// engineOfServer returns the engine of the broker that is started, with its parameters.
func engineOfServer(p workload.Params) (engine.Engine, engine.Params, error) {
	if isRedpanda(p) {
		e := redpanda.Engine{}
		params, err := engine.ParamsOf(e, redpandaPrefix, p.Text, record.Params{redpanda.ParamTLS: p.Text(paramTLS)})
		return e, params, err
	}
	e := broker.Engine{}
	params, err := engine.ParamsOf(e, brokerPrefix, p.Text, nil)
	return e, params, err
}

// compiles reports whether the broker's runtime compiles while it runs.
func (s *server) compiles() bool {
	_, java := s.starts.(broker.Engine)
	return java
}

// place finds the engine and makes the directory of its log, once.
func (s *server) place(ctx context.Context) (err error) {
	if s.settings.Scratch != "" {
		return nil
	}
	if s.install, err = s.starts.Find(ctx, s.settings.Params); err != nil {
		return err
	}
	if s.settings.Scratch, err = workload.PlaceDataDir(Name, s.path, s.scratch); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// start starts the brokers and returns their addresses.
func (s *server) start(ctx context.Context) (address, error) {
	err := s.place(ctx)
	if err != nil {
		return address{}, err
	}
	if s.running, err = workload.StartEngine(ctx, s.starts, s.install, s.settings); err != nil {
		return address{}, err
	}
	s.instance, _ = s.running.Instance.(*broker.Instance)
	if s.engine.Nodes > 1 || s.engine.Layout != nil {
		s.meter = serveruse.Begin(s.uses)
	}
	secure, err := s.running.Instance.(interface{ TLS() (*tls.Config, error) }).TLS()
	if err != nil {
		return address{}, fmt.Errorf("%s: %w", Name, err)
	}
	return address{seeds: s.running.Instance.Addrs(), tls: secure}, nil
}

// ended returns an error if the broker exited by itself.
func (s *server) ended() error { return full(s.settings.Scratch, s.running.Ended(Name+": the broker")) }

// keyArchive is the trial's key of whether the broker loaded its classes from an archive, which affects only its
// start.
const keyArchive = record.EnginePrefix + "class_archive"

// keyIO is the trial's key of what Redpanda was told about its disks.
const keyIO = record.EnginePrefix + "redpanda_io"

// keys returns the broker's versions, and its runtime's properties.
func (s *server) keys() map[string]string {
	out := s.install.Keys()
	if s.running != nil {
		if r, ok := s.running.Instance.(*redpanda.Instance); ok {
			out[keyIO] = r.IO
		}
	}
	if s.instance == nil {
		return out
	}
	f := s.instance.Facts()
	if f.Heap == "" { // it has not joined
		return out
	}
	out[keyArchive] = strconv.FormatBool(f.Archive)
	if s.engine.Nodes > 1 {
		out[keyBrokerCPUs] = cmp.Or(strings.Join(list.Map(s.engine.CPUs, record.FormatCPUList), " "), record.CPUsShared)
	}
	if s.settings.Params.Bool(broker.ParamTLS) {
		out[record.EnginePrefix+"cipher"] = f.Cipher
	}
	return out
}

// close stops the broker. It may be called more than once.
func (s *server) close() error {
	s.meter.End()
	return s.running.Close()
}

// uses returns what is to be metered of each broker.
func (s *server) uses() []serveruse.Server {
	return list.Map(s.instance.Brokers(), func(b broker.Broker) serveruse.Server {
		return serveruse.Server{Name: fmt.Sprintf("broker.%d", b.ID), PID: b.PID, Clients: b.Client, Peers: b.Peers}
	})
}

// Extra implements workload.Extender: each broker's use of the machine.
func (s *server) Extra(r load.Result) []record.Value {
	if s.meter == nil {
		return nil
	}
	s.meter.End()
	return s.meter.Values(r.Start, r.End)
}

// Timeline implements workload.Timeliner, likewise.
func (s *server) Timeline(r load.Result) []workload.Track {
	if s.meter == nil {
		return nil
	}
	s.meter.End()
	return s.meter.Tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))
}

// usualHeat lasts until the runtime has compiled the path of a record: the speed of a fresh broker doubled over its
// first 10 s.
const usualHeat = 10 * time.Second

// heatOf returns the length of the JIT warm-up of a broker.
func heatOf(p workload.Params) (time.Duration, error) {
	if isExternal(p) || isRedpanda(p) {
		return workload.HeatOf(Name, p.Text(record.ParamHeat), 0)
	}
	return workload.HeatOf(Name, p.Text(record.ParamHeat), usualHeat)
}

// keyBrokerCPUs is the trial's key of the CPUs of each broker of a cluster.
const keyBrokerCPUs = record.EnginePrefix + "broker_cpus"

// engineOf returns the cluster that is started on these CPUs; none means all that this process may use.
func engineOf(p workload.Params, work []int) (broker.Engine, error) {
	e := broker.Engine{Nodes: p.Int(paramNodes), Racks: p.Int(paramRacks), Spare: faultsOf(p).Added()}
	if e.Nodes < 2 {
		return e, nil
	}
	if len(work) == 0 {
		var err error
		if work, err = topology.Allowed(); err != nil {
			return e, fmt.Errorf("%s: %w", Name, err)
		}
	}
	layout, err := topology.Read(hostfs.System())
	if err == nil {
		e.CPUs = setsOf(layout.Cores, work, e.Nodes+e.Spare)
	}
	return e, nil // without the topology, brokers share CPUs
}

// setsOf divides the cores that are wholly among work into n sets of equally many cores, in order; nil if there are
// fewer than n. Cores that are left over stay idle: equal brokers are what a cluster is bought of.
func setsOf(cores [][]int, work []int, n int) [][]int {
	whole := list.Filter(cores, func(core []int) bool {
		return !slices.ContainsFunc(core, func(cpu int) bool { return !slices.Contains(work, cpu) })
	})
	each := len(whole) / n
	if each == 0 {
		return nil
	}
	var out [][]int
	for i := range n {
		out = append(out, slices.Sorted(slices.Values(slices.Concat(whole[i*each:(i+1)*each]...))))
	}
	return out
}

// doubts returns what a cluster on one machine does not show.
func (s *server) doubts() []string {
	out := s.meter.Doubts()
	if s.engine.Nodes < 2 || s.engine.CPUs != nil {
		return out
	}
	return append(out, fmt.Sprintf("%d brokers share CPUs, since there is no whole core for each, or none is known: "+
		"throughput is not that of brokers with machines of their own", s.engine.Nodes))
}
