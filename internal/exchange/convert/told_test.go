package convert

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestParseTellsWhatAnImportTells: what an output says against itself, and what of it is not read, is told by exec
// --parse as by import.
func TestParseTellsWhatAnImportTells(t *testing.T) {
	quiet := "SET: 50000.00 requests per second, p50=0.5 msec\nGET: many requests per second\n"
	bench := "pkg: a\nBenchmarkOne-2 \t 100 \t 12.5 ns/op\nBenchmarkTwo-2 \t--- FAIL: BenchmarkTwo-2\n" +
		"--- SKIP: BenchmarkThree\n--- FAIL: BenchmarkFour\nPASS\n"
	for format, text := range map[string]string{
		reader.RedisBenchmark: quiet,
		reader.JMH:            strings.Replace(readCapture(t, "jmh-one-fork.json"), `"forks" : 1`, `"forks" : 2`, 1),
		Go:                    bench,
	} {
		want := importedOr(t, format, text)
		_, told, err := Parse([]byte(text), Ask{Format: format})
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if len(want) == 0 || !slices.Equal(told, want) {
			t.Errorf("%s: exec tells %q, import %q", format, told, want)
		}
	}
	// A benchmark that was not asked for may fail.
	if _, told, err := Parse([]byte(bench), Ask{Format: Go, Pattern: "^One"}); err != nil ||
		slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "Two") }) {
		t.Errorf("%q, %v", told, err)
	}
}

func importedOr(t *testing.T, format, text string) []string {
	if format == reader.RedisBenchmark {
		var said []string
		_ = formatNamed(t, format).Read(strings.NewReader(text), Options{File: "f", Machine: "m", Replicate: Unnumbered,
			Load: record.LoadPoint{Kind: record.Closed, Level: 50, Unit: record.ParamClients}},
			func(r Result) error { said = slices.Concat(r.Doubts, r.Unread); return nil })
		return said
	}
	said, _ := toldBy(t, format, text)
	return said
}

// TestGoEvents: what go test -json prints is read as its text is, also if packages took turns.
func TestGoEvents(t *testing.T) {
	event := func(pkg, out string) string {
		text, err := json.Marshal(map[string]string{"Time": "2026-01-01T00:00:00Z", "Action": "output", "Package": pkg,
			"Output": out})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	start := `{"Time":"2026-01-01T00:00:00Z","Action":"start","Package":"a"}` + "\n"
	for name, text := range map[string]string{
		"in turns": start + event("a", "pkg: a\n") + event("b", "pkg: b\n") + event("a", "BenchmarkOne-2  \t") +
			event("b", "BenchmarkTwo-2  \t") + event("a", "     100\t        12.50 ns/op\n") +
			event("b", "     200\t        25.00 ns/op\n") + event("a", "PASS\n") +
			`{"Time":"2026-01-01T00:00:00Z","Action":"pass","Package":"a","Elapsed":0.5}` + "\n",
		"without times": `{"Action":"start","Package":"a"}` + "\nFAIL\tc [build failed]\n" +
			event("a", "BenchmarkOne-2  \t") + event("a", "100\t12.50 ns/op\nBenchmarkTwo-2 200 25 ns/op\n"),
	} {
		values, _, err := Parse([]byte(text), Ask{Format: Go})
		if err != nil || len(values) != 2 ||
			math.Abs(values[0].Value/12.5e-9-1) > 1e-9 || math.Abs(values[1].Value/25e-9-1) > 1e-9 {
			t.Errorf("%s: exec reads %v, %v", name, values, err)
		}
		if _, runs := toldBy(t, Go, text); runs != 2 {
			t.Errorf("%s: import reads %d runs", name, runs)
		}
		if got := Recognise([]byte(text)); len(got) != 1 || got[0].Name != Go {
			t.Errorf("%s is recognised as %v", name, got)
		}
	}
	torn := start + event("a", "BenchmarkOne-2 100 12.5 ns/op\n")
	torn += torn[:40]
	for _, err := range []error{second(Parse([]byte(torn), Ask{Format: Go})),
		formatNamed(t, Go).Read(strings.NewReader(torn), Options{File: "f", Machine: "m", Replicate: Unnumbered},
			func(Result) error { return nil })} {
		if err == nil || !strings.Contains(err.Error(), "line 3 is no event of go test -json") {
			t.Errorf("torn: %v", err)
		}
	}
}

func second(_ []record.Value, _ []string, err error) error { return err }

// TestLineEndsOfOtherSystems: the end of a line is that of Windows and of terminals too, unless the pattern has it.
func TestLineEndsOfOtherSystems(t *testing.T) {
	for pattern, want := range map[string]float64{`(?m)rate: (\S+)$`: 12.5, `(?m)^(\S+) ops$`: 7,
		`(?m)rate: (\S+)\r$`:                            12.5,
		`(?ms)rate: (?P<rate>\S+)$.*^(?P<ops>\S+) ops$`: 12.5} {
		got, _, err := Parse([]byte("rate: 12.5\r\n7 ops\r\n"), Ask{Format: Regexp, Pattern: pattern,
			Metric: record.Metric{Unit: "s", Better: record.Lower}})
		if err != nil || got[0].Value != want {
			t.Errorf("%s: %v, %v", pattern, got, err)
		}
	}
}

// TestRedisShares: versions before 6.2 print shares below bounds, which are no percentiles.
func TestRedisShares(t *testing.T) {
	text := "====== SET ======\n  100000 requests completed in 2.00 seconds\n  50 parallel clients\n  3 bytes payload\n" +
		"  keep alive: 1\n\n99.00% <= 1 milliseconds\n100.00% <= 2 milliseconds\n50000.00 requests per second\n\n"
	for _, end := range []string{"\n", "\r\n"} {
		said, runs := toldBy(t, reader.RedisBenchmark, strings.ReplaceAll(text, "\n", end))
		if want := "latencies are left out, 2 lines"; runs != 1 || len(said) != 1 || !strings.HasPrefix(said[0], want) ||
			!strings.Contains(said[0], "6.2") {
			t.Errorf("%d runs, %q", runs, said)
		}
	}
	if said, _ := toldBy(t, reader.RedisBenchmark, readCapture(t, "redis-benchmark.txt")); len(said) > 0 {
		t.Errorf("a version with percentiles: %q", fmt.Sprint(said))
	}
}
