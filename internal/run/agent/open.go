package agent

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"strconv"
	"time"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/kept"
	"plimsoll/internal/workload"
)

// slice is how long one side runs before the other in a sliced order (docs/method.md#interleaving).
const slice = 15 * time.Millisecond

// open creates the drivers and generators. Its errors are usage errors.
func (t *trial) open() error {
	var configs []load.Config
	for i := range t.order.Sides {
		s, err := t.newSide(i)
		if err != nil {
			return usage.Wrap(err)
		}
		t.sides = append(t.sides, s)
		configs = append(configs, s.config(t.order))
	}
	if len(t.order.Turns) > 0 {
		return t.checkBatch()
	}
	gens, err := generators(configs, t.order.Seed)
	if err != nil {
		return usage.Wrap(err)
	}
	for i, s := range t.sides {
		s.gen = gens[i]
	}
	return nil
}

func generators(configs []load.Config, seed uint64) ([]*load.Generator, error) {
	if len(configs) > 1 {
		return load.NewSliced(configs, slice, seed)
	}
	g, err := load.New(configs[0])
	return []*load.Generator{g}, err
}

// newSide creates the driver of side i.
func (t *trial) newSide(i int) (*side, error) {
	o := t.order.Sides[i]
	spec, ok := workload.Find(t.agent.Workloads, o.Workload)
	if !ok {
		return nil, fmt.Errorf("workload %q is not in plimsoll %s\nhint: install the same version on both hosts", o.Workload,
			t.agent.Version)
	}
	params := workload.NewParams(spec.Workload, shared(t.order, spec.Workload, o.Params)).With(t.secrets)
	if spec.Check != nil {
		if err := spec.Check(params, t.machine); err != nil {
			return nil, err
		}
	}
	own := t.order
	own.Turns = nil // a side belongs to all runs of its batch
	s := &side{spec: spec, params: params, trial: Blank(own, i, t.machine), remote: t.target != ""}
	if !s.remote {
		if err := s.place(t.agent.Root, t.machine); err != nil {
			return nil, err
		}
	}
	cpus := len(t.machine.CPU.Allowed)
	// A generator for a server on another host has its own host to itself.
	if t.target == "" && spec.Split != nil && spec.Split(params) {
		s.sets = topology.Split(t.machine, t.order.GeneratorCores)
		cpus = max(len(s.sets.Generator), 1)
		s.trial.CPUSets = s.sets.Recorded(t.machine.CPU.Allowed)
		if s.sets.Doubt != "" {
			s.doubt(s.sets.Doubt)
		}
	}
	s.lanes = spec.LanesOf(params, o.Load, cpus)
	var err error
	if o.Load.Unit == record.ParamCPUs {
		if s.cpus, err = t.laneCPUs(spec.Name, params, s.lanes, s.node); err != nil {
			return nil, err
		}
	}
	if params.Text(record.ParamPacing) == record.PacingSpin {
		s.pacing = load.Spin
	}
	env, err := t.env(s, o.Load)
	if err != nil {
		return nil, err
	}
	s.data = t.dataOf(spec, params)
	env.Lanes, env.CPUs, env.Work, env.Target = s.lanes, s.cpus, s.sets.Work, t.target
	s.root = t.agent.Root
	s.driver, err = spec.New(env, params)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// dataOf returns the directory or device of a side's data, or "" if unknown here.
func (t *trial) dataOf(spec workload.Spec, p workload.Params) string {
	if spec.Path == nil {
		return t.scratch
	}
	path, known := spec.Path(p)
	if !known {
		return ""
	}
	return cmp.Or(path, t.scratch)
}

// env returns the environment common to all drivers and servers of a side.
func (t *trial) env(s *side, l record.LoadPoint) (workload.Env, error) {
	env := workload.Env{Load: l, Session: t.order.Plan, Seed: t.order.Seed, Environ: os.Environ(), Enter: s.enter,
		Trial: s.trial.ID, Part: max(t.order.Part-1, 0), Key: t.key}
	var err error
	if env.Scratch, err = os.MkdirTemp(t.scratch, "side-"); err == nil {
		err = os.Chmod(env.Scratch, workload.Enterable)
	}
	if err != nil {
		return env, fmt.Errorf("making a side's scratch directory: %w", err)
	}
	if s.spec.Keeps && t.target == "" {
		if t.shared == nil {
			t.shared, err = kept.Open(t.order.Plan)
		}
		if err != nil {
			return env, err
		}
		env.Keep = t.shared.Dir
	}
	return env, nil
}

// shared returns an order's parameters, with this host's part of those that several generators share, at least 1 each.
func shared(o record.Order, decl record.Workload, p record.Params) record.Params {
	if o.Part == 0 {
		return p
	}
	out := maps.Clone(p)
	for _, d := range decl.Params {
		if n := int(d.Number(p[d.Name])); d.Shared && n > 0 {
			if out[d.Name] = strconv.Itoa(max(1, o.Share(n))); d.Kind == record.Size {
				out[d.Name] = record.FormatSize(int64(max(1, o.Share(n))))
			}
		}
	}
	return out
}

// laneCPUs assigns each lane a CPU: cores before sibling threads, and alternating sockets unless one was asked for.
func (t *trial) laneCPUs(name string, p workload.Params, lanes int, on *node) ([]int, error) {
	c := t.machine.CPU
	cpus := c.Allowed
	if p.Text(record.ParamSockets) == record.SocketsOne {
		cpus = c.OneSocket()
	}
	if on != nil {
		cpus = on.within(cpus)
	}
	if lanes < 1 || lanes > len(cpus) {
		return nil, fmt.Errorf("%s needs %d CPUs, only %d are usable here\nhint: set %s.%s=all, or to fewer", name, lanes,
			len(cpus), name, record.ParamCPUs)
	}
	return c.Spread(topology.CoresFirst(t.agent.Root, cpus))[:lanes], nil
}
