package workload

import "plimsoll/internal/record"

// ParamCPUSets is the parameter, of workloads that start processes, that says whether these and the lanes have CPUs of their own: see
// Spec.Split.
const ParamCPUSets = "cpu_sets"

// The values of ParamCPUSets.
const (
	CPUsShared = "shared"
	CPUsSplit  = "split"
)

// CPUSets declares ParamCPUSets; who are kept apart, in words.
func CPUSets(usual, who string) record.Param {
	return record.Param{
		Name: ParamCPUSets, Minor: true, Kind: record.Enum, Default: usual, Choices: []string{CPUsShared, CPUsSplit}, Phase: record.Load,
		Doc: "split keeps " + who + " on CPUs of their own, where there are two or more",
	}
}
