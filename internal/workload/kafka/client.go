package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/workload"
)

// mostSlots bounds a client's unacknowledged records, as the library's own bound does.
const mostSlots = 50_000

// slot is a reusable record with its own buffer. It belongs to its client, or to the library between Produce and its
// promise.
// The fields are in order of use: those that an acknowledgement touches share a cache line, since thousands of slots
// exceed the first-level cache.
type slot struct {
	record   kgo.Record // its Context is the slot itself, to identify records that the library returns
	failed   error
	intended int64
	sent     int64
	acked    int64 // in an open loop: time of the promise
	index    uint32

	// For a record that is followed to a consumer: its identity and its progress.
	flying    bool
	delivered bool
	promised  bool
	number    uint64
}

// Deadline, Done, Err and Value make a slot a context.Context that never ends.
func (*slot) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (*slot) Done() <-chan struct{}                   { return nil }
func (*slot) Err() error                              { return nil }
func (*slot) Value(any) any                           { return nil }

// client is one producing client. Its lane alone calls its methods, except for finish.
type client struct {
	kgo   *kgo.Client
	index int
	lane  *lane
	bytes int64 // of a record's key and value
	// follows is set if a record is done only once a consumer has it.
	follows bool

	slots []slot
	free  []*slot
	// promise is finish, bound once.
	promise func(*kgo.Record, error)
	sent    uint64 // records produced so far
	// answered is when the last record was acknowledged, or delivered if it is followed; CLOCK_MONOTONIC in ns, 0: none.
	answered int64
	clock    func() int64

	// Finished records return in a ring: the library's only promise worker writes, the lane reads.
	ring []*slot
	head uint64
	tail atomic.Uint64
	want atomic.Uint64 // tail at which to wake the lane; 0: it is not asleep

	spread spread
	keys   []key
	random *rand.Rand
}

// newClient connects to a broker and makes a client's records.
func newClient(ctx context.Context, d *driver, index int, opts []kgo.Opt) (*client, error) {
	size := d.params.Int(paramRecordSize)
	n := min(max(d.params.Int(paramBuffer)/(size+keyBytes(d.params)), 1), mostSlots)
	c := &client{
		index: index, bytes: int64(size + keyBytes(d.params)), follows: travels(d.params), keys: d.keys,
		random: rand.New(rand.NewPCG(d.env.Seed, uint64(index))),
		slots:  make([]slot, n), free: make([]*slot, 0, n), ring: make([]*slot, ringSize(n)),
	}
	c.spread = newSpread(d.params, c.random)
	opts = append(opts, producing(d.params, d.topic.name, n)...)
	opts = append(opts, kgo.WithHooks(&d.batches))
	var err error
	if c.kgo, err = kgo.NewClient(opts...); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if err := c.kgo.Ping(ctx); err != nil {
		c.kgo.Close()
		return nil, fmt.Errorf("%s: client %d: %w", Name, index, err)
	}
	c.fill(d.topic.name, size, newContents(d.env.Seed, index, d.params.Number(paramCompress)))
	return c, nil
}

// ringSize returns the power of two that holds n slots.
func ringSize(n int) int {
	size := 1
	for size < n {
		size *= 2
	}
	return size
}

func (c *client) fill(topic string, size int, from *contents) {
	values := make([]byte, len(c.slots)*size)
	c.promise = c.finish
	for i := range c.slots {
		s := &c.slots[i]
		s.index = uint32(i)
		s.record = kgo.Record{Topic: topic, Value: values[i*size : (i+1)*size : (i+1)*size], Context: s}
		from.fill(s.record.Value)
		c.free = append(c.free, s)
	}
}

// produce sends a free record.
func (c *client) produce(intended, sent int64, at time.Time) {
	s := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	s.intended, s.sent = intended, sent
	s.record.Timestamp = at
	if c.follows {
		s.number, s.flying, s.delivered, s.promised = c.sent, true, false, false
		mark(s.record.Value, intended)
	}
	stamp(s.record.Value, c.index, s.index, c.sent)
	c.sent++
	if len(c.keys) > 0 {
		k := &c.keys[c.random.IntN(len(c.keys))]
		s.record.Key = k.bytes
		s.record.Partition = c.spread.next(k.partition)
	} else {
		s.record.Partition = c.spread.next(-1)
	}
	c.kgo.Produce(s.record.Context, &s.record, c.promise)
}

// finish receives the result of a record. The library's worker calls it, one record at a time.
func (c *client) finish(r *kgo.Record, err error) {
	s := r.Context.(*slot)
	s.failed = err
	if c.clock != nil {
		s.acked = c.clock()
	}
	tail := c.tail.Load()
	c.ring[tail&uint64(len(c.ring)-1)] = s
	c.tail.Store(tail + 1)
	if want := c.want.Load(); want != 0 && tail+1 >= want {
		c.lane.wake()
	}
}

// flying returns the number of records that are not done, or not yet seen to be.
func (c *client) flying() int { return len(c.slots) - len(c.free) }

// unacknowledged returns how many of them are not acknowledged, or not yet seen to be.
func (c *client) unacknowledged() int { return int(c.sent - c.head) }

// await requests a wake-up once a quarter of the buffer has returned, and reports whether it already has: a lane
// that woke for each record would need as many turns as records to fill a batch.
func (c *client) await() (already bool) {
	flying := c.unacknowledged()
	if flying == 0 {
		return false
	}
	want := c.head + uint64(min(flying, max(len(c.slots)/4, 1)))
	c.want.Store(want)
	return c.tail.Load() >= want
}

// spread chooses partitions.
type spread struct {
	kind   string
	order  []int32 // all, shuffled, so that clients begin at different ones
	at     int
	batch  int // bytes
	record int // bytes of a record in it
	left   int
}

func newSpread(p workload.Params, random *rand.Rand) spread {
	s := spread{kind: p.Text(paramSpread), batch: p.Int(paramBatch),
		record: p.Int(paramRecordSize) + keyBytes(p) + perRecord}
	for _, i := range random.Perm(p.Int(paramPartitions)) {
		s.order = append(s.order, int32(i))
	}
	s.left = s.batch
	return s
}

// perRecord is a record's overhead in a batch beside key and value: lengths, time and offset, mostly one or two
// bytes each.
const perRecord = 8

// next returns a record's partition; ofKey is its key's, or -1.
func (s *spread) next(ofKey int32) int32 {
	switch {
	case s.kind == spreadKey && ofKey >= 0:
		return ofKey
	case s.kind == spreadRobin:
		s.step()
	default:
		if s.left -= s.record; s.left < 0 {
			s.left = s.batch - s.record
			s.step()
		}
	}
	return s.order[s.at]
}

func (s *spread) step() {
	if s.at++; s.at == len(s.order) {
		s.at = 0
	}
}
