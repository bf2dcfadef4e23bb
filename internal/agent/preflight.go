package agent

import (
	"context"
	"errors"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/usage"
	"plimsoll/internal/workload"
)

// preflightProfile returns an error if nothing of a side can be profiled on this host. This process can always sample
// its own lanes.
func (a Agent) preflightProfile(ctx context.Context, s record.Side) error {
	spec, ok := find(a.Workloads, s.Workload)
	if !ok || spec.Charge == workload.Lanes {
		return nil
	}
	runs := workload.Programs
	if spec.Runs != nil {
		runs = spec.Runs(workload.NewParams(spec.Workload, s.Params))
	}
	profilers := []engine.Profiler{a.Sampler}
	switch {
	case runs == workload.External && spec.There == nil:
		return usage.Errorf("%s cannot be profiled: plimsoll starts no process that does the work, so there is nothing to sample\nhint: leave out --profile, or let plimsoll start the server", s.Workload)
	case runs == workload.Java:
		profilers = append(profilers, a.JVMSampler)
	}
	var why error
	for _, p := range profilers {
		if p == nil {
			continue
		}
		in, err := p.Find(ctx, engine.Params{})
		if err == nil {
			err = p.Able(in)
		}
		if err == nil {
			return nil
		}
		if why == nil {
			why = err
		}
	}
	if why == nil {
		why = errors.New("this build of plimsoll has no profiler")
	}
	return usage.Errorf("%s cannot be profiled: %w", s.Workload, why)
}
