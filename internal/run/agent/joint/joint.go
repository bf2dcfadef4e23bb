// Package joint holds what the hosts that measure one trial together tell each other: each generator its part of the
// load, and a target the load of all.
package joint

import (
	"encoding/json"
	"fmt"
	"strings"

	"plimsoll/internal/client/load"
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

// Places is what each server of a cluster is told of all of them.
type Places = workload.Places

// Told returns a command with what it is about.
func Told(word string, about any) (string, error) {
	text, err := json.Marshal(about)
	return word + " " + string(text), err
}

// Heard reads what a command is about; false if it says nothing.
func Heard(command string, about any) (bool, error) {
	_, text, ok := strings.Cut(command, " ")
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal([]byte(text), about); err != nil {
		return false, fmt.Errorf("reading the command %.80q: %w", command, err)
	}
	return true, nil
}

// Result returns the load as if it had been made here.
func (l Loaded) Result() load.Result {
	return load.Result{Start: l.StartNs, End: l.EndNs, Seconds: float64(l.EndNs-l.StartNs) / 1e9, Ops: l.Ops,
		Windows: load.Windows{StepNs: l.StepNs, Ops: l.Windows}}
}

// Warming returns the load before it.
func (l Loaded) Warming() workload.Warming {
	return workload.Warming{Windows: load.Windows{StepNs: l.HeatStepNs, Ops: l.Heat}}
}
