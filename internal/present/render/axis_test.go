package render

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
)

// A void trial far away must not squeeze the valid ones, and must still be seen.
func TestVoidTrialsDoNotStretchTheAxis(t *testing.T) {
	c := estimated(aesCell("m", "16KiB", "1 cpus"), 5.8e9, 5.82e9, 5.84e9)
	c.Trials = append(c.Trials,
		finding.TrialValue{TrialOutcome: &finding.TrialOutcome{ID: "v", Replicate: 3, Void: told("throttled")[0]},
			Value: ptr(1e9)})
	p, ok := plotOf(trialPlots(viewed("id", []finding.Cell{c}, []string{"m"})))
	if !ok {
		t.Fatal("no plot")
	}
	dots := p.Rows[0].Dots
	if len(dots) != 4 {
		t.Fatalf("%d dots, want 4", len(dots))
	}
	last := dots[3]
	if p.Scale.At(last.Value) != 0 || !last.Void || !strings.Contains(last.Text, "off the axis") ||
		!strings.Contains(last.Text, "throttled") {
		t.Errorf("the void trial is %+v", last)
	}
	if a := p.Scale; a.At(dots[0].Value) == a.At(dots[2].Value) {
		t.Errorf("the valid trials lie on one place, %g", a.At(dots[0].Value))
	}
}

func TestPlotPutsMachinesSideBySide(t *testing.T) {
	p, ok := plotOf(trialPlots(viewed("id", sampleShown().Workloads[:3], []string{"m6id.xlarge"})))
	if !ok {
		t.Fatal("no plot")
	}
	if got := p.Rows[2]; got.Span != nil || got.Figure != "no valid run" {
		t.Errorf("a cell without a valid trial is drawn: %+v", got)
	}
	both := slices.DeleteFunc(sampleShown().Workloads, func(c finding.Cell) bool { return c.Workload != "aes-gcm" })
	p, _ = plotOf(trialPlots(viewed("id", both, []string{"m6id.xlarge", "m7gd.xlarge"})))
	var series []int
	for _, r := range p.Rows {
		series = append(series, r.Series)
	}
	if want := []int{0, 1, 0, 1, 0, 1}; !slices.Equal(series, want) {
		t.Errorf("machines in the order %v, want %v", series, want)
	}
	if _, ok := plotOf(trialPlots(viewed("id", []finding.Cell{{Metric: record.CPUPercent, N: 1}}, nil))); ok {
		t.Error("a plot without a primary cell")
	}
}

func TestGroups(t *testing.T) {
	split := finding.SplitOf([]map[string]string{
		{"a": "1", "b": "x"}, {"a": "2", "b": "x"}, {"a": "2", "b": "x", "c": ""}})
	if split.Fixed != "b=x" || !slices.Equal(split.Varying, []string{"a", "c"}) {
		t.Errorf("got %+v", split)
	}
	for key, want := range map[string]string{
		"1 cpus": "1 cpu", "4 cpus": "4 cpus", "all cpus": "all cpus", "1 clients": "1 client",
		"1/s poisson": "1/s poisson", "once": "once", "1000/s uniform": "1000/s uniform",
	} {
		if got := finding.LoadText(key); got != want {
			t.Errorf("loadText(%q) = %q, want %q", key, got, want)
		}
	}
}
