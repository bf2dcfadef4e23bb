package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// readiness says, of a workload and its values, what they need that this host has not. Other hosts are asked by
// their first trial. Values that only make the load need nothing, and are asked about once.
func (a *app) readiness(ctx context.Context) func(name string, p record.Params) error {
	known := map[string]error{}
	return func(name string, p record.Params) error {
		at := slices.IndexFunc(a.agent.Workloads, func(s workload.Spec) bool { return s.Name == name })
		if at < 0 || a.agent.Workloads[at].Ready == nil {
			return nil
		}
		spec := a.agent.Workloads[at]
		needs := maps.Clone(p)
		maps.DeleteFunc(needs, func(param, _ string) bool {
			d, ok := spec.Param(param)
			return ok && d.Phase == record.Load
		})
		key := fmt.Sprint(name, needs) // maps are printed in the order of their keys
		if err, ok := known[key]; ok {
			return err
		}
		known[key] = spec.Ready(ctx, workload.NewParams(spec.Workload, p))
		return known[key]
	}
}
