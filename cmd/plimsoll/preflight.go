package main

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/workload"
)

// preflights checks if a host has the prerequisites of a workload's values; nil if nothing is known against them.
type preflights func(host, name string, p record.Params) error

// preflights runs one preflight per host for values that share its result. It stores the first host that does not
// answer in gone, because that says nothing about the values.
func (a *app) preflights(ctx context.Context, via agent.Hosts, machines map[string]record.Machine,
	gone *error) preflights {
	known := map[string]error{}
	return func(host, name string, p record.Params) error {
		spec, ok := workload.Find(a.agent.Workloads, name)
		if !ok || spec.Preflight == nil {
			return nil
		}
		key := preflightKey(spec, host, p)
		if _, ok := known[key]; !ok {
			known[key] = via.On(host).Preflight(ctx, record.Side{Workload: name, Params: p}, machines[host].Hosts)
			if *gone == nil && (is[agent.Lost](known[key]) || is[agent.Unreachable](known[key])) {
				*gone = known[key]
			}
		}
		return known[key]
	}
}

// withoutEngines passes the preflights that fail only for want of an engine, and notes those engines.
func withoutEngines(check preflights, missing *[]string) preflights {
	return func(host, name string, p record.Params) error {
		err := check(host, name, p)
		var fault *agent.Fault
		if !errors.As(err, &fault) || fault.Missing == "" {
			return err
		}
		*missing = trialset.AppendNew(*missing, fault.Missing)
		return nil
	}
}

// passesFull plans the cells whose data do not fit, and notes why; optional ones are left out.
func passesFull(noSpace *[]string) func(error) bool {
	return func(err error) bool {
		var fault *agent.Fault
		full := errors.As(err, &fault) && fault.NoSpace
		if full {
			*noSpace = trialset.AppendNew(*noSpace, usage.FirstLine(err))
		}
		return full
	}
}

// mayProfile runs one preflight per host and workload of a plan to be profiled.
func mayProfile(ctx context.Context, p record.Plan, via agent.Hosts) error {
	asked := map[[2]string]bool{}
	for _, c := range p.Cells {
		if at := [2]string{c.Host, c.Workload}; p.Profile && !asked[at] {
			asked[at] = true
			if err := via.On(c.Host).PreflightProfile(ctx, record.Side{Workload: c.Workload, Params: c.Params}); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayMeter runs the energy command of a plan once on each target.
func mayMeter(ctx context.Context, p record.Plan, via agent.Hosts) error {
	if p.Energy == "" {
		return nil
	}
	for _, host := range p.Hosts {
		if err := via.On(host).PreflightEnergy(ctx, p.Energy); err != nil {
			return err
		}
	}
	return nil
}

// preflightKey is equal for values with the same preflight result.
func preflightKey(s workload.Spec, host string, p record.Params) string {
	needs := maps.Clone(p)
	if rate, ok := s.Param(record.ParamRate); ok {
		needs[record.ParamRate] = fmt.Sprint(rate.Number(p[record.ParamRate]) > 0)
	}
	delete(needs, record.ParamArrivals)
	if !s.PreflightClients {
		delete(needs, record.ParamRate)
		delete(needs, record.ParamClients)
	}
	return fmt.Sprint(host, " ", s.Name, needs) // fmt prints maps in the order of their keys
}
