package host

import (
	"context"
	"errors"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
)

func TestNearestRank(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(100-i))
	}
	for _, c := range []struct {
		values []float64
		q      float64
		want   float64
	}{{hundred, .99, 99}, {hundred, .5, 50}, {hundred, 1, 100}, {[]float64{7}, .99, 7}, {[]float64{1, 2}, .1, 1}} {
		if got := nearestRank(c.values, c.q); got != c.want {
			t.Errorf("%v of %d values is %v, want %v", c.q, len(c.values), got, c.want)
		}
	}
}

// TestWakeLate: no sleep ends before its time, and one that is interrupted says nothing.
func TestWakeLate(t *testing.T) {
	late, err := wakeLate(t.Context(), hostfs.System())
	if err != nil || late < 0 {
		t.Errorf("%v, %v", late, err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := wakeLate(ended, hostfs.System()); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
