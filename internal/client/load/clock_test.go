package load

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestClockIsCLOCK_MONOTONIC(t *testing.T) {
	c, err := NewClock()
	if err != nil {
		t.Fatal(err)
	}
	var between unix.Timespec
	for range 1000 {
		before := c.Now()
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &between); err != nil {
			t.Fatal(err)
		}
		after := c.Now()
		// The offset is taken within one system call, microseconds at most.
		if slack := int64(20_000); between.Nano() < before-slack || between.Nano() > after+slack {
			t.Fatalf("CLOCK_MONOTONIC %d is not between readings %d and %d", between.Nano(), before, after)
		}
	}
	if cost := c.Cost(); !(cost > 0) {
		t.Errorf("a reading costs %g ns", cost)
	}
}
