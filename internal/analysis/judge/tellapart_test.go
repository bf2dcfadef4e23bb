package judge

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// sat is n trials of one cell in a plan of their own.
func sat(plan, file, start string, n int, more ...string) []record.Trial {
	var out []record.Trial
	for i := range n {
		keys := map[string]string{record.KeyMachine: "vm", record.KeyWorkload: "aes", "aes.size": "1KiB",
			record.KeyLoad: "1 cpus"}
		if file != "" {
			keys[record.KeyFile] = file
		}
		for k := 0; k < len(more); k += 2 {
			keys[more[k]] = more[k+1]
		}
		out = append(out, record.Trial{ID: plan, Keys: keys, Slot: record.Slot{Plan: plan, Replicate: i}, Start: start,
			Values: []record.Value{{Metric: record.Metric{Name: "throughput", Unit: "B/s", Better: record.Higher}, Value: 100}}})
	}
	return out
}

func TestTellApart(t *testing.T) {
	const day1, day2 = "2026-11-20T14:00:00Z", "2026-11-21T09:00:00Z"
	main, pr := record.LabelPrefix+"build", "main"
	for name, c := range map[string]struct {
		trials []record.Trial
		want   []string
	}{
		"one session": {sat("p", "", day1, 3), []string{"vm"}},
		"files": {slices.Concat(sat("p", "old", day1, 3), sat("q", "new", day2, 3)),
			[]string{"vm (old)", "vm (new)"}},
		"joined": {slices.Concat(sat("p", "", day1, 3), sat("q", "", day2, 3)),
			[]string{"vm (2026-11-20 14:00:00)", "vm (2026-11-21 09:00:00)"}},
		"labels": {slices.Concat(sat("p", "old", day1, 3, main, pr), sat("q", "new", day2, 3, main, "pr")),
			[]string{"vm (build=main)", "vm (build=pr)"}},
		"a label is not all": {slices.Concat(sat("p", "old", day1, 3, main, pr), sat("q", "new", day2, 3, main, pr)),
			[]string{"vm (old)", "vm (new)"}},
		"one of them has one": {slices.Concat(sat("p", "old", day1, 3), sat("q", "new", day2, 3, main, pr)),
			[]string{"vm (old)", "vm (new)"}},
		"other cells": {slices.Concat(sat("p", "old", day1, 3), sat("q", "new", day2, 3, "aes.size", "2KiB")),
			[]string{"vm"}},
		"a plan in two files": {slices.Concat(sat("p", "old", day1, 3), sat("p", "new", day2, 3)), []string{"vm"}},
		"imports into one file": {slices.Concat(sat("p", "", "", 1, record.KeyImported, "wrk"),
			sat("q", "", "", 1, record.KeyImported, "wrk")), []string{"vm"}},
		"imports into two": {slices.Concat(sat("p", "old", "", 1, record.KeyImported, "wrk"),
			sat("q", "new", "", 1, record.KeyImported, "wrk")), []string{"vm (old)", "vm (new)"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := TellApart(c.trials, []record.Machine{{Name: "vm"}}, nil)
			if levels := axis.LevelsOf(record.KeyMachine, got.Trials, nil); !slices.Equal(levels, c.want) {
				t.Errorf("machines %q, want %q", levels, c.want)
			}
			for _, m := range got.Machines {
				if !slices.Contains(c.want, m.Name) {
					t.Errorf("a machine %q", m.Name)
				}
			}
			if apart := len(c.want) > 1; apart != (len(got.Notes) == 1) || len(got.Machines) != len(c.want) ||
				c.trials[0].Keys[record.KeyMachine] != "vm" {
				t.Errorf("notes %q, machines %v", got.Notes, got.Machines)
			}
			for _, c := range Show(got.Trials, got.Machines, nil).Workloads {
				for _, d := range c.Doubts {
					if strings.HasPrefix(d.Text(), "pooled") && len(got.Machines) > 1 {
						t.Errorf("%s is %s", c.Machine, d)
					}
				}
			}
		})
	}
}

func TestPooled(t *testing.T) {
	for name, c := range map[string]struct {
		trials []record.Trial
		want   []string
	}{
		"one session": {sat("p", "", "2026-11-20T14:00:00Z", 3), nil},
		"over midnight": {slices.Concat(sat("p", "", "2026-11-20T23:50:00Z", 1), sat("p", "", "2026-11-21T00:10:00Z", 1)),
			nil},
		"resumed": {slices.Concat(sat("p", "", "2026-11-20T14:00:00Z", 1, record.KeyBoot, "x"),
			sat("p", "", "2026-11-21T09:00:00Z", 1, record.KeyBoot, "y")),
			[]string{"the runs span 2 days: 2026-11-20; 2026-11-21", "the runs span 2 boots of the machine"}},
		"files": {slices.Concat(sat("p", "a", "", 1), sat("q", "b", "", 1)), []string{"the runs come from 2 files: a; b"}},
		"plans": {slices.Concat(sat("p", "", "", 1), sat("q", "", "", 1)), []string{"the runs come from 2 sessions"}},
		"labels": {slices.Concat(sat("p", "a", "", 1, "label.x", "1"), sat("q", "b", "", 1)),
			[]string{"the runs come from 2 files: a; b", "the runs have 2 different labels: none; x=1"}},
		"imports": {slices.Concat(sat("p", "", "", 1, record.KeyImported, "wrk"),
			sat("q", "", "", 1, record.KeyImported, "wrk")), []string{"the runs come from 2 imported files"}},
	} {
		if got := note.Texts(integrity.Pooled(c.trials)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAxes(t *testing.T) {
	plans := []record.PlanLine{
		{Plan: record.Plan{Factors: []record.Factor{{Name: "aes.bits", Levels: []string{"128", "256"}}}}}}
	two := slices.Concat(sat("p", "old", "", 1, "label.build", "main"), sat("q", "new", "", 1, "label.build", "pr"))
	other := sat("r", "new", "", 1, record.KeyMachine, "b")
	for name, c := range map[string]struct {
		trials []record.Trial
		plans  []record.PlanLine
		want   []string
		by     string
	}{
		"nothing":  {sat("p", "", "", 1), nil, nil, "machine"},
		"a factor": {sat("p", "", "", 1), plans, []string{"aes.bits"}, "aes.bits"},
		"machines": {slices.Concat(two, other), plans, []string{"machine", "aes.bits"}, "machine"},
		"a label":  {two, nil, []string{"label.build"}, "label.build"},
		"files first": {slices.Concat(sat("p", "old", "", 1), sat("q", "new", "", 1)), plans,
			[]string{"file", "aes.bits"}, "file"},
		"not all have it": {slices.Concat(two, sat("s", "third", "", 1)), nil, []string{"file"}, "file"},
	} {
		if got := axis.All(c.trials, c.plans); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := axis.Default(c.trials, c.plans); got != c.by {
			t.Errorf("%s: by %q, want %q", name, got, c.by)
		}
	}
}
