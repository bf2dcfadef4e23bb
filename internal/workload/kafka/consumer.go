package kafka

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/workload"
)

// consumer is one consuming client. It reads some partitions, each from its first offset on, and checks that each
// offset comes once, in order. There is no consumer group that could reassign partitions.
type consumer struct {
	kgo        *kgo.Client
	index      int
	topic      string
	partitions []int32
	patience   time.Duration // longest time without records

	mu    sync.Mutex // guards the fields below
	next  []int64    // by partition: next expected offset
	found reading
	again *again // nil: it reads on
}

// reading counts the findings of consumers.
type reading struct {
	polls, records int64
	missed         int64 // offsets that never came
	repeated       int64 // records whose offset had come before
	checked        int64 // records whose checksum was compared
	differed       int64 // of those, with a wrong checksum
	passes         int64 // restarts from the first offset
}

func (r *reading) add(o reading) {
	r.polls += o.polls
	r.records += o.records
	r.missed += o.missed
	r.repeated += o.repeated
	r.checked += o.checked
	r.differed += o.differed
	r.passes += o.passes
}

// fault returns an error if records were missing, repeated or altered.
func (r reading) fault() error {
	switch {
	case r.missed > 0 || r.repeated > 0:
		return fmt.Errorf("%s: of the records to read, %d never came and %d "+
			"came more than once; %d were read", Name, r.missed, r.repeated, r.records-r.repeated)
	case r.differed > 0:
		return fmt.Errorf("%s: %d of %d compared records differ from those written", Name, r.differed, r.checked)
	}
	return nil
}

// newConsumer connects consumer i of n to a broker.
func newConsumer(ctx context.Context, d *driver, i, n int, opts []kgo.Opt) (*consumer, error) {
	c := &consumer{index: i, topic: d.topic.name, partitions: readBy(i, n, d.topic.partitions),
		next: make([]int64, d.topic.partitions), patience: seconds(d.params.Number(paramTimeout))}
	var err error
	if c.kgo, err = kgo.NewClient(append(opts, consuming(d.params, c.topic, c.partitions)...)...); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if err := c.kgo.Ping(ctx); err != nil {
		c.kgo.Close()
		return nil, fmt.Errorf("%s: consumer %d: %w", Name, i, err)
	}
	return c, nil
}

// leastRead is the library's own bound on an answer.
const leastRead = 100 << 20

// consuming returns a consumer's settings, including all that users can choose.
func consuming(p workload.Params, topic string, partitions []int32) []kgo.Opt {
	from := map[int32]kgo.Offset{}
	for _, i := range partitions {
		from[i] = kgo.NewOffset().At(0)
	}
	fetches := p.Int(paramFetches)
	if fetches == 0 {
		fetches = -1
	}
	isolation := kgo.ReadUncommitted()
	if p.Text(paramIsolation) == isolationCommitted {
		isolation = kgo.ReadCommitted()
	}
	out := []kgo.Opt{
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: from}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), // records deleted before they were read are an error
		kgo.FetchMinBytes(int32(p.Int(paramFetchMin))), kgo.FetchMaxBytes(int32(p.Int(paramFetchMax))),
		kgo.FetchMaxPartitionBytes(int32(p.Int(paramFetchPartition))),
		kgo.FetchMaxWait(seconds(p.Number(paramFetchWait))), kgo.MaxConcurrentFetches(fetches),
		kgo.FetchIsolationLevel(isolation),
		// An answer may exceed the requested size by a batch.
		kgo.BrokerMaxReadBytes(int32(max(leastRead, p.Int(paramFetchMax)+p.Int(paramBatch)+leastSegment))),
	}
	if !p.Bool(paramCheckCRCs) {
		out = append(out, kgo.DisableFetchCRCValidation())
	}
	return out
}

// errSilent reports that no record came for too long.
var errSilent = errors.New("no record came")

// poll waits for records, and passes each to see, unless that is nil, in the order of its partition. It returns at
// least one record or an error.
func (c *consumer) poll(ctx context.Context, see func(*kgo.Record)) (records, bytes int64, err error) {
	within, cancel := context.WithTimeoutCause(ctx, c.patience, errSilent)
	defer cancel()
	fetched := c.kgo.PollFetches(within)
	if within.Err() != nil && fetched.NumRecords() == 0 {
		return 0, 0, c.silent(within)
	}
	fetched.EachError(func(_ string, partition int32, fault error) {
		err = errors.Join(err, c.explained(partition, fault))
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.polls++
	fetched.EachPartition(func(p kgo.FetchTopicPartition) {
		for _, r := range p.Records {
			c.take(r)
			bytes += int64(len(r.Key) + len(r.Value))
			if see != nil {
				see(r)
			}
		}
		records += int64(len(p.Records))
	})
	c.found.records += records
	if c.again != nil && c.again.due(c) {
		c.rewind()
	}
	return records, bytes, err
}

func (c *consumer) silent(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return fmt.Errorf("%s: consumer %d: %w within %v\nhint: is the broker running and healthy? --set %s.%s=1m "+
			"waits longer", Name, c.index, errSilent, c.patience, Name, paramTimeout)
	}
	return context.Cause(ctx)
}

func (c *consumer) explained(partition int32, err error) error {
	hint := ""
	if errors.Is(err, kerr.OffsetOutOfRange) {
		hint = fmt.Sprintf("\nhint: it was deleted before it was read: --set %s.%s=… keeps more, and more %s read "+
			"faster", Name, paramRetention, paramConsumers)
	}
	return fmt.Errorf("%s: consumer %d, partition %d: %w%s", Name, c.index, partition, err, hint)
}

// take checks that a record is the next one of its partition.
func (c *consumer) take(r *kgo.Record) {
	next := c.next[r.Partition]
	switch {
	case r.Offset > next:
		c.found.missed += r.Offset - next
	case r.Offset < next:
		c.found.repeated++
		return
	}
	c.next[r.Partition] = r.Offset + 1
	if c.again != nil {
		c.again.log.compare(r, &c.found)
	}
}

// rewind restarts all of its partitions. Records fetched and not polled are dropped.
func (c *consumer) rewind() {
	to := map[int32]kgo.EpochOffset{}
	for _, p := range c.partitions {
		to[p] = kgo.EpochOffset{Epoch: -1, Offset: 0}
		c.next[p] = 0
	}
	c.kgo.SetOffsets(map[string]map[int32]kgo.EpochOffset{c.topic: to})
	c.found.passes++
}

// again holds when a consumer of a finished log restarts: before the end of any partition, since at the end a broker
// waits for more.
type again struct {
	log   *filled
	until int64 // offset
}

func (a *again) due(c *consumer) bool {
	for _, p := range c.partitions {
		if c.next[p] >= a.until {
			return true
		}
	}
	return false
}

// newAgain leaves, at the end of each partition, the most that two answers may hold of it, or its second half.
func newAgain(p workload.Params, log *filled) *again {
	spare := 2 * max(p.Int(paramFetchPartition), p.Int(paramBatch)) / (p.Int(paramRecordSize) + keyBytes(p))
	return &again{log: log, until: max(log.each-int64(spare), (log.each+1)/2)}
}

// behind returns the number of records of its partitions that it has not read.
func (c *consumer) behind(ends []int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := int64(0)
	for _, p := range c.partitions {
		n += max(0, ends[p]-c.next[p])
	}
	return n
}

// checksum returns a checksum of a record's key and value, and of the boundary between them.
func checksum(r *kgo.Record, table *crc32.Table) uint32 {
	return crc32.Update(crc32.Checksum(r.Key, table)+uint32(len(r.Key)), table, r.Value)
}
