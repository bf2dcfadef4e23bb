package render

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/base/list"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// ramps are two machines of which the one handles half of its line at 50% CPU and the
// other more, and a third whose CPU use nobody knows and that ended below its line.
func ramps() finding.Shown {
	var trials []record.Trial
	add := func(machine string, rate, carried, cpu, latency float64) {
		for i := range 3 {
			load := record.LoadPoint{Kind: record.Open, Level: rate, Unit: record.ParamRate}
			by := 1 + .004*float64(i-1)
			values := []record.Value{
				{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: carried * by},
				{Metric: record.Metric{Name: record.Latency, Unit: "s", Better: record.Lower}, Value: latency},
			}
			if cpu > 0 {
				values = append(values,
					record.Value{Metric: record.Metric{Name: record.CPUPercent, Unit: "%", Better: record.Neutral}, Value: cpu})
			}
			trials = append(trials, record.Trial{
				ID: fmt.Sprintf("%s-%v-%d", machine, rate, i), Slot: record.Slot{Plan: "p", Cell: int(rate), Replicate: i},
				Load: load, Values: values,
				Keys: map[string]string{record.KeyMachine: machine, record.KeyWorkload: "http", record.KeyLoad: load.Key(),
					"http.rate": fmt.Sprint(rate)},
			})
		}
	}
	for _, r := range [][4]float64{{100, 100, 9, .001}, {400, 400, 50, .0011}, {800, 800, 97, .002},
		{900, 810, 100, .09}} {
		add("core.2xlarge", r[0], r[1], r[2], r[3])
		add("thread.2xlarge", r[0], .75*r[1], r[2]+min(5, 100-r[2]), r[3])
		if r[0] < 800 {
			add("blind.2xlarge", r[0]/2, r[1]/2, 0, r[3])
			add("blind.2xlarge", r[0]/4, r[1]/4, 0, r[3])
			add("blind.2xlarge", r[0]/8, r[1]/8, 0, r[3])
		}
	}
	return judge.Show(trials, nil, nil)
}

func TestLoadLineSentences(t *testing.T) {
	var b bytes.Buffer
	if err := Show(&b, term.Style{Width: 400}, ramps(), block.Whole()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"790 to 810 requests/s (n=3) at latency (of an unknown statistic) ≤ 2.00 ms, twice its value at low load; at 50% " +
			"CPU 400 requests/s, 50.0% of the limit, 100.0% more up to it; 100.0% of linear scaling from 50.0% CPU, " +
			"800 requests/s",
		"at least 200 requests/s, the end of the sweep, at latency (of an unknown statistic) ≤ ",
		"CPU use is unknown, so loads of up to 15% of the highest throughput",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), "    load line  "); n != 3 {
		t.Errorf("%d sentences of load lines, want 3:\n%s", n, b.String())
	}
}

func TestLoadLineChart(t *testing.T) {
	lines := ramps()
	charts := block.Of[block.Chart](shown("loadline")(viewed("x", lines.Workloads, machineNames(lines))))
	if len(charts) != 1 || len(charts[0].Lines) != 2*3+2 || charts[0].Title != "http" || charts[0].Y.Unit != "ms" {
		t.Fatalf("got %+v, want the probes and the limits of three machines in one chart, and the intervals of two limits",
			charts)
	}
	inside(t, elements(t, reportText(t, Page{Title: "load lines", Shown: lines})))
	intervals := list.Filter(charts[0].Lines, func(l block.Line) bool { return l.Wide })
	if len(intervals) != 2 || !(intervals[0].X[0] < 799 && intervals[0].X[1] > 801) {
		t.Errorf("the intervals are %+v", intervals)
	}
	measured := list.Filter(charts[0].Lines, func(l block.Line) bool { return !l.Wide })
	for i := 0; i < 6; i += 2 {
		probes, limit := measured[i], measured[i+1]
		if want := 3; !strings.HasPrefix(probes.Name, "blind") && len(probes.X) != want {
			t.Errorf("%s: %d probes are drawn, want %d: the last is far above the line", probes.Name, len(probes.X), want)
		}
		for k := 1; k < len(probes.X); k++ {
			if probes.X[k] <= probes.X[k-1] || probes.Y[k] > charts[0].Y.Hi {
				t.Errorf("%s: probe %d at %v, %v", probes.Name, k, probes.X[k], probes.Y[k])
			}
		}
		if len(limit.Notes) != 1 || !strings.HasPrefix(limit.Notes[0].Text, "max load ") ||
			math.Abs(float64(limit.Y[0]-limit.Y[1])) > 0 {
			t.Errorf("%s: %+v", limit.Name, limit)
		}
	}
}
