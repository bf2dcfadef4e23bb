package plan

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

const goodSuite = `
name: demo
doc: a demonstration
quick: true
replicates: 4
for: 1m30s
warmup: 0s
margin: 0.01
measure:
  - workload: kernel
    set: {size: 4MiB, bits: 128}
    sweep: {cpus: [1, all]}
  - workload: command
    set: {line: "true"}
factors:
  - name: kernel.bits
    values: [128, 256]
  - name: tool
    levels:
      - {name: a, set: {command.line: "true"}}
      - {name: b, set: {command.line: "false"}}
`

func TestParseSuite(t *testing.T) {
	req, err := ParseSuite("file", []byte(goodSuite))
	if err != nil {
		t.Fatal(err)
	}
	if req.Name != "demo" || req.DurationS != 90 || req.WarmupS != 0 || !req.Quick || req.Margin != 0.01 {
		t.Errorf("%+v", req)
	}
	p := resolve(t, req)
	if len(p.Cells) != 6 || p.Replicates != 4 {
		t.Errorf("%d cells, %d replicates", len(p.Cells), p.Replicates)
	}
}

// TestQuickValues: a suite entry's values for a quick experiment replace those it sets and sweeps, and nothing else.
func TestQuickValues(t *testing.T) {
	const text = `
max_replicates: 10
measure:
  - workload: kernel
    set: {bits: 128}
    sweep: {size: [1MiB, 2MiB, 4MiB], cpus: [1, all]}
    quick: {bits: 256, size: [4KiB, 8KiB], cpus: 1}
`
	for name, c := range map[string]struct {
		text  string
		quick bool
		want  []string
	}{
		"full": {text, false, []string{"128 1MiB 1", "128 1MiB all", "128 2MiB 1", "128 2MiB all", "128 4MiB 1",
			"128 4MiB all"}},
		"by flag":      {text, true, []string{"256 4KiB 1", "256 8KiB 1"}},
		"by itself":    {"quick: true" + text, false, []string{"256 4KiB 1", "256 8KiB 1"}},
		"and the flag": {"quick: true" + text, true, []string{"256 4KiB 1", "256 8KiB 1"}},
	} {
		req, err := ParseSuite("file", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		limit := 10
		if c.quick {
			req.Quicken()
			limit = QuickMost
		}
		if req.Limit != limit {
			t.Errorf("%s: at most %d pairs, want %d", name, req.Limit, limit)
		}
		req.Limit = 0 // there is nothing to compare here
		var got []string
		for _, cell := range resolve(t, req).Cells {
			got = append(got, strings.Join([]string{cell.Params["bits"], cell.Params["size"], cell.Params["cpus"]}, " "))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: cells %q, want %q", name, got, c.want)
		}
	}
}

func TestParseSuiteRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":            "nothing to measure",
		"measure: []": "nothing to measure",
		"measure: [{workload: kernel}]\n---\nmeasure: [{workload: kernel}]": "it has several documents",
		"mesure: []": `unknown field "mesure"`,
		"measure: 3": "1 | measure: 3",
		"for: soon\nmeasure: [{workload: kernel}]":                          "for: time",
		"warmup: 5\nmeasure: [{workload: kernel}]":                          "warmup: time",
		"warmup: -1s\nmeasure: [{workload: kernel}]":                        "warmup: -1s is negative",
		"measure: [{workload: kernel, set: {size: }}]":                      "size: <nil> is not text",
		"measure: [{workload: kernel, sweep: {size: [[1]]}}]":               "size: [1] is not text",
		"measure: [{workload: kernel}]\nfactors: [{name: f, values: [{}]}]": "f: map[] is not text",
		"\tx": "file",
		"measure: [{workload: kernel, quick: {size: [[1]]}}]": "size: [1] is not text",
		"measure: [{workload: kernel, quick: {size: []}}]":    "size: quick: an empty list",
		"measure: [{workload: kernel, sett: {a: 1}}]":         `unknown field "sett"`,
	} {
		_, err := ParseSuite("file", []byte(text))
		var bad *usage.Error
		if !errors.As(err, &bad) {
			t.Errorf("%q: error %v", text, err)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %q lacks %q", text, err, want)
		}
	}
}

func FuzzParseSuite(f *testing.F) {
	f.Add([]byte(goodSuite))
	f.Add([]byte("measure: [{workload: kernel, sweep: {cpus: [1, 2]}}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		req, err := ParseSuite("file", text)
		if err == nil && len(req.Measure) == 0 {
			t.Error("a suite that measures nothing was accepted")
		}
	})
}

func TestEdit(t *testing.T) {
	req, err := ParseSuite("file", []byte(goodSuite))
	if err != nil {
		t.Fatal(err)
	}
	decls := declared()
	if err := req.Set("kernel.cpus", "2", decls); err != nil {
		t.Fatal(err)
	}
	if err := req.Sweep("kernel.size", []string{"1KiB", "2KiB"}, decls); err != nil {
		t.Fatal(err)
	}
	p := resolve(t, req)
	if len(p.Cells) != 6 || p.Cells[0].Params["size"] != "1KiB" || p.Cells[0].Load.Level != 2 {
		t.Errorf("%+v", p.Cells)
	}
	for key, want := range map[string]string{"kernel": "WORKLOAD.NAME", "kernel.x": "unknown parameter",
		"kernl.size": "did you mean kernel?"} {
		if err := req.Set(key, "1", decls); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("set %s: %v", key, err)
		}
	}
	if err := req.Sweep("kernel.size", []string{"1KiB", "1KiB"}, decls); err == nil {
		t.Error("a value swept twice was accepted")
	}
	only := Request{Measure: kernel(nil)}
	if err := only.Set("command.line", "x", decls); err == nil || !strings.Contains(err.Error(), "not measured") {
		t.Errorf("a workload that is not measured: %v", err)
	}
}

// TestOwnTimes: an entry's times are those of its runs, in the plan, its orders and its forecast; a quick experiment
// has none of them, and quick_for is the time of its runs.
func TestOwnTimes(t *testing.T) {
	const text = `
for: 2s
warmup: 1s
quick_for: 500ms
replicates: 1
measure:
  - workload: kernel
  - {workload: command, set: {line: "true", clients: 1}, for: 1h, warmup: 10s}
  - {workload: command, set: {line: "false", clients: 1}, for: 30s}
`
	for name, c := range map[string]struct {
		quick bool
		want  [][2]float64
		total float64
	}{
		"in full": {false, [][2]float64{{1, 2}, {10, 3600}, {1, 30}}, 3 + 3610 + 31},
		"quick":   {true, [][2]float64{{.3, .5}, {.3, .5}, {.3, .5}}, 3 * .8},
	} {
		req, err := ParseSuite("file", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if c.quick {
			req.Quicken()
		}
		p := resolve(t, req)
		got := make([][2]float64, len(p.Cells))
		course := Follow(p)
		for {
			o, ok := course.Next()
			if !ok {
				break
			}
			got[o.Sides[0].Cell] = [2]float64{o.WarmupS, o.DurationS}
			course.Add(record.Trial{ID: o.SlotOf(0).ID(), Slot: o.SlotOf(0)})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: orders of %v, want %v", name, got, c.want)
		}
		if load := Follow(p).Remaining(nil).Load; math.Abs(load-c.total) > 1e-6 {
			t.Errorf("%s: %v s, want %v", name, load, c.total)
		}
	}
}

func TestOwnTimesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"measure: [{workload: kernel, for: soon}]":        "kernel: for: soon is not a time",
		"measure: [{workload: kernel, for: 1ms}]":         "kernel: for: 1ms is not a time from 10ms",
		"measure: [{workload: kernel, warmup: 0s}]":       "kernel: warmup: 0s is not a time",
		"measure: [{workload: kernel, for: 200h}]":        "to a week",
		"quick_for: never\nmeasure: [{workload: kernel}]": "quick_for: never is not a time",
	} {
		if _, err := ParseSuite("file", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v lacks %q", text, err, want)
		}
	}
}
