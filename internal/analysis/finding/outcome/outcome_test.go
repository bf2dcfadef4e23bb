package outcome

import (
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// TestOnlyRivalsAreRanked: the loads of a sweep and other work of one machine are no competitors, settings of one load
// and work are.
func TestOnlyRivalsAreRanked(t *testing.T) {
	cell := func(load string, value float64, params ...string) finding.Cell {
		c := finding.Cell{Machine: "m1", Workload: "aes-gcm", Load: load, Metric: record.Throughput, Primary: true,
			Unit: "op/s", Better: record.Higher, Estimate: figure.Between(value*.99, value*1.01).Around(value), N: 5,
			Params: map[string]string{}}
		for i := 0; i < len(params); i += 2 {
			c.Params[params[i]] = params[i+1]
		}
		return c
	}
	answered := func(c finding.Cell, statuses map[string]int64) finding.Cell {
		c.Found = answers.KindAnswers.New(&answers.Answers{Statuses: statuses, N: 5})
		return c
	}
	pages, redirects := map[string]int64{"200": 1000}, map[string]int64{"302": 9000}
	fewErrors := map[string]int64{"200": 2000, "503": 100}
	for _, c := range []struct {
		name, want string
		cells      []finding.Cell
	}{
		{"one CPU and two", "reaches 200 op/s ±1.0% (95% CI, n=5), 2 cpus; 100.0 op/s, 1 cpu",
			[]finding.Cell{cell("1 cpus", 100), cell("2 cpus", 200)}},
		{"loads of a sweep", "reaches 400 op/s ±1.0% (95% CI, n=5), 4 clients; " +
			"2 others to 100.0 op/s, 1 client",
			[]finding.Cell{cell("1 clients", 100), cell("2 clients", 200), cell("4 clients", 400)}},
		{"sizes", "reaches 200 op/s ±1.0% (95% CI, n=5), size=1KiB, 1 cpu; 100.0 op/s, size=1MiB, 1 cpu",
			[]finding.Cell{cell("1 cpus", 100, "size", "1MiB"), cell("1 cpus", 200, "size", "1KiB")}},
		{"libraries", "reaches 200 op/s ±1.0% (95% CI, n=5), library=new, 1 cpu, the best of 2; the worst: 100.0 op/s, " +
			"library=old",
			[]finding.Cell{cell("1 cpus", 100, "library", "old"), cell("1 cpus", 200, "library", "new")}},
		{"commands", "reaches 200 op/s ±1.0% (95% CI, n=5), command=new, 1 cpu, the best of 2; the worst: 100.0 op/s, " +
			"command=old",
			[]finding.Cell{cell("1 cpus", 100, "command", "old"), cell("1 cpus", 200, "command", "new")}},
		{"libraries by CPUs", "reaches 200 op/s ±1.0% (95% CI, n=5), library=new, 2 cpus, the best of 2; the worst: " +
			"150 op/s, " +
			"library=old",
			[]finding.Cell{cell("1 cpus", 100, "library", "new"), cell("2 cpus", 150, "library", "old"),
				cell("2 cpus", 200, "library", "new")}},
		{"pages and redirects", "reaches 900 op/s ±1.0% (95% CI, n=5), start=new, 4 clients; 100.0 op/s, start=old, " +
			"4 clients",
			[]finding.Cell{answered(cell("4 clients", 100, "start", "old"), pages),
				answered(cell("4 clients", 900, "start", "new"), redirects)}},
		{"two of pages, and redirects", "reaches 900 op/s ±1.0% (95% CI, n=5), start=c, 4 clients; 2 others to 100.0 op/s, " +
			"start=a, 4 clients", []finding.Cell{answered(cell("4 clients", 100, "start", "a"), pages),
			answered(cell("4 clients", 150, "start", "b"), pages), answered(cell("4 clients", 900, "start", "c"), redirects)}},
		{"pages, with few errors", "reaches 200 op/s ±1.0% (95% CI, n=5), start=new, 4 clients, the best of 2; " +
			"the worst: 100.0 op/s, start=old",
			[]finding.Cell{answered(cell("4 clients", 100, "start", "old"), pages),
				answered(cell("4 clients", 200, "start", "new"), fewErrors)}},
	} {
		said, _ := bests(finding.NewView(c.cells), c.cells)
		if len(said) != 1 || said[0].Text != c.want {
			t.Errorf("%s: %+v, want %q", c.name, said, c.want)
		}
	}
}

// A headline names its metric and its unit, and failed runs are the first objection.
func TestHeadline(t *testing.T) {
	cell := func(workload, load, metric, unit string, value float64) finding.Cell {
		return finding.Cell{Machine: "m1", Workload: workload, Load: load, Metric: metric, Primary: true, Unit: unit,
			Better: record.Lower, Estimate: figure.Between(value*.99, value*1.01).Around(value), N: 5,
			Params: map[string]string{}}
	}
	for want, c := range map[string]finding.Cell{
		"p99 is 15.4 ms ±1.0% (95% CI, n=5) at 100 requests/s, Poisson arrivals": cell("http", "100/s poisson",
			record.LatencyP99, "s", .0154),
		"p99 is 15.4 ms ±1.0% (95% CI, n=5) at 100 tps, uniform arrivals": cell("pgbench", "100/s uniform", record.LatencyP99,
			"s", .0154),
		"p99 is 1.000 ms ±1.0% (95% CI, n=5) at 2.00k IOPS, Poisson arrivals": cell("disk", "2000/s poisson",
			record.LatencyP99, "s", .001),
		"reaches 39.8k IOPS ±1.0% (95% CI, n=5), 4 clients": cell("disk", "4 clients", record.IOPS, "op/s", 39800),
		"reaches 4.88 GB/s ±1.0% (95% CI, n=5), 4 clients":  cell("disk", "4 clients", record.Throughput, "B/s", 4.88e9),
		"takes 75.2 ms ±1.0% (95% CI, n=5)":                 cell("exec", "once", "time", "s", .0752),
	} {
		if said, _ := bests(finding.NewView([]finding.Cell{c}), []finding.Cell{c}); len(said) != 1 || said[0].Text != want {
			t.Errorf("%+v, want %q", said, want)
		}
	}
	// Jobs that are judged by unlike metrics have a line each.
	both := []finding.Cell{cell("disk", "4 clients", record.IOPS, "op/s", 39800),
		cell("disk", "8 clients", record.Throughput, "B/s", 4.88e9)}
	if said, _ := bests(finding.NewView(both), both); len(said) != 2 {
		t.Errorf("%+v", said)
	}
	few, many := cell("http", "1 clients", record.Throughput, "op/s", 1), cell("http", "2 clients", record.Throughput,
		"op/s", 1)
	few.Void, many.Void = 1, 19
	cells := []finding.Cell{few, many}
	answer := ofWorkload(finding.NewView(cells), nil)
	if len(answer.Against) != 2 || answer.Against[0].Text != "19 of 24 runs failed" ||
		answer.Against[0].Place != "2 clients" {
		t.Errorf("%+v", answer.Against)
	}
}
