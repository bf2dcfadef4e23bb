package workload

import "plimsoll/internal/record"

// CPUSets declares record.ParamCPUSets, which Spec.Split reads. who names the parties kept apart, for the
// documentation.
func CPUSets(usual, who string) record.Param {
	return record.Param{
		Name: record.ParamCPUSets, Minor: true, Kind: record.Enum, Default: usual, Choices: []string{record.CPUsShared, record.CPUsSplit}, Phase: record.Load,
		Doc: "split gives " + who + " whole cores of their own if there are at least two",
	}
}
