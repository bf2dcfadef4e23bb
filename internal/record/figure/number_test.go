package figure

import (
	"math"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{5.812e9, "B/s", "5.81 GB/s"}, {999.4e6, "B/s", "999 MB/s"}, {999.6e6, "B/s", "1.00 GB/s"},
		{812, "B/s", "812 B/s"}, {12345, "B/s", "12.3 kB/s"}, {0, "B/s", "0 B/s"}, {2.89e14, "B/$", "289 TB/$"},
		{16384, "B", "16 KiB"}, {25e6, "B", "25 MB"}, {64e6, "B", "64 MB"}, {16283082752, "B", "15.2 GiB"},
		{1 << 30, "B", "1 GiB"}, {1500, "B", "1.50 kB"}, {100, "B", "100 B"}, {1023.5, "B", "1.02 kB"},
		{1.8e-9, "s", "1.80 ns"}, {42e-6, "s", "42.0 µs"}, {1.92e-3, "s", "1.92 ms"}, {0.9996, "s", "1.00 s"},
		{90.25, "s", "90.2 s"}, {0, "s", "0 s"}, {3e-10, "s", "0.300 ns"},
		{12345, "op/s", "12.3k op/s"}, {1.2e6, "tx/s", "1.20M tx/s"}, {99, "op/s", "99.0 op/s"},
		{12.34, "%", "12.3%"}, {0, "%", "0.0%"}, {-0.04, "%", "-0.040%"},
		{35.24, "W", "35.2 W"}, {0.904, "$/h", "0.904 $/h"}, {12345, "J", "12345 J"}, {7, "", "7"}, {0.3333, "", "0.333"},
		{-5.8e9, "B/s", "-5.80 GB/s"}, {1e18, "W", "1e+18 W"}, {1e-9, "W", "1e-09 W"},
		{math.NaN(), "B/s", "n/a"}, {math.Inf(1), "s", "n/a"}, {math.Inf(-1), "B", "n/a"},
	} {
		if got := Quantity(c.v, c.unit); got != c.want {
			t.Errorf("Quantity(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestPrefixed(t *testing.T) {
	for _, c := range []struct {
		v, top float64
		unit   string
		want   string
	}{
		{6660, 32800, "IOPS", "6.66k"}, {31.9e6, 31.9e6, "op/s", "31.9M"}, {66, 32800, "op/s", "0.0660k"},
		{666, 666, "op/s", "666"}, {2e-3, 2e-3, "s", "2.00"}, {12, 50, "%", "12.0"},
	} {
		if got := ScaleFor(c.unit, c.v, c.top).Prefixed(c.v, Digits); got != c.want {
			t.Errorf("%v %s beside %v: %q, want %q", c.v, c.unit, c.top, got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for ratio, want := range map[float64]string{
		1.191: "+19.1%", 0.782: "-21.8%", 1: "0.0%", 1.0001: "0.0%", 0.9999: "0.0%", 3: "+200.0%",
		math.Inf(1): "n/a",
	} {
		if got := Percent(ratio); got != want {
			t.Errorf("Percent(%v) = %q, want %q", ratio, got, want)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		value, lo, hi float64
		unit          string
		want, value2  string
	}{
		{5.81e9, 5.79e9, 5.84e9, "B/s", "5.79 to 5.84 GB/s", "5.81 GB/s"},
		{5.810e9, 5.808e9, 5.812e9, "B/s", "5.808 to 5.812 GB/s", "5.810 GB/s"},
		{10.01e9, 9.6e9, 10.4e9, "B/s", "9.6 to 10.4 GB/s", "10.0 GB/s"},
		{41.6, 40.5, 42.8, "%", "40.5 to 42.8%", "41.6%"},
		{3, 2, 4, "", "2.00 to 4.00", "3"},
		{1, math.NaN(), 2, "s", "", "1.00 s"},
	} {
		s := Between(c.lo, c.hi).Around(c.value)
		u := ScaleFor(c.unit, s.Values()...)
		if got, value := s.Interval(u), s.Estimate(u); got != c.want || value != c.value2 {
			t.Errorf("%v: %q and %q, want %q and %q", c, got, value, c.want, c.value2)
		}
	}
	if got := (Estimate{Value: 1}).Interval(ScaleFor("s", 1)); got != "" {
		t.Errorf("an interval without bounds: %q", got)
	}
}

// A column has one unit, even where its values differ by orders.
// TestSmallShares: differences of small shares have digits of their size, below 0 too.
func TestSmallShares(t *testing.T) {
	u := Scale{Factor: 1, Unit: "%"}
	for v, want := range map[float64]string{-.042: "-0.042", .042: "0.042", -.26: "-0.3", 0: "0.0"} {
		if got := u.NumberLike(v, v, Digits); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

func TestOneScaleForAColumn(t *testing.T) {
	u := ScaleFor("B/s", 12e6, math.NaN(), 5.8e9)
	if got := []string{u.Text(12e6, 3), u.Text(5.8e9, 3)}; got[0] != "0.0120 GB/s" || got[1] != "5.80 GB/s" {
		t.Errorf("got %q", got)
	}
	if mixed := ScaleFor("B", 16384, 25e6); mixed.Unit != "MB" {
		t.Errorf("sizes of both kinds in %q, want MB", mixed.Unit)
	}
}

func TestClaims(t *testing.T) {
	higher, lower := record.Higher, record.Lower
	for _, c := range []struct {
		metric    string
		direction record.Better
		per       string
		verdict   stat.Verdict
		lo, hi    float64
		want      string
	}{
		{"throughput", higher, "machine", stat.Different, 1.172, 1.21, "b is 17.2% to 21.0% faster than a"},
		{"throughput", higher, "vcpu", stat.Different, 0.79, 0.83, "b does 17.0% to 21.0% less work per vCPU than a"},
		{"throughput", higher, "", stat.Undecided, 0.988, 1.034, "b may be 1.2% slower to 3.4% faster than a"},
		{"throughput", higher, "", stat.Equivalent, 1.003, 1.009, "b is 0.3% to 0.9% faster than a, within the margin"},
		{"throughput", higher, "", stat.Equivalent, 0.998, 1.009,
			"b is 0.2% slower to 0.9% faster than a, within the margin"},
		{"throughput", higher, "dollar", stat.Different, 2.1, 2.313, "b does 2.1x to 2.3x as much work per dollar as a"},
		{"throughput", higher, "", stat.Different, 1.0002, 1.004, "b is 0.02% to 0.4% faster than a"},
		{"throughput", higher, "", stat.Equivalent, 1, 1, "b is as fast as a, within the margin"},
		{"throughput", higher, "", stat.Different, 1.05, 1.05, "b is 5.0% faster than a"},
		{"latency_p99", lower, "", stat.Different, 0.96, 0.969, "b's p99 is 3.1% to 4.0% lower than a's (better)"},
		{"time", lower, "", stat.Different, 0.96, 0.969, "b takes 3.1% to 4.0% less time than a"},
		{"time", lower, "core", stat.Different, 3, 3.2, "b's time per core is 3.0x to 3.2x as high as a's (worse)"},
		{"latency_p99", lower, "", stat.Equivalent, 0.99, 0.995, "b's p99 is 0.5% to 1.0% lower than a's, within the margin"},
		{"latency_p99", lower, "", stat.Undecided, 0.99, 1.01, "b's p99 may be 1.0% lower to 1.0% higher than a's"},
		{"clock", record.Neutral, "", "", 1.1, 1.2, "b's clock is 10.0% to 20.0% higher than a's"},
		{"clock", lower, "", "", 1, 1, "b's clock is the same as a's"},
	} {
		said := Claim{
			Subject: "b", Object: "a", Metric: c.metric, Per: c.per, Direction: c.direction,
			Ratio: Between(c.lo, c.hi).Around(1), Within: c.verdict == stat.Equivalent, N: 5, Each: "pair",
		}
		if got := said.Sentence(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestClaimsWithoutInterval(t *testing.T) {
	for want, said := range map[string]Claim{
		"no interval: 2 pairs, 3 needed; by estimate b was 19.0% faster than a": {Ratio: Estimate{Value: 1.19}, N: 2,
			Each: "pair"},
		"no interval: 1 replicate, 3 needed": {Ratio: Estimate{Value: math.NaN()}, N: 1,
			Each: "replicate"},
		"no interval: 5 pairs; by estimate b was 10.0% slower than a": {Ratio: Estimate{Value: 0.9}, N: 5, Each: "pair"},
	} {
		said.Subject, said.Object, said.Direction = "b", "a", record.Higher
		if got := said.Sentence(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
