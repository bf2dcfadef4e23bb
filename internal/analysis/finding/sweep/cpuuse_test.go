package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// usage is one load of a machine: its CPU use in % and a figure.
type usage struct{ level, cpu, value float64 }

// usedCells are the cells of a sweep of loads with a metric beside the CPU use, with its findings.
func usedCells(machine string, load record.LoadPoint, m record.Metric, more []record.Value,
	all ...usage) []finding.Cell {
	var trials []record.Trial
	for i, u := range all {
		load.Level = u.level
		trials = append(trials, record.Trial{
			ID: fmt.Sprint(machine, i), Slot: record.Slot{Plan: "p", Cell: i}, Load: load,
			Keys: map[string]string{record.KeyMachine: machine, record.KeyWorkload: "w", record.KeyLoad: load.Key(),
				record.KeyImported: "x.csv"},
			Values: append([]record.Value{{Metric: m, Value: u.value},
				{Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral}, Value: u.cpu}}, more...),
		})
	}
	var out []finding.Cell
	for _, f := range cpuUses(finding.NewInput(trials, nil, nil)) {
		at := f.Cells[0]
		out = append(out, finding.Cell{Machine: at.Machine, Workload: at.Workload, Load: at.Load, Metric: m.Name,
			Unit: m.Unit, Primary: true, Found: []finding.Finding{f}})
	}
	return out
}

func requests() (record.LoadPoint, record.Metric) {
	return record.LoadPoint{Kind: record.Open, Unit: record.ParamRate},
		record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}
}

func builds() (record.LoadPoint, record.Metric) {
	return record.LoadPoint{Kind: record.Closed, Unit: record.ParamCPUs},
		record.Metric{Name: "time", Unit: "s", Better: record.Lower}
}

// netty is read off the two charts of "System Load and Compute Headroom" (aws/aws-graviton-getting-started,
// images/system-load), whose text gives 644506 and 690276 packets/s as expected, 736860 and 591411 as handled: 14%
// better, and 86%. The CPU use does not always rise with the load.
func netty() (c7g, c6i []usage) {
	c7g = []usage{{49336, 9, 49336}, {99040, 15, 99040}, {147919, 23, 147919}, {197237, 22, 197237}, {247393, 35, 247393},
		{296473, 46, 296473}, {346105, 55, 346105}, {593242, 88, 593242}, {736860, 99, 736860}}
	c6i = []usage{{49516, 7, 49516}, {99047, 17, 99047}, {197231, 31, 197231}, {297056, 41, 297056}, {345138, 50, 345138},
		{443433, 70, 443433}, {591411, 94, 591411}}
	return c7g, c6i
}

// TestRequestsOverCPU draws what the article draws: a mark for each load, and its linear line.
func TestRequestsOverCPU(t *testing.T) {
	load, m := requests()
	c7g, c6i := netty()
	cells := slices.Concat(usedCells("c7g.2xlarge", load, m, nil, c7g...), usedCells("c6i.2xlarge", load, m, nil, c6i...))
	if len(cells) != 2 {
		t.Fatalf("%d findings, want one of each machine", len(cells))
	}
	for i, want := range []struct{ at100, of, from float64 }{
		{644506, 736860. / 644506, 46}, {690276, 591411. / 690276, 50},
	} {
		l := KindCPUUse.Of(cells[i]).Linear
		if l == nil || math.Abs(l.At100-want.at100) > 1 || l.Of == nil || math.Abs(*l.Of-want.of) > 1e-4 ||
			l.FromCPU != want.from {
			t.Errorf("%s: %+v, want %+v", cells[i].Machine, l, want)
		}
	}
	charts := block.Of[block.Chart](cpuCharts(viewed([]string{"c7g.2xlarge", "c6i.2xlarge"}, cells...)))
	if len(charts) != 1 || len(charts[0].Lines) != 4 {
		t.Fatalf("got %+v, want one chart with the marks and the linear line of either machine", charts)
	}
	ch := charts[0]
	if len(ch.Lines[0].Y) != len(c7g) || len(ch.Lines[2].Y) != len(c6i) || ch.Lines[0].Joined || !ch.Lines[1].Faint ||
		!slices.IsSorted(ch.Lines[0].X) || ch.Lines[1].X[1] != 100 || math.Abs(float64(ch.Lines[1].Y[1])-644.506) > .001 {
		t.Errorf("the lines are %+v", ch.Lines)
	}
	if ch.X.Name != "CPU use" || ch.X.Unit != "%" || ch.Y.Name != "throughput" || ch.Y.Unit != "k op/s" ||
		ch.Legend[0].Name != "c7g.2xlarge: 114% of the linear 645k op/s" ||
		ch.Legend[1].Name != "c6i.2xlarge: 86% of the linear 690k op/s" ||
		!strings.Contains(ch.Desc, "345138/s: 345k op/s, no interval at 50.0% CPU (n=1)") {
		t.Errorf("axes %+v %+v, legend %+v, in words %s", ch.X, ch.Y, ch.Legend, ch.Desc)
	}
}

// TestPacketsOverCPU: what counts packets has a chart of its own beside the requests'.
func TestPacketsOverCPU(t *testing.T) {
	load, m := requests()
	packets := []record.Value{{Metric: record.Metric{Name: "packets", Unit: "packets/s"}, Value: 7e5}}
	cells := usedCells("m", load, m, packets, usage{10, 20, 10}, usage{20, 45, 20}, usage{30, 70, 30})
	charts := block.Of[block.Chart](cpuCharts(viewed([]string{"m"}, cells...)))
	if len(charts) != 2 || charts[1].Y.Name != "packets" || charts[1].Y.Unit != "M packets/s" ||
		charts[0].ID == charts[1].ID {
		t.Fatalf("got %+v, want charts of requests and of packets", charts)
	}
	if l := KindCPUUse.Of(cells[0]).Linear; l == nil || l.Of != nil {
		t.Errorf("%+v: 70%% CPU is far from all of it", l)
	}
}

// TestBuildsOverCPU: the time of copies is compared with that of one; a build on more and more CPUs has no such line,
// nor has what never came near 50% CPU.
func TestBuildsOverCPU(t *testing.T) {
	load, m := builds()
	// the same article's first chart: 63% and 96% of the speed of one build
	c6i := usedCells("c6i", load, m, nil, usage{1, 20, 223}, usage{2, 26, 226}, usage{3, 38, 224}, usage{4, 51, 225},
		usage{5, 63, 265}, usage{6, 76, 301}, usage{7, 88, 327}, usage{8, 100, 354})
	charts := block.Of[block.Chart](cpuCharts(viewed([]string{"c6i"}, c6i...)))
	if len(charts) != 1 || !charts[0].Lines[0].Joined || len(charts[0].Lines[0].Y) != 8 ||
		charts[0].Lines[1].Y[0] != 223 || charts[0].Lines[1].Y[1] != 223 ||
		!strings.Contains(charts[0].Hint, "63% of the speed of the lowest load; dashed: the time at the lowest load") {
		t.Errorf("got %+v", charts)
	}
	spread := usedCells("m", load, m, nil, usage{1, 13, 800}, usage{2, 25, 410}, usage{4, 48, 220}, usage{8, 90, 125})
	if KindCPUUse.Of(spread[0]).Linear != nil {
		t.Errorf("a build spread over CPUs is expected to take as long as on one")
	}
	load, m = requests()
	idle := usedCells("m", load, m, nil, usage{1, 1, 1}, usage{2, 2, 2}, usage{3, 3, 3})
	if KindCPUUse.Of(idle[0]).Linear != nil {
		t.Errorf("3%% CPU tells what 100%% would be")
	}
	if few := usedCells("m", load, m, nil, usage{1, 50, 1}, usage{2, 90, 2}); few != nil {
		t.Errorf("two loads are a sweep: %+v", few)
	}
}
