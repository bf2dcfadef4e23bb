package agent

import (
	"context"
	"errors"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/there"
)

// preflightProfile returns an error if nothing of a side can be profiled on this host. This process can always sample
// its own lanes.
func (a Agent) preflightProfile(ctx context.Context, s record.Side) error {
	spec, ok := workload.Find(a.Workloads, s.Workload)
	if !ok || spec.Charge == workload.Lanes {
		return nil
	}
	params := workload.NewParams(spec.Workload, s.Params)
	runs := spec.RunsOf(params)
	profilers := []engine.Profiler{a.Sampler}
	switch {
	case runs == workload.External:
		if err := findsThere(ctx, a, spec, params); err != nil {
			return usage.Errorf("%s cannot be profiled: plimsoll starts no process that does the work, and found none: %w\n"+
				"hint: leave out --profile, or let plimsoll start the server", s.Workload, err)
		}
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

// findsThere returns an error if the processes of a server that is there cannot be found on this host. Where only a
// secret tells the address, the trial will know.
func findsThere(ctx context.Context, a Agent, spec workload.Spec, p workload.Params) error {
	if spec.There == nil {
		return there.ErrElsewhere
	}
	at, ok := spec.There(p)
	if !ok {
		return nil
	}
	_, err := there.Find(ctx, a.Root, at)
	return err
}
