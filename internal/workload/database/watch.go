package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/machine/host/topology"
)

// The sampling intervals of the server's counters and of its backends' activity. With a few clients a second of it
// costs about 5 ms of CPU time, including the server's part (measured: 0.4 to 0.5% of one CPU); a trial reports its
// actual cost.
const (
	countsEvery = time.Second
	sampleEvery = 100 * time.Millisecond
)

// watcher samples a server's activity over a connection of its own, on a thread of its own, so that the thread's
// clock measures the cost.
type watcher struct {
	conn     *pgload.Conn
	clock    load.Clock
	cpus     []int    // of its thread; empty: any
	backend  *os.File // CPU accounting of its backend; nil if the server is external
	counts   *asked
	activity *asked
	name     pgload.Args // the load's application_name
	rights   []string    // notes on what the role may not see
	left     bool        // the load's connections are closed
	watched
	broken  error
	abandon context.CancelFunc // cancels the connection's requests
	stop    chan struct{}
	stopped chan struct{}
}

// newWatcher connects to a database that clients of that application_name load. work are the CPUs of a server started
// here; local reports whether there is one.
func newWatcher(ctx context.Context, dsn, name string, local bool, work []int) (*watcher, error) {
	clock, err := load.NewClock()
	if err != nil {
		return nil, err
	}
	ctx, abandon := context.WithCancel(ctx)
	conn, err := pgload.Dial(ctx, dsn, name)
	if err != nil {
		abandon()
		return nil, err
	}
	w := &watcher{conn: conn, clock: clock, abandon: abandon, stop: make(chan struct{}), stopped: make(chan struct{})}
	err = pgload.Answered(conn, abandon)
	if err == nil {
		err = w.prepare(local, work)
	}
	if err != nil {
		abandon()
		return nil, errors.Join(err, conn.Close())
	}
	return w, nil
}

func (w *watcher) prepare(local bool, work []int) error {
	c, err := catalogOf(w.conn)
	if err != nil {
		return err
	}
	w.catalog = c
	if err := w.probe(); err != nil {
		return err
	}
	w.counts, w.activity = &asked{sql: w.catalog.countersQuery()}, &asked{sql: c.activityQuery()}
	if !local {
		return nil
	}
	if w.cpus, err = beside(work); err != nil {
		return err
	}
	w.backend, err = os.Open(fmt.Sprintf("/proc/%d/schedstat", c.pid))
	if errors.Is(err, os.ErrNotExist) { // a kernel without such counts
		err = nil
	}
	return err
}

// beside returns the CPUs that the server does not have; none if it has all.
func beside(work []int) ([]int, error) {
	if len(work) == 0 {
		return nil, nil
	}
	all, err := topology.Allowed()
	return slices.DeleteFunc(all, func(cpu int) bool { return slices.Contains(work, cpu) }), err
}

// asked is a query that is asked again and again: prepared, unless a pooler lends the server's connection to others in
// between.
type asked struct {
	sql      string
	prepared pgload.Statement
	pooled   bool
}

func (q *asked) of(c *pgload.Conn, args *pgload.Args, row func(int, [][]byte) error) error {
	var failed *pgload.Failed
	if !q.pooled {
		var err error
		if q.prepared, err = c.Prepare(q.sql); err == nil {
			c.Queue(q.prepared, args)
			err = c.Exchange(row)
		}
		if q.pooled = errors.As(err, &failed) && failed.Pooled(); !q.pooled {
			return err
		}
	}
	c.QueueText(q.sql, args)
	return c.Exchange(row)
}

// run samples until end. Its thread is never unlocked, since it has CPUs of its own; it ends with the goroutine.
func (w *watcher) run() {
	defer close(w.stopped)
	runtime.LockOSThread()
	if len(w.cpus) > 0 {
		w.broken = topology.PinTo(w.cpus)
	}
	w.scans[0] = scansOf(w.conn)
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	next := int64(0)
	for w.broken == nil {
		if now := w.clock.Now(); now >= next {
			next = now + int64(countsEvery-sampleEvery/2)
			w.broken = w.count()
		}
		w.broken = errors.Join(w.broken, w.sample())
		select {
		case <-w.stop:
			w.await()
			w.broken = errors.Join(w.broken, w.count())
			w.scans[1] = scansOf(w.conn)
			return
		case <-tick.C:
		}
	}
}

// count samples the server's counters.
func (w *watcher) count() error {
	var c counted
	err := w.counts.of(w.conn, nil, func(_ int, columns [][]byte) error { return numbers(columns, c.n[:]) })
	if err != nil {
		return err
	}
	c.at, c.own = w.clock.Now(), w.conn.Trips()
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		return err
	}
	c.cost = used.Nano()
	if w.backend != nil {
		var buf [64]byte
		n, err := w.backend.ReadAt(buf[:], 0)
		if err != nil && err != io.EOF {
			return err
		}
		c.cost += firstNumber(buf[:n])
	}
	w.counted = append(w.counted, c)
	return nil
}

// firstNumber returns the number at the start of a line; 0 if there is none.
func firstNumber(line []byte) int64 {
	end := slices.IndexFunc(line, func(b byte) bool { return b < '0' || b > '9' })
	n, _ := whole(line[:max(end, 0)])
	return n
}

// sample samples the activity of the backends.
func (w *watcher) sample() error {
	w.begin()
	err := w.activity.of(w.conn, &w.name, w.row)
	w.finish(w.clock.Now())
	return err
}

// leaveWithin bounds the wait for the backends of closed connections, which count their last transactions as they exit.
const leaveWithin = time.Second

// await waits until the load's backends have exited, if its connections are closed.
func (w *watcher) await() {
	for end := time.Now().Add(leaveWithin); w.left && w.broken == nil && w.backends > 0 &&
		time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		w.broken = w.sample()
	}
}

// endWithin bounds the wait for a server's last answer.
const endWithin = 5 * time.Second

// end ends the sampling, after which the samples can be read.
func (w *watcher) end() error {
	late := time.AfterFunc(endWithin, w.abandon)
	close(w.stop)
	<-w.stopped
	late.Stop()
	defer w.abandon()
	err := w.conn.Close()
	if w.backend != nil {
		err = errors.Join(err, w.backend.Close())
	}
	return errors.Join(w.broken, err)
}
