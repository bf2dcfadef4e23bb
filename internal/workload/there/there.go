// Package there has the parameters of workloads that load a server which is there already.
package there

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The parameters.
const (
	paramPID       = "pid"
	paramUnit      = "unit"
	paramContainer = "container"
)

// Params declares the parameters that name the processes of a server that is there, if only is met. of begins the
// documentation.
func Params(of string, only record.Only) []record.Param {
	return record.Needing(only, []record.Param{
		{Name: paramPID, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1 << 30, Phase: record.Load,
			Doc: of + ": process that is metered with its descendants; 0: those that listen at the address, if that is " +
				"the target's own"},
		{Name: paramUnit, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: of + ": systemd unit to measure instead"},
		{Name: paramContainer, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: of + ": id of the container to measure instead"},
	}...)
}

// At returns the processes that the parameters name, or that listen at the addresses.
func At(p workload.Params, addresses ...string) workload.There {
	return workload.There{Addresses: addresses, PID: p.Int(paramPID), Unit: p.Text(paramUnit),
		Container: p.Text(paramContainer),
		Elsewhere: p.Text(record.ParamMachine) != ""}
}
