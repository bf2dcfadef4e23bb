package run

import (
	"context"
	"fmt"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// TestStopwatch: a loop whose time is up goes on until each cell has enough replicates; one that has them ends with its
// time.
func TestStopwatch(t *testing.T) {
	trials := func(s *Stopwatch, replicates ...int) {
		for _, r := range replicates {
			if err := s.Trial(record.Trial{ID: fmt.Sprint(r), Slot: record.Slot{Replicate: r}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	var late Stopwatch
	slow, stop := late.Within(t.Context(), time.Hour, 3)
	defer stop()
	late.up = true
	if trials(&late, 0, 1, 2); slow.Err() != nil {
		t.Error("it ended before the third replicate was complete")
	}
	if trials(&late, 3); slow.Err() != context.Canceled || len(late.Took()) != 4 {
		t.Errorf("%v after three replicates, %v", slow.Err(), late.Took())
	}
	var quick Stopwatch
	fast, stop := quick.Within(t.Context(), time.Hour, 3)
	defer stop()
	if trials(&quick, 0, 1, 2, 3, 4); fast.Err() != nil {
		t.Error("it ended before its time was up")
	}
}

// TestStopwatchEnds: without enough replicates after four times the limit.
func TestStopwatchEnds(t *testing.T) {
	var s Stopwatch
	ctx, stop := s.Within(t.Context(), time.Millisecond, 3)
	defer stop()
	<-ctx.Done()
	if ctx.Err() != context.DeadlineExceeded {
		t.Error(ctx.Err())
	}
}
