package aesgcm

import (
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/workload/workloadtest"
)

func TestConformance(t *testing.T) {
	cases := []workloadtest.Case{{Name: "defaults", Digest: digestOf}}
	for name, set := range every() {
		cases = append(cases, workloadtest.Case{Name: name, Params: with(set, "size", "100000B"), Lanes: 2, Digest: digestOf})
	}
	cases = append(cases, workloadtest.Case{Name: "128 bits", Params: map[string]string{"bits": "128"}, Digest: digestOf})
	if simtest.Night() {
		cases = append(cases, workloadtest.Case{Name: "large", Params: map[string]string{"size": "10MiB"}, Digest: digestOf})
	}
	workloadtest.Run(t, Spec(), cases...)
}
