// Package all lists every workload. It stands apart from package workload
// because the workloads import that one.
package all

import (
	"slices"

	"plimsoll/internal/machine/host/knob"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/aesgcm"
	"plimsoll/internal/workload/compile"
	"plimsoll/internal/workload/disk"
	"plimsoll/internal/workload/erasure"
	"plimsoll/internal/workload/execload"
	"plimsoll/internal/workload/highwayhash"
	"plimsoll/internal/workload/kafka"
	"plimsoll/internal/workload/memory"
	"plimsoll/internal/workload/memorylatency"
	"plimsoll/internal/workload/network"
	"plimsoll/internal/workload/pgbench"
	"plimsoll/internal/workload/s3"
	"plimsoll/internal/workload/tpcc"
	"plimsoll/internal/workload/web"
)

// All returns every workload, in the order in which they are listed to users, each with the settings of the machine.
func All() []workload.Spec {
	all := specs()
	for i := range all {
		all[i].Params = slices.Concat(all[i].Params, knob.Params())
		all[i].Presets = slices.Concat(all[i].Presets, knob.Presets())
	}
	return all
}

func specs() []workload.Spec {
	return []workload.Spec{
		erasure.Spec(),
		highwayhash.Spec(),
		aesgcm.Spec(),
		memory.Spec(),
		memorylatency.Spec(),
		disk.Spec(),
		network.Spec(),
		compile.Spec(),
		web.Spec(),
		s3.Spec(),
		pgbench.Spec(),
		tpcc.Spec(),
		kafka.Spec(),
		execload.Spec(),
	}
}
