package convert

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestNumbersAreTakenWhole: a group around a part of a number, or a unit beside it that is not the one asked for, gives
// no figure. Each was one.
func TestNumbersAreTakenWhole(t *testing.T) {
	const number, digits = `lat: ([0-9.]+)`, `lat: .*?([0-9]+)`
	for _, tc := range []struct {
		name, out, pattern, unit string
		want                     float64
		err                      string // "": the value
	}{
		{"decimal comma", "lat: 12,5 ms\n", number, "ms", 0, `"12" of "12,5"`},
		{"decimal comma behind anything", "lat: 12,5 ms\n", `lat: ([0-9.]+).*`, "ms", 0, `"12" of "12,5"`},
		{"thousands", "lat: 1,234.5\n", number, "op/s", 0, `"1" of "1,234.5"`},
		{"thousands, apostrophe", "lat: 1'234\n", number, "op/s", 0, `"1" of "1'234"`},
		{"exponent", "lat: 1.5e+06\n", number, "op/s", 0, `"1.5" of "1.5e+06"`},
		{"prefix", "lat: 12.5k\n", number, "op/s", 0, `"12.5" of "12.5k"`},
		{"prefix before more", "lat: 12M requests\n", number, "op/s", 0, `"12" of "12M"`},
		{"sign", "lat: -3 us\n", `lat: .*?([0-9.]+)`, "us", 0, `"3" of "-3"`},
		{"fraction", "lat: 12.5 us\n", digits, "us", 0, `"12" of "12.5"`},
		{"the end of a fraction", "lat: 12.5 us\n", `([0-9]+) us`, "us", 0, `"5" of "12.5"`},
		{"another unit", "lat: 1.2ms\n", number, "us", 0, "is in ms, and --unit says us"},
		{"another unit behind a space", "lat: 12.5 s\n", number, "ms", 0, "is in s, and --unit says ms"},
		{"greek mu", "lat: 12.5 μs\n", number, "ms", 0, "and --unit says ms"},
		{"MiB for MB", "lat: 5 MiB/s\n", number, "MB/s", 0, "is in MiB/s, and --unit says MB/s"},
		{"seconds of an operation", "lat: 5 ms\n", number, "ns/op", 0, "is in ms, and --unit says ns/op"},

		{"the unit", "lat: 12.5ms\n", number, "ms", 0.0125, ""},
		{"micro sign", "lat: 12.5 µs\n", number, "us", 12.5e-6, ""},
		{"a sentence's end", "lat: 12.5.\n", `lat: ([0-9]+\.[0-9]+)`, "ms", 0.0125, ""},
		{"a list", "lat: 12, 13\n", number, "ms", 0.012, ""},
		{"cells", "lat,12,13,14\n", `lat,([0-9.]+),`, "ms", 0.012, ""},
		{"a range", "lat: 5-10\n", number, "ms", 0.005, ""},
		{"a time of day", "12:30:05 lat: 3\n", number, "ms", 0.003, ""},
		{"another word", "lat: 12 minutes or so, 13 s\n", number, "ms", 0.012, ""},
		{"a rate", "lat: 5 MB in 3 s\n", number, "B/s", 5, ""},
		{"no unit asked", "lat: 5 ms\n", number, "", 5, ""},
		{"a name behind it", "lat: 5Kops\n", number, "op/s", 5, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _, err := Parse([]byte(tc.out), Ask{Regexp, tc.pattern, record.Metric{Unit: tc.unit}})
			switch {
			case tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)):
				t.Errorf("got %+v and the error %v, want %q", got, err, tc.err)
			case tc.err == "" && (err != nil || math.Abs(got[0].Value-tc.want) > 1e-12):
				t.Errorf("got %+v and the error %v, want %g", got, err, tc.want)
			}
		})
	}
}

// TestTwoPackagesAreTwoBenchmarks: the mean of two benchmarks that have one name is of neither.
func TestTwoPackagesAreTwoBenchmarks(t *testing.T) {
	out := "pkg: a\nBenchmarkX-8 100 12 ns/op\npkg: b\nBenchmarkX-8 100 50 ns/op\n"
	if got, _, err := Parse([]byte(out), Ask{Format: Go}); err == nil || !strings.Contains(err.Error(), "these are two") {
		t.Errorf("got %+v and the error %v", got, err)
	}
}

// TestRatesOfParsedToolsWereReached: what a tool was asked for and did not do fails a run of exec as it does an import.
func TestRatesOfParsedToolsWereReached(t *testing.T) {
	out := string(captured(t, "reported/fio-sync-depth.json"))
	_, _, err := Parse([]byte(strings.Replace(out, `"iodepth" : "32"`, `"iodepth" : "32", "rate_iops" : "20000"`, 1)),
		Ask{Format: "fio"})
	if err == nil || !strings.Contains(err.Error(), "of 2e+04 offered operations/s were done") {
		t.Errorf("the error is %v", err)
	}
}
