package session

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"plimsoll/internal/record"
)

// importedLine is an imported trial's line as a Writer formats it.
func importedLine(tb testing.TB, change func(*record.Trial)) []byte {
	tb.Helper()
	t := record.Trial{
		ID: "p-r1-g6-c6-a0", Plan: "p", Cell: 6, Group: 6, Replicate: 1,
		Keys: map[string]string{record.KeyImported: "csv", record.KeyMachine: "m", record.KeyWorkload: "w", "w.mode": "{x}"},
		Load: record.LoadPoint{Kind: record.Open, Level: 1e9, Unit: record.ParamRate, Arrivals: "poisson"},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: 814.462},
			{Metric: record.Metric{Name: "left", Unit: ""}, Value: -1.5e-300},
		},
	}
	change(&t)
	line, err := encodeTrial(t)
	if err != nil {
		tb.Fatal(err)
	}
	return line[:len(line)-1]
}

// TestImportLine: lines of imports are recognised, and hold the same as JSON decodes; others are left to it.
func TestImportLine(t *testing.T) {
	pair := 3
	for name, c := range map[string]struct {
		change func(*record.Trial)
		quick  bool
	}{
		"plain":      {func(*record.Trial) {}, true},
		"pair":       {func(t *record.Trial) { t.Pair = &pair }, true},
		"one value":  {func(t *record.Trial) { t.Values = t.Values[:1] }, true},
		"no value":   {func(t *record.Trial) { t.Values = []record.Value{} }, false},
		"escapes":    {func(t *record.Trial) { t.Keys["w.mode"] = `a"b` }, false},
		"not ASCII":  {func(t *record.Trial) { t.Keys["w.mode"] = "größer" }, false},
		"its own ID": {func(t *record.Trial) { t.ID = "größer" }, false},
		"a doc":      {func(t *record.Trial) { t.Values[0].Doc = "text" }, false},
		"void":       {func(t *record.Trial) { t.Void = "errors" }, false},
		"doubts":     {func(t *record.Trial) { t.Doubts = []string{"odd"} }, false},
		"measured":   {func(t *record.Trial) { t.DurationS = 10 }, false},
		"an attempt": {func(t *record.Trial) { t.Attempt = 1 }, false},
	} {
		line := importedLine(t, c.change)
		if got := sameAsJSON(t, line); got != c.quick {
			t.Errorf("%s: recognised: %v", name, got)
		}
	}
}

// sameAsJSON reports whether a line is recognised; if it is, its trial is the one of its JSON.
func sameAsJSON(tb testing.TB, line []byte) bool {
	tb.Helper()
	s := &scan{reader: newReader(context.Background()), keys: map[string]map[string]string{}}
	got, ok := s.importLine(line)
	if !ok {
		return false
	}
	var want record.Trial
	if err := json.Unmarshal(line, &want); err != nil {
		tb.Fatalf("%s: %v", line, err)
	}
	if again, ok := s.importLine(line); !ok || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(again, want) {
		tb.Fatalf("%s:\n%+v\n%+v\nwant\n%+v", line, got, again, want)
	}
	return true
}

// FuzzImportLine: whatever is recognised holds the same as its JSON.
func FuzzImportLine(f *testing.F) {
	f.Add(importedLine(f, func(*record.Trial) {}))
	f.Add(importedLine(f, func(t *record.Trial) { t.Values = t.Values[:1] }))
	f.Fuzz(func(t *testing.T, line []byte) { sameAsJSON(t, line) })
}
