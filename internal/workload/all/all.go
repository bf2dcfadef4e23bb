// Package all lists every workload. It stands apart from package workload
// because the workloads import that one.
package all

import (
	"slices"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/aesgcm"
	"plimsoll/internal/workload/compile"
	"plimsoll/internal/workload/disk"
	"plimsoll/internal/workload/erasure"
	"plimsoll/internal/workload/execload"
	"plimsoll/internal/workload/highwayhash"
	"plimsoll/internal/workload/kafka"
	"plimsoll/internal/workload/memory"
	"plimsoll/internal/workload/pgbench"
	"plimsoll/internal/workload/tpcc"
	"plimsoll/internal/workload/web"
)

// All returns every workload, in the order in which they are listed to users.
func All() []workload.Spec {
	return []workload.Spec{
		erasure.Spec(),
		highwayhash.Spec(),
		aesgcm.Spec(),
		memory.Spec(),
		disk.Spec(),
		compile.Spec(),
		web.Spec(),
		pgbench.Spec(),
		tpcc.Spec(),
		kafka.Spec(),
		execload.Spec(),
	}
}

// Find returns the workload of that name, or false if there is none.
func Find(name string) (workload.Spec, bool) {
	specs := All()
	i := slices.IndexFunc(specs, func(s workload.Spec) bool { return s.Name == name })
	if i < 0 {
		return workload.Spec{}, false
	}
	return specs[i], true
}
