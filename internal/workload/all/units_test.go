package all

import (
	"maps"
	"slices"
	"testing"
)

// TestOneMeaningPerName holds that a name of a metric has one unit, and a name of a parameter one kind, in all
// workloads.
func TestOneMeaningPerName(t *testing.T) {
	units, kinds := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, w := range All() {
		for _, m := range w.Metrics {
			note(units, m.Name, m.Unit)
		}
		for _, p := range w.Params {
			note(kinds, p.Name, string(p.Kind))
		}
	}
	holdOne(t, "metric", units, []string{
		"retries",    // of pgbench a mean per transaction, of tpcc a share: sessions have both
		"throughput", // in bytes or in operations
	})
	holdOne(t, "parameter", kinds, []string{
		"batch", // of kernels the least time of one, of disk the number of submitted I/Os
		"heat",  // of tpcc a duration, of servers in Java also auto or short
		"path",  // of http an address, of others a choice
		"size",  // of s3 also several with weights, or a range
	})
}

func note(of map[string]map[string]bool, name, meaning string) {
	if of[name] == nil {
		of[name] = map[string]bool{}
	}
	of[name][meaning] = true
}

// holdOne fails for a name with several meanings that is no exception, and for an exception that is none.
func holdOne(t *testing.T, what string, of map[string]map[string]bool, exceptions []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if several := len(of[name]) > 1; several != slices.Contains(exceptions, name) {
			t.Errorf("%s %s has the meanings %q; an exception: %t", what, name, slices.Sorted(maps.Keys(of[name])), !several)
		}
	}
}
