package disk

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/ring"
)

// The times of a lane's loop, in nanoseconds.
const (
	linger       = 100_000        // longest wait for a whole batch: bounds how late an end is seen
	look         = 1_000_000      // longest wait with operations in flight: a lane that looks later did not run
	checkEveryNs = 50_000_000     // between checks of the context and of the files
	patience     = 10_000_000_000 // for operations in flight when the lane has to end
)

// checkEvery: one read out of this many has its data checked.
const checkEvery = 64

// slot holds one operation in flight.
type slot struct {
	intended, sent int64
	offset         int64
	sequence       uint64
	write          bool
	sync           bool  // it is no read or write
	covers         int64 // of a sync: durable.begin
}

// ringLane is one job's thread and ring.
type ringLane struct {
	outcome
	pattern
	data    *data
	ring    *ring.Ring
	memory  []byte
	buffers [][]byte
	slots   []slot
	free    []int // slots
	batch   int
	most    int // completions of a closed loop taken before others are submitted
	unit    int
	share   float64 // bytes/s; 0: unlimited
	clockAt int64   // of the cap: when the next operation may begin

	running atomic.Bool
	looked  int64 // when it last looked for completions; 0: not yet
	dry     bool  // the last wait for a batch timed out without completions
	checkAt int64
	sent    uint64 // writes
	checked uint64 // reads, of which each checkEvery-th was
	failure error
}

// newRingLane makes job i's lane on the thread that will run it.
func newRingLane(d *driver, i int) (*ringLane, error) {
	j := &d.job
	n := j.flights(i)
	l := &ringLane{
		pattern: newPattern(d.data.parts[i], j, d.env.Seed, i), data: d.data, slots: make([]slot, n), free: make([]int, 0, n),
		batch: batchOf(j.batch, n), most: mostOf(j.batch, n), unit: unitOf(j.block), share: j.cap / float64(j.jobs),
	}
	l.apart(j)
	l.durable = newDurable(j.every, n)
	if j.every > 0 {
		l.batch = max(1, min(j.batch, n)) // a write waits for its sync, and not for a batch as well
	}
	for s := range n {
		l.free = append(l.free, n-1-s)
	}
	var err error
	if l.buffers, l.memory, err = ring.Map(n, j.block); err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	randomize(l.memory, d.env.Seed^uint64(i)<<40)
	config := ring.Config{Depth: n, Files: []int{l.fd}, Buffers: l.buffers, Register: true}
	l.ring, err = ring.New(config)
	var short *ring.MemlockError
	if errors.As(err, &short) && j.engine == engineAuto {
		config.Register = false
		l.ring, err = ring.New(config)
		l.doubt = fmt.Sprintf("the buffers are not registered: they need %d bytes of locked memory, the limit is "+
			"%d (ulimit -l)", short.Needed, short.Allowed)
	}
	if err != nil {
		_ = ring.Unmap(l.memory)
		return nil, fmt.Errorf("disk: %w", err)
	}
	l.path = l.ring.Path()
	return l, nil
}

// batchOf returns how many completions a closed loop waits for, by default.
func batchOf(asked, depth int) int {
	switch {
	case asked > 0:
		return min(asked, depth)
	case depth >= 64:
		return min(depth/4, 32)
	}
	return 1
}

// mostOf returns how many completions are taken before their successors are submitted: while the lane takes all that
// are there, the device runs short of work and has to be woken afterwards. At a depth of 32, 8 at a time gave a
// tenth more throughput, at a fifth less CPU time per operation, than all.
func mostOf(asked, depth int) int { return max(1, depth/4, min(asked, depth)) }

// Run keeps the job's operations in flight until the load is over, or ctx ends.
func (l *ringLane) Run(ctx context.Context, clock *load.Lane) (err error) {
	l.time = newTimeline(clock.Duration())
	l.running.Store(true)
	defer func() {
		err = errors.Join(err, l.release())
		l.running.Store(false)
	}()
	for l.failure == nil {
		now := clock.Now()
		l.send(clock, now)
		until, more := clock.Next(now)
		if !more {
			return l.settle(clock)
		}
		wait, ns := l.wait(clock, now, until)
		if err := l.turn(clock, wait, ns); err != nil {
			return err
		}
		if now >= l.checkAt {
			l.checkAt = now + checkEveryNs
			if err := errors.Join(ctx.Err(), l.data.unchanged()); err != nil {
				return err
			}
		}
	}
	return l.failure
}

// send queues the operations that are due.
func (l *ringLane) send(clock *load.Lane, now int64) {
	for len(l.free) > 0 && now >= l.clockAt {
		if l.durable.due() {
			at := l.take()
			l.slots[at] = slot{sent: now, sync: true, covers: l.durable.begin()}
			l.ring.Sync(0, l.job.data, uint64(at))
			continue
		}
		intended, ok := clock.Due(now)
		if !ok {
			return
		}
		l.queue(intended, now)
		if l.share > 0 {
			// Unused time is made up for over a nap at most.
			l.clockAt = max(l.clockAt, now-load.Nap) + int64(float64(l.job.block)/l.share*1e9)
		}
	}
	if len(l.free) == 0 {
		clock.Full()
	}
}

// take takes a free slot.
func (l *ringLane) take() int {
	at := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	return at
}

func (l *ringLane) queue(intended, now int64) {
	at := l.take()
	offset, write := l.next()
	s := &l.slots[at]
	*s = slot{intended: intended, sent: now, offset: offset, write: write}
	if write {
		l.sent++
		l.durable.write()
		s.sequence = l.sent
		stamp(l.buffers[at], l.unit, l.key, offset, l.sent)
		l.ring.Write(0, at, l.job.block, offset, uint64(at))
		return
	}
	l.ring.Read(0, at, l.job.block, offset, uint64(at))
}

// wait returns for how many completions to wait, and at most how long: for a batch if a closed loop has everything
// in flight, else for any one, and never past the next due time.
func (l *ringLane) wait(clock *load.Lane, now, until int64) (n int, ns int64) {
	full := len(l.free) == 0
	switch {
	case full && !clock.Open() && l.batch > 1 && !l.dry:
		return l.batch, linger
	case full:
		return 1, look
	case l.clockAt > now:
		return 1, min(l.clockAt-now, l.nap())
	case l.job.spin && clock.Open():
		return 0, 0
	case until-now <= clock.Lead():
		return 0, 0
	}
	return 1, min(until-now-clock.Lead(), l.nap())
}

// nap returns the longest wait.
func (l *ringLane) nap() int64 {
	if l.ring.Flying() > 0 {
		return look
	}
	return load.Nap
}

// seen marks the time since the lane should have looked for completions, which it does now. Submitting does not wait
// for the device, so that a lane which comes late had no CPU, or more to do than it could.
func (l *ringLane) seen(now, wait, start int64) {
	if due := l.looked + wait; l.looked > 0 && now-due > look {
		l.time.away(due, now, start)
	}
	l.looked = now
}

// turn submits, waits, and takes completions in portions of most.
func (l *ringLane) turn(clock *load.Lane, wait int, ns int64) error {
	from := clock.Now()
	if err := l.ring.Enter(wait, ns); err != nil {
		return fmt.Errorf("disk: %w", err)
	}
	id, res, ok := l.ring.Next()
	now := clock.Now()
	start, _ := clock.Window()
	l.seen(now, ns, start)
	l.dry = wait > 1 && !ok
	if !ok {
		if wait == 0 {
			clock.Spun(now - from)
		}
		return nil
	}
	l.time.at(now, start)
	most := len(l.slots) + 1
	if !clock.Open() {
		most = l.most
	}
	for taken := 1; ok; taken++ {
		if s := &l.slots[id]; s.sync {
			l.synced(int(id), res, now, start)
		} else {
			l.done(clock, int(id), res, now)
		}
		if taken >= most {
			return nil
		}
		id, res, ok = l.ring.Next()
	}
	return nil
}

func (l *ringLane) synced(at int, res int32, now, start int64) {
	s := &l.slots[at]
	l.free = append(l.free, at)
	l.durable.end(now, start, s.sent, s.covers)
	if res < 0 {
		l.fail(failed("syncing", l.name, l.job.size(), l.start, unix.Errno(-res)))
	}
}

// done records one operation and frees its slot.
func (l *ringLane) done(clock *load.Lane, at int, res int32, now int64) {
	s := &l.slots[at]
	l.free = append(l.free, at)
	if err := l.verdict(s, l.buffers[at], res); err != nil {
		clock.Fail(s.intended, load.Other)
		l.fail(err)
		return
	}
	if clock.DoneAt(s.intended, s.sent, now, 1, int64(res)) {
		l.took(now-s.intended, s.write)
	}
	l.ops++
	l.time.add(now-s.intended, l.job.block)
	if s.write {
		l.durable.wrote(s.intended)
		l.last, l.wrote = s.offset, true
	}
}

// verdict returns an error if the kernel's completion is not as expected.
func (l *ringLane) verdict(s *slot, b []byte, res int32) error {
	what := "reading"
	if s.write {
		what = writing
	}
	switch {
	case res < 0:
		return failed(what, l.name, int64(l.job.block), s.offset, unix.Errno(-res))
	case int(res) != l.job.block:
		return cutShort(what, l.name, res, l.job.block, s.offset)
	}
	if s.write {
		return nil
	}
	if l.checked++; l.checked%checkEvery == 1 {
		if _, ok := stamped(b, l.key, s.offset); !ok {
			return wrongData(l.name, s.offset)
		}
	}
	return nil
}

func wrongData(name string, offset int64) error {
	return fmt.Errorf("disk: data read at %d of %s differ from those written there\nhint: another process has "+
		"written to it, or truncated it, or the device loses data", offset, name)
}

// fail keeps the first failure, which ends the lane.
func (l *ringLane) fail(err error) {
	if l.failure == nil {
		l.failure = err
	}
}

// settle waits for operations in flight when the load is over.
func (l *ringLane) settle(clock *load.Lane) error {
	for end := clock.Now() + patience; l.ring.Flying() > 0 && clock.Now() < end; {
		if err := l.turn(clock, 1, load.Nap); err != nil {
			return err
		}
	}
	return l.failure
}

// close releases a lane that has not run; one that could not be stopped keeps its resources.
func (l *ringLane) close() error {
	if l.running.Load() {
		return nil
	}
	return l.release()
}

// release frees ring and memory once the kernel no longer writes into them. Memory that it still may write into is
// left to the end of the process.
func (l *ringLane) release() error {
	if l.ring == nil {
		return nil
	}
	for end := time.Now().Add(patience); l.ring.Flying() > 0 && time.Now().Before(end); {
		if l.ring.Enter(1, load.Nap) != nil {
			break
		}
		for _, _, ok := l.ring.Next(); ok; _, _, ok = l.ring.Next() {
		}
	}
	if l.ring.Flying() > 0 {
		l.ring = nil
		return errors.New("disk: operations are still in flight after 10 s\nhint: the device does not respond")
	}
	l.enters = l.ring.Calls()
	err := l.ring.Close()
	l.ring = nil
	return errors.Join(err, ring.Unmap(l.memory))
}
