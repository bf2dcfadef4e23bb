// Package compile is the workload "compile": one build of a source tree on each of n CPUs, all begun at
// once, each in a copy of its own. How long a build takes beside others says what is left of a CPU when its
// neighbours work too.
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
	metricTime    = "time"
	metricSlowest = "time_max"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc:  "builds a source tree, one copy on each CPU, all at once: the mean time of a build is the value",
			Params: []record.Param{
				{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load,
					Doc: "how many CPUs build, each a copy of its own"},
				{Name: paramSource, Kind: record.Text, Default: sourceOpenSSL, Phase: record.Build,
					Doc: "the tree to build: a directory, or openssl, which `plimsoll setup openssl` fetches"},
				{Name: paramConfigure, Minor: true, Kind: record.Text, Phase: record.Build,
					Doc: "command, for sh, that makes a copy ready and is not measured; for openssl ./Configure"},
				{Name: paramCommand, Minor: true, Kind: record.Text, Phase: record.Load,
					Doc: "command, for sh, that builds and is measured; default make -s, for openssl make -s build_libs"},
				{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "3600s", Min: 1, Max: 7 * 86400, Phase: record.Load,
					Doc: "one build is stopped, and has failed, after this long"},
			},
			Metrics: []record.Metric{
				{Name: metricTime, Unit: "s", Better: record.Lower, Doc: "of one build, the mean over all copies"},
				{Name: metricSlowest, Unit: "s", Better: record.Lower, Doc: "of the copy that took longest"},
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "builds that all CPUs together do a second"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of one build, the mean over all copies"},
			},
			Loads: []record.LoadKind{record.Once},
			Needs: []string{"openssl"},
		},
		Charge: workload.Started,
		Preflight: func(_ context.Context, p workload.Params, _ string) error {
			_, err := treeOf(p)
			return err
		},
		New: newDriver,
	}
}
