// Package compile is the workload "compile": one build of a source tree on each of n CPUs, all started at once, each
// in a copy of its own. The time of a build beside others shows how much of a CPU is left when its neighbours work
// too.
package compile

import (
	"context"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "compile"

const (
	paramSource    = "source"
	paramConfigure = "configure"
	paramCommand   = "command"
	paramTimeout   = "timeout"
)

const (
	metricSlowest = "time_max"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc:  "builds a source tree, one copy per CPU, all at once; the primary value is the mean build time",
			Params: []record.Param{
				{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load,
					Doc: "number of CPUs that build, each its own copy"},
				{Name: paramSource, Kind: record.Text, Default: sourceOpenSSL, Phase: record.Build,
					Doc: "tree to build: a directory, or openssl, which `plimsoll setup openssl` fetches; libssl builds a tenth " +
						"of that"},
				{Name: paramConfigure, Minor: true, Kind: record.Text, Phase: record.Build,
					Doc: "shell command that prepares a copy, not measured; for openssl ./Configure"},
				{Name: paramCommand, Minor: true, Kind: record.Text, Phase: record.Load,
					Doc: "shell command that builds, measured; default make -s, for openssl make -s build_libs, " +
						"for libssl make -s build_generated libssl.a"},
				{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "3600s", Min: 1, Max: 7 * 86400,
					Phase: record.Load,
					Doc:   "time limit of one build, which then counts as failed"},
			},
			Metrics: []record.Metric{
				{Name: record.Elapsed, Unit: "s", Better: record.Lower, Doc: "build time, the mean over all copies"},
				{Name: metricSlowest, Unit: "s", Better: record.Lower, Doc: "build time of the slowest copy"},
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "builds per second of all CPUs together"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower,
					Doc: "CPU time per build, the mean over all copies"},
			},
			Loads: []record.LoadKind{record.Once},
			Needs: []string{"openssl"},
		},
		Charge: workload.Started,
		Command: workload.Command{
			Examples: []workload.Example{
				{Command: "run compile", Doc: "one build of OpenSSL, which plimsoll setup openssl fetches"},
				{Command: "run compile --sweep cpus=1,all", Doc: "a build by itself, and one on each CPU at once"},
				{Command: "run compile --source ./mytree --command 'make -s' --cpus all",
					Doc: "a tree of your own, a copy on each CPU"},
			},
		},
		Preflight: func(_ context.Context, p workload.Params, _ string) error {
			_, err := treeOf(p)
			return err
		},
		Cost: cost,
		New:  newDriver,
	}
}
