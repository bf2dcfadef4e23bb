package judge

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// at finds the primary cell of a load.
func at(t *testing.T, s finding.Shown, load string) finding.Cell {
	t.Helper()
	i := slices.IndexFunc(s.Workloads, func(c finding.Cell) bool { return c.Load == load && c.Primary })
	if i < 0 {
		t.Fatalf("no cell at %s", load)
	}
	return s.Workloads[i]
}

func TestOverOne(t *testing.T) {
	s := Show(swept("m1", stat.Curve{Gamma: 1e9, Alpha: .25, Yield: 1}, []int{1, 2}, 4, .004), nil, nil)
	if sweep.KindSpeedup.Of(at(t, s, "1 cpus")) != nil {
		t.Error("one CPU is held against itself")
	}
	over := sweep.KindSpeedup.Of(at(t, s, "2 cpus"))
	if over == nil || over.Lo == nil {
		t.Fatalf("%+v", over)
	}
	holds(t, "over one", over.Value, *over.Lo, *over.Hi, 2/1.25, .02)
}

// TestOverOneByReplicate: what all cells of a replicate share falls out.
func TestOverOneByReplicate(t *testing.T) {
	var trials []record.Trial
	for r, drift := range []float64{1, .5, 2, 1.4} {
		trials = append(trials, trial("m1", r, 1e9*drift, onCPUs(1)), trial("m1", r, 1.8e9*drift, onCPUs(2)))
	}
	paired := sweep.KindSpeedup.Of(at(t, Show(trials, nil, nil), "2 cpus"))
	holds(t, "paired", paired.Value, *paired.Lo, *paired.Hi, 1.8, 1e-9)
	if width := *paired.Hi / *paired.Lo; width > 1.03 {
		t.Errorf("the drift of 4 replicates widens the interval to %v", width)
	}
	imported := alter(trials, func(record.Trial) bool { return true }, planned(""))
	loose := sweep.KindSpeedup.Of(at(t, Show(imported, nil, nil), "2 cpus"))
	if *loose.Lo > 1 || math.Abs(loose.Value-1.8) > 1e-9 {
		t.Errorf("without a plan nothing cancels the drift: %v, %v to %v", loose.Value, *loose.Lo, *loose.Hi)
	}
}

func TestNoOverOne(t *testing.T) {
	line := stat.Curve{Gamma: 1e9, Yield: 1}
	for name, trials := range map[string][]record.Trial{
		"nothing at one CPU": swept("m1", line, []int{2, 4}, 3, .01),
		"another size": append(swept("m1", line, []int{1}, 3, .01, key("aes.size", "1MiB")),
			swept("m1", line, []int{4}, 3, .01)...),
		"another machine": append(swept("m2", line, []int{1}, 3, .01), swept("m1", line, []int{4}, 3, .01)...),
		"less is better":  swept("m1", line, []int{1, 4}, 3, .01, as(record.LatencyP50, record.Lower)),
		"all void at one": append(swept("m1", line, []int{1}, 3, .01, void("late")), swept("m1", line, []int{4}, 3, .01)...),
	} {
		if over := sweep.KindSpeedup.Of(at(t, Show(trials, nil, nil), "4 cpus")); over != nil {
			t.Errorf("%s: %+v", name, over)
		}
	}
	two := sweep.KindSpeedup.Of(at(t, Show(swept("m1", line, []int{1, 4}, 2, .01), nil, nil), "4 cpus"))
	if two == nil || two.Lo != nil || math.Abs(two.Value-4) > .2 {
		t.Errorf("two replicates: %+v", two)
	}
}
