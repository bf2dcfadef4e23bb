package record

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "4096B": 4096, "16KiB": 16 << 10, "25MB": 25e6, "25MiB": 25 << 20, "4k": 4096, "16K": 16 << 10,
		"64M": 64 << 20, "1G": 1 << 30, "2T": 2 << 40,
		"1.5KiB": 1536, "1.001MB": 1_001_000, "0.3kB": 300, "1e3kB": 1e6, "16 KiB": 16 << 10,
		"9007199254740993": 1<<53 + 1, "9223372036854775807": math.MaxInt64, "2TiB": 2 << 40, "3TB": 3e12,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseSizeRefuses(t *testing.T) {
	for _, text := range []string{
		"", "B", "KiB", "k", "16m", "16kk", "16kib", "16mb", "-1KiB", "1.5B", "0.0001kB", "NaN", "Inf", "1e99",
		"9223372036854775808", "8388608TiB", "0x10", "1/2kB", "1_000", "16KiB ", "1e-999999999999",
	} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 1: "1B", 1000: "1kB", 1024: "1KiB", 1_024_000: "1000KiB", 1_000_000: "1MB", 1 << 20: "1MiB", 1536: "1536B",
		5 << 40: "5TiB",
	} {
		if got := FormatSize(n); got != want {
			t.Errorf("FormatSize(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestSizeRoundTrip(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		n := r.Int64() >> r.IntN(63)
		if r.IntN(2) == 0 {
			n = n >> 40 << r.IntN(40)
		}
		if back, err := ParseSize(FormatSize(n)); err != nil || back != n {
			t.Fatalf("%d is written %s and read as %d, %v", n, FormatSize(n), back, err)
		}
	}
}

func TestDurationRoundTrip(t *testing.T) {
	const seed = 6
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		ns := r.Int64N(1 << r.IntN(50))
		text := FormatDuration(float64(ns) / 1e9)
		if back, err := ParseDuration(text); err != nil || math.Round(back*1e9) != float64(ns) ||
			FormatDuration(back) != text {
			t.Fatalf("%d ns is written %s and read as %v s, %v", ns, text, back, err)
		}
	}
}

func TestLoadKey(t *testing.T) {
	for _, c := range []struct {
		load LoadPoint
		want string
	}{
		{LoadPoint{Kind: Once, Level: 1}, "once"},
		{LoadPoint{Kind: Closed, Level: 8, Unit: "clients"}, "8 clients"},
		{LoadPoint{Kind: Closed, Level: 2, Unit: "cpus", All: true}, "all cpus"},
		{LoadPoint{Kind: Open, Level: 2_000_000, Unit: "rate", Arrivals: "poisson"}, "2000000/s poisson"},
		{LoadPoint{Kind: Open, Level: 0.5, Unit: "rate", Arrivals: "uniform"}, "0.5/s uniform"},
	} {
		if got := c.load.Key(); got != c.want {
			t.Errorf("Key() = %q, want %q", got, c.want)
		}
	}
}
