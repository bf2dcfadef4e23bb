package outcome

import (
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// TestTheBestMachineDidTheSameWork: a machine that redirects is not the best beside one that serves pages.
func TestTheBestMachineDidTheSameWork(t *testing.T) {
	cell := func(machine string, value float64, status string) finding.Cell {
		return finding.Cell{Machine: machine, Workload: "http", Load: "4 clients", Metric: record.Throughput, N: 5,
			Better: record.Higher, Estimate: figure.Between(value*.99, value*1.01).Around(value),
			Found: answers.KindAnswers.New(&answers.Answers{Statuses: map[string]int64{status: 1000}, N: 5})}
	}
	pages, fast, redirects := cell("m1", 100, "200"), cell("m2", 200, "200"), cell("m2", 900, "302")
	if !bestOfAll(fast, []finding.Cell{pages, fast}) {
		t.Error("of two that serve pages, the faster one is not the best")
	}
	if bestOfAll(redirects, []finding.Cell{pages, redirects}) {
		t.Error("the one that redirects is the best")
	}
}
