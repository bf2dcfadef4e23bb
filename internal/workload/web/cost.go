package web

import (
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The work of starting and stopping a server, measured on the reference machine: of a Java runtime, and of others.
const (
	javaCPU   = 1.0
	nativeCPU = .1
)

// cost returns the time to start a server and to warm it up.
func cost(p workload.Params, _ record.LoadPoint, _ record.Machine) forecast.Cost {
	heat, err := heatOf(p)
	if err != nil || p.Text(paramServer) == serverURL {
		return forecast.Cost{}
	}
	start := forecast.Step{Name: forecast.Start, Work: forecast.Work{CPU: nativeCPU, Threads: 2}}
	if heat > 0 {
		start.Work.CPU = javaCPU
		return forecast.Cost{Steps: []forecast.Step{start, {Name: forecast.Heat, Work: forecast.Work{Wait: heat.Seconds()}}}}
	}
	return forecast.Cost{Steps: []forecast.Step{start}}
}
