package run

import (
	"context"
	"sync"
	"time"

	"plimsoll/internal/record"
)

// overtime is how many times its limit a loop may take for the replicates that it needs.
const overtime = 4

// Stopwatch is a session that records only how long each trial took, and that ends its loop in time.
type Stopwatch struct {
	mu        sync.Mutex
	last      time.Time
	took      map[string]float64
	up        bool // the time is up
	replicate int  // the highest of a trial that is over
	enough    int  // replicates
	end       context.CancelFunc
}

// Within returns a context for the loop that ends after limit, or once each cell has so many replicates, whichever is
// later, and in any case after four times the limit: a busy machine takes longer.
func (s *Stopwatch) Within(ctx context.Context, limit time.Duration, replicates int) (context.Context,
	context.CancelFunc) {
	ctx, stop := context.WithTimeout(ctx, overtime*limit)
	s.last, s.took, s.enough, s.end = time.Now(), map[string]float64{}, replicates, stop
	timer := time.AfterFunc(limit, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.up = true
		s.endIfEnough()
	})
	return ctx, func() { timer.Stop(); stop() }
}

func (s *Stopwatch) endIfEnough() {
	if s.up && s.replicate >= s.enough {
		s.end()
	}
}

// Took returns the seconds since the previous trial, by trial.
func (s *Stopwatch) Took() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.took
}

// Trial implements Session. A trial of one replicate shows that those before it are complete.
func (s *Stopwatch) Trial(trials ...record.Trial) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range trials {
		now := time.Now()
		s.took[t.ID], s.last = now.Sub(s.last).Seconds(), now
		s.replicate = max(s.replicate, t.Replicate)
	}
	s.endIfEnough()
	return nil
}

// Series implements Session.
func (s *Stopwatch) Series(record.Series) error { return nil }

// Event implements Session.
func (s *Stopwatch) Event(record.Event) error { return nil }

// End implements Session.
func (s *Stopwatch) End(record.End) error { return nil }
