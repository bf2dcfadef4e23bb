package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/client/load"
)

// mailbox passes arrived records from consumers to a lane.
type mailbox struct {
	mu sync.Mutex
	in []arrival
}

func (m *mailbox) put(some []arrival) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.in = append(m.in, some...)
}

// take empties the box, reusing the slice of the previous call.
func (m *mailbox) take(last []arrival) []arrival {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.in
	m.in = last[:0]
	return out
}

// collect counts the arrivals, and reports whether there were any.
func (l *lane) collect(clock *load.Lane) bool {
	l.arrived = l.mail.take(l.arrived)
	for i := range l.arrived {
		l.deliver(clock, &l.arrived[i])
	}
	return len(l.arrived) > 0
}

// deliver counts a record from its intended start, as it states. One that has failed meanwhile, or that came before,
// no longer counts: offsets detect duplicates.
func (l *lane) deliver(clock *load.Lane, a *arrival) {
	c := l.of(a.client)
	if c == nil || int(a.slot) >= len(c.slots) {
		l.tally.strange++
		return
	}
	s := &c.slots[a.slot]
	switch {
	case !s.flying || s.delivered || s.number != a.number:
		l.tally.late++
		return
	case s.intended != a.intended:
		l.tally.strange++
		return
	}
	s.delivered = true
	c.answered = a.at
	clock.DoneAt(a.intended, s.sent, a.at, 1, c.bytes)
	c.settle(s)
}

func (l *lane) of(index uint32) *client {
	if len(l.clients) == 0 {
		return nil
	}
	if i := int(index) - l.clients[0].index; i >= 0 && i < len(l.clients) {
		return l.clients[i]
	}
	return nil
}

// promise handles a record's acknowledgement or failure.
func (l *lane) promise(clock *load.Lane, c *client, s *slot) {
	s.promised = true
	if s.failed == nil {
		l.tally.acked(&s.record)
		c.settle(s)
		return
	}
	l.tally.failed(s.failed)
	if !s.delivered {
		c.fail(clock, s)
	}
	s.delivered = true // or never will be
	c.settle(s)
}

// settle frees a record that is both acknowledged and delivered.
func (c *client) settle(s *slot) {
	if s.promised && s.delivered {
		s.flying = false
		c.free = append(c.free, s)
	}
}

// follower reads records and notifies the lanes that wrote them.
type follower struct {
	*consumer
	now   func() int64
	lanes []*lane
	whose []int // lane of each client
	sheaf [][]arrival
	fault *atomic.Pointer[error] // why the first of all followers ended unexpectedly
}

// follow reads until ctx ends. If it fails, the load ends as well.
func (f *follower) follow(ctx context.Context) {
	err := f.once(ctx)
	for err == nil {
		err = f.once(ctx)
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	f.fault.CompareAndSwap(nil, &err)
	for _, l := range f.lanes {
		l.wake()
	}
}

func (f *follower) once(ctx context.Context) error {
	for i := range f.sheaf {
		f.sheaf[i] = f.sheaf[i][:0]
	}
	var at int64
	_, _, err := f.poll(ctx, func(r *kgo.Record) {
		if at == 0 {
			at = f.now()
		}
		f.sort(r, at)
	})
	for i, some := range f.sheaf {
		if len(some) > 0 {
			f.lanes[i].mail.put(some)
			f.lanes[i].wake()
		}
	}
	if errors.Is(err, errSilent) {
		return nil // nothing was written
	}
	return err
}

// sort groups a record with the others of its lane.
func (f *follower) sort(r *kgo.Record, at int64) {
	a, ok := arrived(r.Value, at)
	if !ok || int(a.client) >= len(f.whose) {
		f.found.differed++
		return
	}
	i := f.whose[a.client]
	f.sheaf[i] = append(f.sheaf[i], a)
}

// unread returns why consumers stopped reading; nil while they read.
func (d *driver) unread() error {
	if err := d.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// startFollowing connects the consumers of the lanes' records, which read until Close.
func (d *driver) startFollowing(ctx context.Context, opts []kgo.Opt) error {
	clock, err := load.NewClock()
	if err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	var whose []int
	for i, l := range d.lanes {
		l.patience = seconds(d.params.Number(paramTimeout))
		gone := l.ended
		l.ended = func() error { return cmp.Or(gone(), d.unread()) }
		for range l.clients {
			whose = append(whose, i)
		}
	}
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stopFollowing = stop
	n := followersOf(d.params, d.clients)
	for i := range n {
		c, err := newConsumer(ctx, d, i, n, opts[:len(opts):len(opts)])
		if err != nil {
			return err
		}
		d.consumers = append(d.consumers, c)
		f := &follower{consumer: c, now: clock.Now, lanes: d.lanes, whose: whose, sheaf: make([][]arrival, len(d.lanes)),
			fault: &d.fault}
		d.following.Go(func() { f.follow(reading) })
	}
	return nil
}
