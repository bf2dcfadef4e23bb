package cpuinfo

import (
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

func FuzzSVELength(f *testing.F) {
	hosttest.Seed(f, nil, "32\n", "16", "-16", "9223372036854775807", "576460752303423488")
	f.Fuzz(func(t *testing.T, b []byte) {
		if bits, err := parseSVELength(b); err != nil && bits != 0 ||
			err == nil && (bits < sveGrain || bits > maxSVEBits || bits%sveGrain != 0) {
			t.Errorf("%d bits, %v", bits, err)
		}
	})
}

func TestParseSVELength(t *testing.T) {
	for in, want := range map[string]int{"16\n": 128, "32": 256, "256": 2048, "0": 0, "-16": 0, "17": 0, "512": 0, "x": 0,
		"576460752303423488": 0} {
		got, err := parseSVELength([]byte(in))
		if got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v, want %d", in, got, err, want)
		}
	}
}
