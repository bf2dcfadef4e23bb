package erasure

import (
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/workload/workloadtest"
)

func TestConformance(t *testing.T) {
	cases := []workloadtest.Case{}
	sets := every(12, 4, "10000B")
	if simtest.Night() {
		sets = merged(sets, every(4, 2, "8KiB"))
	}
	for name, set := range sets {
		cases = append(cases, workloadtest.Case{Name: name, Params: set, Lanes: 2, Digest: digestOf})
	}
	if !testing.Short() { // an emulator takes minutes
		cases = append(cases, workloadtest.Case{Name: "defaults", Digest: digestOf})
	}
	if simtest.Night() {
		cases = append(cases,
			workloadtest.Case{Name: "large", Params: map[string]string{"data": "8", "parity": "8", "shard": "10MiB"}})
	}
	workloadtest.Run(t, Spec(), cases...)
}
