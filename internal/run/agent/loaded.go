package agent

import (
	"maps"
	"slices"

	"plimsoll/internal/client/load"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// shared records the part of a load that other hosts generate too.
func (s *side) shared(res load.Result) {
	s.part = &joint.Part{StartNs: res.Start, EndNs: res.End}
	if d, ok := s.driver.(workload.Heater); ok && s.trial.WarmUp != nil {
		w, _ := d.Heat()
		s.part.HeatNs = w.StartNs
	}
	d, ok := s.driver.(workload.Sharer)
	if !ok || s.trial.Void != "" {
		return
	}
	shared := d.Shared()
	s.part.Weights = shared.Weights
	for _, name := range slices.Sorted(maps.Keys(shared.Latencies)) {
		s.histogram(joint.LatencySeries+name, shared.Latencies[name])
	}
}
