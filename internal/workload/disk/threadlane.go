package disk

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/ring"
)

// threadLane is one thread that does one operation at a time.
type threadLane struct {
	outcome
	pattern
	data   *data
	memory []byte
	buffer []byte
	unit   int
	share  float64 // bytes/s; 0: unlimited
	begin  int64   // of the cap: when the next operation may begin

	running atomic.Bool
	checkAt int64
	sent    uint64 // writes
	checked uint64 // reads, of which each checkEvery-th was
}

// newThreadLane makes thread i; threads are assigned to the jobs in turn.
func newThreadLane(d *driver, i int) (*threadLane, error) {
	j := &d.job
	buffers, all, err := ring.Map(1, j.block)
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	randomize(all, d.env.Seed^uint64(i)<<40)
	l := &threadLane{
		pattern: newPattern(d.data.parts[d.jobOf(i)], j, d.env.Seed, i), data: d.data, memory: all, buffer: buffers[0],
		unit:  unitOf(j.block),
		share: j.cap / float64(max(d.env.Lanes, 1)),
	}
	l.apart(j)
	l.durable = newDurable(j.every, 1)
	l.path = "threads (pread, pwrite)"
	return l, nil
}

// Run does one operation after the other until the load is over, or ctx ends.
func (l *threadLane) Run(ctx context.Context, clock *load.Lane) error {
	l.time = newTimeline(clock.Duration())
	l.running.Store(true)
	defer l.running.Store(false)
	for {
		if err := l.hold(ctx, clock); err != nil {
			return err
		}
		intended, ok := clock.Take()
		if !ok {
			return ctx.Err()
		}
		sent := clock.Now()
		if !clock.Open() {
			intended = sent // a sync, or the cap, may have come after the last operation
		}
		if err := l.one(clock, intended, sent); err != nil {
			clock.Fail(intended, load.Other)
			return err
		}
		if err := l.check(ctx, sent); err != nil {
			return err
		}
		if err := l.sync(clock); err != nil {
			return err
		}
	}
}

// hold waits until the cap allows another operation.
func (l *threadLane) hold(ctx context.Context, clock *load.Lane) error {
	if l.share == 0 {
		return nil
	}
	now := clock.Now()
	for ; now < l.begin && ctx.Err() == nil; now = clock.Now() {
		if _, more := clock.Next(now); !more {
			return nil
		}
		ts := unix.NsecToTimespec(min(l.begin-now, load.Nap))
		_ = unix.Nanosleep(&ts, nil)
	}
	l.begin = max(l.begin, now-load.Nap) + int64(float64(l.job.block)/l.share*1e9)
	return ctx.Err()
}

// one reads or writes a block.
func (l *threadLane) one(clock *load.Lane, intended, sent int64) error {
	offset, write := l.next()
	var n int
	var err error
	what := "reading"
	if write {
		what = writing
		l.sent++
		l.durable.write()
		stamp(l.buffer, l.unit, l.key, offset, l.sent)
	}
	for {
		if write {
			n, err = unix.Pwrite(l.fd, l.buffer, offset)
		} else {
			n, err = unix.Pread(l.fd, l.buffer, offset)
		}
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case err != nil:
		return failed(what, l.name, int64(l.job.block), offset, err)
	case n != l.job.block:
		return cutShort(what, l.name, int32(n), l.job.block, offset)
	}
	if !write {
		if l.checked++; l.checked%checkEvery == 1 {
			if _, ok := stamped(l.buffer, l.key, offset); !ok {
				return wrongData(l.name, offset)
			}
		}
	}
	now := clock.Now()
	if clock.DoneAt(intended, sent, now, 1, int64(n)) {
		l.took(now-intended, write)
	}
	l.ops++
	start, _ := clock.Window()
	l.time.at(now, start)
	l.time.add(now-intended, n)
	if write {
		l.durable.wrote(intended)
		l.last, l.wrote = offset, true
	}
	return nil
}

// check checks the context and, from time to time, that the file is unchanged.
func (l *threadLane) check(ctx context.Context, now int64) error {
	if now < l.checkAt {
		return nil
	}
	l.checkAt = now + checkEveryNs
	return errors.Join(ctx.Err(), l.data.unchanged())
}

// sync makes the thread's own writes durable once there are enough of them.
func (l *threadLane) sync(clock *load.Lane) error {
	if !l.durable.due() {
		return nil
	}
	began, covers := clock.Now(), l.durable.begin()
	var err error
	if l.job.data {
		err = unix.Fdatasync(l.fd)
	} else {
		err = unix.Fsync(l.fd)
	}
	start, _ := clock.Window()
	l.durable.end(clock.Now(), start, began, covers)
	if err != nil {
		return failed("syncing", l.name, l.job.size(), l.start, err)
	}
	return nil
}

// close frees the memory, unless the thread could not be stopped and still uses it.
func (l *threadLane) close() error {
	if l.memory == nil || l.running.Load() {
		return nil
	}
	err := ring.Unmap(l.memory)
	l.memory, l.buffer = nil, nil
	return err
}
