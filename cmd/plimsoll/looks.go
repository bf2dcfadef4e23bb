package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/agent"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// looks asks a host whether it has what a workload's values need; nil where nothing is known against them.
type looks func(host, name string, p record.Params) error

// looks asks each host once about values that differ in their load alone.
func (a *app) looks(ctx context.Context, self string) looks {
	known := map[string]error{}
	return func(host, name string, p record.Params) error {
		at := slices.IndexFunc(a.agent.Workloads, func(s workload.Spec) bool { return s.Name == name })
		if at < 0 || a.agent.Workloads[at].Look == nil {
			return nil
		}
		needs := maps.Clone(p)
		for _, load := range []string{record.ParamClients, record.ParamRate, record.ParamArrivals} {
			delete(needs, load)
		}
		key := fmt.Sprint(host, name, needs) // maps are printed in the order of their keys
		if _, ok := known[key]; !ok {
			known[key] = agent.Client{On: host, Self: self}.Look(ctx, record.Side{Workload: name, Params: p})
		}
		return known[key]
	}
}
