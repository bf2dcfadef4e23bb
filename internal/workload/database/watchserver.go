package database

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// watch is the state of watching a Server during a trial.
type watch struct {
	watcher *watcher // nil: not watched
	over    bool
	log     *serverLog // nil if the server is external
	left    int64      // when the load's connections were closed, CLOCK_MONOTONIC in ns; 0: they are open
	own     int64      // transactions that they ended
	doubts  []string
}

// Dial makes a connection of the load.
func (s *Server) Dial(ctx context.Context) (*pgload.Conn, error) {
	return s.hinted(pgload.DialWith(ctx, s.DSN(), loadName(s.env.Session), ofSessions(s.params)))
}

// DialTo makes a connection of the load to another server, such as a replica.
func (s *Server) DialTo(ctx context.Context, dsn string) (*pgload.Conn, error) {
	return s.hinted(pgload.DialWith(ctx, dsn, loadName(s.env.Session), ofSessions(s.params)))
}

// hinted adds what to do about a refused connection.
func (s *Server) hinted(c *pgload.Conn, err error) (*pgload.Conn, error) {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		if hint := refusalHint(refused); hint != "" {
			return nil, fmt.Errorf("%w\nhint: %s", err, hint)
		}
	}
	return c, err
}

// loadName returns the application_name of a session's clients, on whichever host.
func loadName(session string) string {
	const digits = 12
	return "plimsoll " + session[:min(digits, len(session))]
}

// Left tells that the load's connections are closed, and how many transactions they ended.
func (s *Server) Left(transactions int64) {
	if s.watch.watcher != nil {
		s.watch.left, s.watch.own = s.watch.watcher.clock.Now(), transactions
	}
}

// listen returns the writer of the server's output.
func (w *watch) listen() (io.Writer, error) {
	clock, err := load.NewClock()
	if err != nil {
		return nil, err
	}
	w.log = &serverLog{now: clock.Now}
	return w.log, nil
}

// begin watches a database until end. If that fails, the trial is still measured.
func (w *watch) begin(ctx context.Context, dsn, name string, work []int) {
	watcher, err := newWatcher(ctx, dsn, name, w.log != nil, work)
	if err != nil {
		w.doubts = append(w.doubts, "the server was not watched: "+err.Error())
		return
	}
	w.watcher, w.doubts = watcher, append(w.doubts, watcher.rights...)
	go watcher.run()
}

// end may be called again.
func (w *watch) end() {
	if w.watcher == nil || w.over {
		return
	}
	w.over, w.watcher.left = true, w.left > 0
	if err := w.watcher.end(); err != nil {
		w.doubts = append(w.doubts, "watching the server failed before the end: "+err.Error())
	}
	if w.log == nil && w.left > 0 { // nobody else knows the password of a server of our own
		w.doubts = append(w.doubts, w.watcher.others(w.own, w.left)...)
	}
}

func (w *watch) checkpoints() []record.Event {
	if w.log == nil {
		return nil
	}
	return w.log.events()
}

// Extra implements workload.Extender, by the samples of the watcher and of the standby's.
func (s *Server) Extra(r load.Result) []record.Value {
	if s.StandsBy() {
		return s.standby.Values(r.Start, r.End)
	}
	s.watch.end()
	s.follower.End()
	return append(s.watch.values(r), s.follower.Values(r.Start, r.End)...)
}

func (w *watch) values(r load.Result) []record.Value {
	w.end()
	if w.watcher == nil {
		return nil
	}
	out := w.watcher.extra(r.Start, r.End, r.Ops)
	if len(out) == 0 {
		return nil
	}
	if len(w.checkpoints()) == 0 && w.watcher.catalog.unread[countTimed] {
		return out
	}
	begun := record.Value{Metric: metricOf(record.Checkpoints),
		Value: float64(w.watcher.begun(w.checkpoints(), r.Start, r.End))}
	begun.Doc = ""
	return append(out, begun)
}

// Timeline implements workload.Timeliner: the server's activity in each second.
func (s *Server) Timeline(r load.Result) []workload.Track {
	if s.StandsBy() {
		return s.standby.Tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))
	}
	s.watch.end()
	s.follower.End()
	var out []workload.Track
	if s.watch.watcher != nil {
		out = s.watch.watcher.tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))
	}
	return append(out, s.follower.Tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))...)
}

// Events implements workload.Eventer: checkpoints and autovacuum.
func (s *Server) Events(r load.Result) []record.Event {
	s.watch.end()
	if s.watch.watcher == nil {
		return nil
	}
	return s.watch.watcher.eventsWithin(s.watch.checkpoints(), r.Start, r.End)
}
