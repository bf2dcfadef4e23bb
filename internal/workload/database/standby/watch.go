package standby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/record"
)

// every is the interval of samples.
const every = 200 * time.Millisecond

// standsStill is how long a standby may make nothing of the log durable that its primary has: one that does not in that
// time cannot follow, and commits that wait for it would do so for ever.
const standsStill = 30 * time.Second

// sample is how far a standby was at an instant: positions in the log in bytes, and the lags that its primary measured
// in ns; -1 for one that it did not.
type sample struct {
	at                      int64 // CLOCK_MONOTONIC, ns
	own                     int64 // what the primary has made durable
	sent, flushed, replayed int64
	flushLag, replayLag     int64
}

// A standby that is not connected is at 0.
//
//nolint:lll // a raw string
const sampleQuery = `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint,
 coalesce(pg_wal_lsn_diff(max(sent_lsn), '0/0'), 0)::bigint, coalesce(pg_wal_lsn_diff(max(flush_lsn), '0/0'), 0)::bigint,
 coalesce(pg_wal_lsn_diff(max(replay_lsn), '0/0'), 0)::bigint,
 coalesce(extract(epoch from max(flush_lag)) * 1e9, -1)::bigint, coalesce(extract(epoch from max(replay_lag)) * 1e9, -1)::bigint
 from pg_catalog.pg_stat_replication where application_name = '` + postgres.StandbyName + `'`

// run samples until ctx ends, or until the standby does not follow any more.
func (f *Follower) run(ctx context.Context) {
	defer close(f.stopped)
	tick := time.NewTicker(every)
	defer tick.Stop()
	var still stillness
	for {
		err := f.look(ctx, &still)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			f.give(err)
			return
		}
		select {
		case <-tick.C:
		case <-f.Gone():
			f.give(f.Ended(who))
			return
		case <-ctx.Done():
			return
		}
	}
}

// errPrimary is the error of a primary that does not answer: its own end is told by who started it.
var errPrimary = errors.New("the primary does not answer")

// look takes a sample.
func (f *Follower) look(ctx context.Context, still *stillness) error {
	var s sample
	err := f.conn.QueryRow(ctx, sampleQuery).Scan(&s.own, &s.sent, &s.flushed, &s.replayed, &s.flushLag, &s.replayLag)
	if err != nil {
		return fmt.Errorf("%w: %w", errPrimary, err)
	}
	if s.at, err = cputime.Monotonic(); err != nil {
		return err
	}
	f.mu.Lock()
	if n := len(f.samples); s.flushed == 0 && n > 0 { // not connected: it is where it was
		last := f.samples[n-1]
		s.sent, s.flushed, s.replayed = last.sent, last.flushed, last.replayed
	}
	f.samples = append(f.samples, s)
	f.mu.Unlock()
	if behind := still.since(s); behind > standsStill {
		return f.withOutput(fmt.Errorf("the standby does not follow: for %v it has made nothing of its primary's log "+
			"durable, of which it lacks %s",
			standsStill, record.FormatSize(s.own-s.flushed)))
	}
	return nil
}

// give ends what waits for the standby.
func (f *Follower) give(err error) {
	if errors.Is(err, errPrimary) {
		return
	}
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	f.fail()
}

// stillness tells how long a standby has lacked log without getting any further.
type stillness struct {
	flushed int64
	at      int64
}

func (l *stillness) since(s sample) time.Duration {
	if l.at == 0 || s.flushed > l.flushed || s.flushed >= s.own {
		l.flushed, l.at = s.flushed, s.at
	}
	return time.Duration(s.at - l.at)
}
