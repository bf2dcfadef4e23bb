package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/load"
	"plimsoll/internal/workload"
)

// Part is a trial's share of a load that several hosts generate, beside its values and series. Times are its host's
// CLOCK_MONOTONIC.
type Part struct {
	StartNs int64              `json:"start_ns"` // of the measured time
	EndNs   int64              `json:"end_ns"`
	HeatNs  int64              `json:"heat_ns,omitempty"` // start of the series "heat"
	Weights map[string]float64 `json:"weights,omitempty"` // by value: number of events that it is a mean or a share of
}

// LatencySeries begins the names of a part's histograms for the values NAME_p50 and NAME_p99.
const LatencySeries = "latency."

// HeatSeries is the name of the series of operations done in a warm-up of a fresh server.
const HeatSeries = "heat"

// Loaded is the load that a target served, of all its generators together. Times are the target's CLOCK_MONOTONIC.
type Loaded struct {
	StartNs int64   `json:"start_ns"` // of the measured time
	EndNs   int64   `json:"end_ns"`
	Ops     int64   `json:"ops"`
	StepNs  int64   `json:"step_ns"`
	Windows []int64 `json:"windows"` // operations in each step

	HeatStepNs int64   `json:"heat_step_ns,omitempty"`
	Heat       []int64 `json:"heat,omitempty"` // operations in each step while all of them warmed up a fresh server
}

// Leave returns the command with which a target is told the load that it served.
func Leave(l Loaded) (string, error) {
	text, err := json.Marshal(l)
	return WordLeave + " " + string(text), err
}

// loadedIn returns the load in a command; none if it failed.
func loadedIn(command string) (Loaded, error) {
	var l Loaded
	_, text, ok := strings.Cut(command, " ")
	if !ok {
		return l, nil
	}
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return l, fmt.Errorf("reading the load from %.80q: %w", command, err)
	}
	return l, nil
}

// result returns the load as if it had been made here.
func (l Loaded) result() load.Result {
	return load.Result{Start: l.StartNs, End: l.EndNs, Seconds: float64(l.EndNs-l.StartNs) / 1e9, Ops: l.Ops, Windows: load.Windows{StepNs: l.StepNs, Ops: l.Windows}}
}

// warming returns the load before it.
func (l Loaded) warming() workload.Warming {
	return workload.Warming{Windows: load.Windows{StepNs: l.HeatStepNs, Ops: l.Heat}}
}

// shared records the part of a load that other hosts generate too.
func (s *side) shared(res load.Result) {
	s.part = &Part{StartNs: res.Start, EndNs: res.End}
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
		s.histogram(LatencySeries+name, shared.Latencies[name])
	}
}
