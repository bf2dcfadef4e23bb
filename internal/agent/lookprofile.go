package agent

import (
	"context"
	"errors"
	"fmt"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// lookProfile says why nothing of a side could be profiled on this host; nil where something can. This process can always sample its own lanes.
func (a Agent) lookProfile(ctx context.Context, s record.Side) error {
	spec, ok := find(a.Workloads, s.Workload)
	if !ok || spec.Charge == workload.Lanes {
		return nil
	}
	var why error
	for _, p := range []engine.Profiler{a.Sampler, a.JVMSampler} {
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
		why = errors.New("this plimsoll has no profiler")
	}
	return UsageError{fmt.Errorf("%s cannot be profiled: %w", s.Workload, why)}
}
