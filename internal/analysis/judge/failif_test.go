package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

func TestConditions(t *testing.T) {
	interval := func(metric, per string, lo, hi float64) finding.Comparison {
		return finding.Comparison{Metric: metric, Per: per, Direction: record.Lower, Bounds: figure.Between(lo, hi)}
	}
	got := finding.Compared{Pairs: []finding.Pair{{Verdicts: []finding.Comparison{
		interval("throughput", "machine", .90, .97),
		interval("throughput", "machine", .90, .99),
		{Metric: "throughput", Per: "machine"},
		interval("throughput", "dollar", 1.06, 1.2),
		interval("latency_p99", "machine", 1.2, 1.3),
		interval("allocs/op", "machine", 1.2, 1.3),
		{Metric: "score", Per: "machine", Direction: record.Neutral, Bounds: figure.Between(7.9, 8.1)},
	}}}}
	for text, want := range map[string][3]int{ // holding, undecided, passed
		"throughput < -2%":        {1, 2, 0},
		"throughput<-0.5%":        {2, 1, 0},
		"throughput < -50%":       {0, 1, 2},
		"throughput/dollar > 5%":  {1, 0, 0},
		"throughput/dollar > 10%": {0, 1, 0},
		"latency_p99 > +10%":      {1, 0, 0},
		"score < -2%":             {0, 1, 0},
		"score > 2%":              {1, 0, 0},
		"iops < -2%":              {0, 0, 0},
		"throughput/euro < -2%":   {0, 0, 0},
		"allocs/op > 2%":          {1, 0, 0},
		"allocs/op/machine > 2%":  {1, 0, 0},
	} {
		c, err := compare.ParseCondition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		j := c.Judge(got)
		if n := [3]int{len(j.Holding), len(j.Undecided), len(j.Passed)}; n != want || j.Count() != n[0]+n[1]+n[2] {
			t.Errorf("%s: %v, want %v", text, n, want)
		}
	}
	for _, text := range []string{"", "throughput", "throughput/dollar < 2", "throughput < 2s", "throughput = 2%",
		"throughput < 1.2.3%", "< 2%"} {
		if _, err := compare.ParseCondition(text); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
