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

// mostSlots bounds the records of a client that are not acknowledged, as the library's own bound does.
const mostSlots = 50_000

// slot is a record that is written again and again, with its own buffer. It is its client's, or the library's between
// Produce and its promise.
//
// The order of its fields is that of use: what an acknowledgement touches lies in one line of the cache, since thousands of
// slots are more than the nearest cache holds.
type slot struct {
	record   kgo.Record // its Context is the slot itself, so that what the library gives back says whose it is
	failed   error
	intended int64
	sent     int64
	acked    int64 // of an open load: when the promise was kept
	index    uint32

	// Of a record that is followed to a consumer: which one it is, and what has been seen of it.
	flying    bool
	delivered bool
	promised  bool
	number    uint64
}

// Deadline, Done, Err and Value make a slot a context that never ends, as context.Context has it.
func (*slot) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (*slot) Done() <-chan struct{}                   { return nil }
func (*slot) Err() error                              { return nil }
func (*slot) Value(any) any                           { return nil }

// client is one producing client. All but finish is called by its lane alone.
type client struct {
	kgo   *kgo.Client
	index int
	lane  *lane
	bytes int64 // of keys and values, of a record
	// follows says that a record is done once a consumer has it.
	follows bool

	slots []slot
	free  []*slot
	// promise is finish, made once.
	promise func(*kgo.Record, error)
	sent    uint64 // records taken up so far
	clock   func() int64

	// Records that are finished come back in a ring: the library's only promise worker writes, the lane reads.
	ring []*slot
	head uint64
	tail atomic.Uint64
	want atomic.Uint64 // the tail at which the lane is woken; 0: it is not asleep

	spread spread
	keys   []key
	random *rand.Rand
}

// newClient connects to a broker and makes a client's records.
func newClient(ctx context.Context, d *driver, index int, opts []kgo.Opt) (*client, error) {
	size := d.params.Int(paramRecordSize)
	n := min(max(d.params.Int(paramBuffer)/(size+keyBytes(d.params)), 1), mostSlots)
	c := &client{
		index: index, bytes: int64(size + keyBytes(d.params)), follows: travels(d.params), keys: d.keys, random: rand.New(rand.NewPCG(d.env.Seed, uint64(index))),
		slots: make([]slot, n), free: make([]*slot, 0, n), ring: make([]*slot, ringSize(n)),
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

// ringSize is a power of two, for all slots.
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

// produce takes a free record up.
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

// finish keeps the promise of a record. The library's worker calls it, one record at a time.
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

// flying is how many records are not done, or not yet seen to be.
func (c *client) flying() int { return len(c.slots) - len(c.free) }

// unacknowledged is how many of them are not acknowledged, or not yet seen to be.
func (c *client) unacknowledged() int { return int(c.sent - c.head) }

// await asks to be woken once a quarter of the buffer has come back, and says whether it already has: a lane that is woken
// for each record would fill the same batch in as many turns.
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
	order  []int32 // all of them, shuffled, so that clients begin at different ones
	at     int
	batch  int // bytes
	record int // bytes that a record takes of it
	left   int
}

func newSpread(p workload.Params, random *rand.Rand) spread {
	s := spread{kind: p.Text(paramSpread), batch: p.Int(paramBatch), record: p.Int(paramRecordSize) + keyBytes(p) + perRecord}
	for _, i := range random.Perm(p.Int(paramPartitions)) {
		s.order = append(s.order, int32(i))
	}
	s.left = s.batch
	return s
}

// perRecord is what a record takes of a batch beside key and value: lengths, time and offset, mostly one or two bytes each.
const perRecord = 8

// next is where a record goes; ofKey is its key's partition, or -1.
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
