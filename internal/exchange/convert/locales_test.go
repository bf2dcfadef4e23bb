package convert

import (
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestDecimalCommas: the error names the locale if no figure was read.
func TestDecimalCommas(t *testing.T) {
	tryAll(t, []report{
		{name: "decimal commas of a producer", format: reader.ProducerPerf,
			err: "LC_ALL=C if it has decimal commas", text: "100000 records sent, 9876,543210 records/sec (9,42 MB/sec), " +
				"12,34 ms avg latency, 345,00 ms max latency, 10 ms 50th, 40 ms 95th, 90 ms 99th, 200 ms 99.9th.\n"},
		{name: "decimal commas of JMeter", format: reader.JMeter, load: "4", err: "LC_ALL=C if it has decimal commas",
			text: "summary =  50000 in 00:01:00 =  833,3/s Avg:    12 Min:     1 Max:   500 Err:     0 (0,00%)\n"},
	})
}

// TestBothMus: a unit may have the micro sign or the Greek letter.
func TestBothMus(t *testing.T) {
	for _, unit := range []string{"\u00b5s", "\u03bcs"} {
		if v, err := measured("time", unit, "", 12); err != nil || v.Unit != "s" || v.Better != record.Lower ||
			v.Value != 12e-6 {
			t.Errorf("%+q: %v, %v", unit, v, err)
		}
	}
}
