package topology

import (
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

func FuzzKernelSize(f *testing.F) {
	hosttest.Seed(f, nil, "32K\n", "1M", "7", "9223372036854775807G")
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := parseKernelSize(b); n < 0 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func TestParseKernelSize(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want any
	}{
		{"32K\n", int64(32 << 10)}, {"512", int64(512)}, {"1G", int64(1 << 30)},
		{"K", nil}, {"-1K", nil}, {"1KK", nil}, {"9223372036854775807K", nil}, {"", nil},
	} {
		got, err := parseKernelSize([]byte(tt.in))
		if (err == nil) != (tt.want != nil) || tt.want != nil && any(got) != tt.want {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}
