package procs

import (
	"testing"

	"plimsoll/internal/machine/host/hostfs"
)

// A trial of a server that is there reads this twice: see bench/EVIDENCE.md.
func BenchmarkStats(b *testing.B) {
	n := 0
	for b.Loop() {
		all, err := Stats(hostfs.System())
		if err != nil {
			b.Fatal(err)
		}
		n = len(all)
	}
	b.ReportMetric(float64(n), "processes")
}
