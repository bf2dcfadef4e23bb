package reader

import (
	"strings"
	"testing"
)

// TestReportsOfHours: redis-benchmark writes four reports a second over one another, in the line in which the heading
// stands.
func TestReportsOfHours(t *testing.T) {
	report := strings.Repeat(" ", 70) + "\rLPUSH: rps=1000.0 (overall: 999.0) avg_msec=0.1 (overall: 0.1)\r"
	text := strings.Repeat(report, 4*3600) + "LPUSH: 57142.86 requests per second, p50=0.143 msec\n"
	runs, err := readRedisBenchmark([]byte(text), Limits())
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs of %d MB, %v", len(runs), len(text)>>20, err)
	}
	if _, err := readRedisBenchmark([]byte(strings.Repeat("x", Limits().Line+1)+"\n"+text), Limits()); err == nil {
		t.Error("a line was left out without a word")
	}
}
