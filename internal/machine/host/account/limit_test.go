package account

import (
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

func FuzzLimits(f *testing.F) {
	hosttest.Seed(f, nil, "max 100000\n", "150000 100000", "max", "9223372036854771712", "-1 1")
	f.Fuzz(func(t *testing.T, b []byte) {
		if cpus, err := parseCPUMax(b); !(cpus >= 0) || err != nil && cpus != 0 {
			t.Errorf("%v CPUs, %v", cpus, err)
		}
		if n, err := parseMemoryMax(b); n < 0 || err != nil && n != 0 {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

func TestParseCPUMax(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want any
	}{
		{"150000 100000\n", 1.5}, {"max 100000", 0.0}, {"-1 100000", 0.0},
		{"1 0", nil}, {"max", nil}, {"x 1", nil},
	} {
		got, err := parseCPUMax([]byte(tt.in))
		if (err == nil) != (tt.want != nil) || tt.want != nil && any(got) != tt.want {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseMemoryMax(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want any
	}{
		{"max\n", int64(0)}, {"9223372036854771712\n", int64(0)}, {"4096", int64(4096)}, {"-1", nil},
	} {
		got, err := parseMemoryMax([]byte(tt.in))
		if (err == nil) != (tt.want != nil) || tt.want != nil && any(got) != tt.want {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}
