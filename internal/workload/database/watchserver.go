package database

import (
	"context"
	"io"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// watch is the state of watching a Server during a trial.
type watch struct {
	watcher *watcher // nil: not watched
	over    bool
	log     *serverLog // nil if the server is external
	doubts  []string
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
func (w *watch) begin(ctx context.Context, dsn string, work []int) {
	watcher, err := newWatcher(ctx, dsn, w.log != nil, work)
	if err != nil {
		w.doubts = append(w.doubts, "the server was not watched: "+err.Error())
		return
	}
	w.watcher = watcher
	go watcher.run()
}

// end may be called again.
func (w *watch) end() {
	if w.watcher == nil || w.over {
		return
	}
	w.over = true
	if err := w.watcher.end(); err != nil {
		w.doubts = append(w.doubts, "watching the server failed before the end: "+err.Error())
	}
}

func (w *watch) checkpoints() []record.Event {
	if w.log == nil {
		return nil
	}
	return w.log.events()
}

// Extra implements workload.Extender, by the samples of the watcher.
func (s *Server) Extra(r load.Result) []record.Value {
	s.watch.end()
	if s.watch.watcher == nil {
		return nil
	}
	w := s.watch.watcher
	out := w.extra(r.Start, r.End, r.Ops)
	if len(out) == 0 {
		return nil
	}
	begun := record.Value{Metric: metricOf(record.Checkpoints), Value: float64(w.begun(s.watch.checkpoints(), r.Start, r.End))}
	begun.Doc = ""
	return append(out, begun)
}

// Timeline implements workload.Timeliner: the server's activity in each second.
func (s *Server) Timeline(r load.Result) []workload.Track {
	s.watch.end()
	if s.watch.watcher == nil {
		return nil
	}
	return s.watch.watcher.tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))
}

// Events implements workload.Eventer: checkpoints and autovacuum.
func (s *Server) Events(r load.Result) []record.Event {
	s.watch.end()
	if s.watch.watcher == nil {
		return nil
	}
	return s.watch.watcher.eventsWithin(s.watch.checkpoints(), r.Start, r.End)
}
