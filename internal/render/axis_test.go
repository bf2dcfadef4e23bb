package render

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		unit   string
		want   []string
	}{
		{[]float64{5.79e9, 5.84e9}, "B/s", []string{"5.79", "5.80", "5.81", "5.82", "5.83", "5.84"}},
		{[]float64{0, 10}, "", []string{"0", "2", "4", "6", "8", "10"}},
		{[]float64{0.98, 1.3}, "", []string{"1.0", "1.1", "1.2", "1.3"}},
		{[]float64{1.1e6, 90e6}, "B/s", []string{"1", "2", "5", "10", "20", "50", "100"}},
		{[]float64{1e-6, 1}, "s", []string{"0.000001", "0.00001", "0.0001", "0.001", "0.01", "0.1", "1"}},
		{[]float64{-4, 4}, "", []string{"-4", "-2", "0", "2", "4"}},
		{[]float64{7, 7}, "", []string{"6.95", "7.00", "7.05"}},
	} {
		a, ok := newAxis(c.values)
		if !ok {
			t.Fatalf("%v: no axis", c.values)
		}
		var got []string
		for _, m := range a.marks(scaleFor(c.unit, c.values...)) {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: ticks %q, want %q", c.values, got, c.want)
		}
	}
}

func TestAxisHoldsItsValues(t *testing.T) {
	for _, values := range [][]float64{{1, 2}, {0.1, 500}, {-3, 8}, {0, 0}, {5}, {1e-9, 2e-9, math.NaN()}, {0, 1e6}} {
		a, ok := newAxis(values)
		if !ok {
			t.Fatalf("%v: no axis", values)
		}
		for _, v := range values {
			if at := a.at(v); isFinite(v) && (at <= 0 || at >= 1 || !a.holds(v)) {
				t.Errorf("%v: %v lies at %v", values, v, at)
			}
		}
		if ticks := a.ticks(scale{factor: 1}); len(ticks) < 2 || !slices.IsSorted(ticks) {
			t.Errorf("%v: ticks %v", values, ticks)
		}
	}
	if _, ok := newAxis([]float64{math.NaN(), math.Inf(1)}); ok {
		t.Error("an axis of no finite value")
	}
}

// A void trial far away must not squeeze the valid ones, and must still be seen.
func TestVoidTrialsDoNotStretchTheAxis(t *testing.T) {
	c := estimated(aesCell("m", "16KiB", "1 cpus"), 5.8e9, 5.82e9, 5.84e9)
	c.Trials = append(c.Trials, judge.TrialValue{ID: "v", Replicate: 3, Value: ptr(1e9), Void: told("throttled")[0]})
	p, ok := trialPlot("id", []judge.Cell{c}, []string{"m"})
	if !ok {
		t.Fatal("no plot")
	}
	dots := p.Rows[0].Dots
	if len(dots) != 4 {
		t.Fatalf("%d dots, want 4", len(dots))
	}
	last := dots[3]
	if last.X != "0.00%" || !last.Void || !strings.Contains(last.Text, "off the axis") || !strings.Contains(last.Text, "throttled") {
		t.Errorf("the void trial is %+v", last)
	}
	if dots[0].X == dots[2].X {
		t.Errorf("the valid trials lie on one place, %s", dots[0].X)
	}
}

func TestPlotPutsMachinesSideBySide(t *testing.T) {
	p, ok := trialPlot("id", shown().Workloads[:3], []string{"m6id.xlarge"})
	if !ok {
		t.Fatal("no plot")
	}
	if got := p.Rows[2]; got.Estimate != "" || got.X != "" || got.Figure != "no valid trial" {
		t.Errorf("a cell without a valid trial is drawn: %+v", got)
	}
	both := slices.DeleteFunc(shown().Workloads, func(c judge.Cell) bool { return c.Workload != "aes-gcm" })
	p, _ = trialPlot("id", both, []string{"m6id.xlarge", "m7gd.xlarge"})
	var series []int
	for _, r := range p.Rows {
		series = append(series, r.Series)
	}
	if want := []int{0, 1, 0, 1, 0, 1}; !slices.Equal(series, want) {
		t.Errorf("machines in the order %v, want %v", series, want)
	}
	if _, ok := trialPlot("id", []judge.Cell{{Metric: record.CPUPercent, N: 1}}, nil); ok {
		t.Error("a plot without a primary cell")
	}
}

func TestGroups(t *testing.T) {
	split := splitParams([]map[string]string{{"a": "1", "b": "x"}, {"a": "2", "b": "x"}, {"a": "2", "b": "x", "c": ""}})
	if split.Fixed != "b=x" || !slices.Equal(split.varying, []string{"a", "c"}) {
		t.Errorf("got %+v", split)
	}
	for key, want := range map[string]string{
		"1 cpus": "1 cpu", "4 cpus": "4 cpus", "all cpus": "all cpus", "1 clients": "1 client",
		"1/s poisson": "1/s poisson", "once": "once", "1000/s uniform": "1000/s uniform",
	} {
		if got := loadText(key); got != want {
			t.Errorf("loadText(%q) = %q, want %q", key, got, want)
		}
	}
}
