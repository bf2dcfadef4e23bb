// Package all lists the workloads of this build.
package all

import (
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/aesgcm"
	"plimsoll/internal/workload/execload"
)

// All returns every workload, in the order in which they are listed.
func All() []workload.Spec {
	return []workload.Spec{aesgcm.Spec(), execload.Spec()}
}
