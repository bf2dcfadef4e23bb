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

	"plimsoll/internal/host/topology"
	"plimsoll/internal/load"
	"plimsoll/internal/pgload"
)

// How often is sampled what the server has counted, and what its backends are doing. With a few clients a second of it costs about
// 5 ms of CPU time, the server's part included (measured: 0.4 to 0.5 % of one CPU); a trial states what it was.
const (
	countsEvery = time.Second
	sampleEvery = 100 * time.Millisecond
)

// watcher samples what a server does over a connection of its own, on a thread of its own, so that its clock says what that costs.
type watcher struct {
	conn     *pgload.Conn
	clock    load.Clock
	cpus     []int    // that its thread keeps to; empty: any
	backend  *os.File // what the server spends on it; nil where the server is elsewhere
	counts   pgload.Statement
	activity pgload.Statement
	watched
	broken  error
	abandon context.CancelFunc // what the connection waits for
	stop    chan struct{}
	stopped chan struct{}
}

// newWatcher connects to a database. work are the CPUs of a server that was started here; local says that there is one.
func newWatcher(ctx context.Context, dsn string, local bool, work []int) (*watcher, error) {
	clock, err := load.NewClock()
	if err != nil {
		return nil, err
	}
	ctx, abandon := context.WithCancel(ctx)
	conn, err := pgload.Dial(ctx, dsn)
	if err != nil {
		abandon()
		return nil, err
	}
	w := &watcher{conn: conn, clock: clock, abandon: abandon, stop: make(chan struct{}), stopped: make(chan struct{})}
	if err := w.prepare(local, work); err != nil {
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
	if w.counts, err = w.conn.Prepare(c.countersQuery()); err != nil {
		return err
	}
	if w.activity, err = w.conn.Prepare(c.activityQuery()); err != nil {
		return err
	}
	if !local {
		return nil
	}
	if w.cpus, err = beside(work); err != nil {
		return err
	}
	w.backend, err = os.Open(fmt.Sprintf("/proc/%d/schedstat", c.pid))
	if errors.Is(err, os.ErrNotExist) { // a kernel that keeps no such counts
		err = nil
	}
	return err
}

// beside are the CPUs that the server does not have; none where it has all.
func beside(work []int) ([]int, error) {
	if len(work) == 0 {
		return nil, nil
	}
	all, err := topology.Allowed()
	return slices.DeleteFunc(all, func(cpu int) bool { return slices.Contains(work, cpu) }), err
}

// run samples until end. Its thread is never unlocked, since its CPUs are its own; with the goroutine it ends.
func (w *watcher) run() {
	defer close(w.stopped)
	runtime.LockOSThread()
	if len(w.cpus) > 0 {
		w.broken = topology.PinTo(w.cpus)
	}
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
			w.broken = errors.Join(w.broken, w.count())
			return
		case <-tick.C:
		}
	}
}

// count samples the server's counters.
func (w *watcher) count() error {
	var c counted
	w.conn.Queue(w.counts, nil)
	err := w.conn.Exchange(func(_ int, columns [][]byte) error { return numbers(columns, c.n[:]) })
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

// firstNumber is the one that a line begins with; 0 where it begins with none.
func firstNumber(line []byte) int64 {
	end := slices.IndexFunc(line, func(b byte) bool { return b < '0' || b > '9' })
	n, _ := whole(line[:max(end, 0)])
	return n
}

// look samples what the backends are doing.
func (w *watcher) sample() error {
	w.conn.Queue(w.activity, nil)
	w.begin()
	err := w.conn.Exchange(w.row)
	w.finish(w.clock.Now())
	return err
}

// endWithin is how long a server may take to answer the last that it is asked.
const endWithin = 5 * time.Second

// end ends the sampling; what was seen can be read then.
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
