package kafka

import (
	"context"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"plimsoll/internal/base/list"
)

// readingBack bounds the wait for one sample of each partition: a slow broker takes long for all of them, and one that
// does not answer is found by the first.
const readingBack = 20 * time.Second

// Verify proves that each acknowledged record is in the log once, by counts and offsets of all partitions, and by
// the checksums of a sample. Then it deletes the topic.
func (d *driver) Verify(ctx context.Context) error {
	err := d.verify(ctx)
	_ = d.forget() // its error becomes a doubt
	return err
}

func (d *driver) verify(ctx context.Context) error {
	if d.server != nil {
		if err := d.server.ended(); err != nil {
			return err
		}
	}
	if err := d.Settle(ctx); err != nil { // without its broker the log cannot be read
		return err
	}
	if d.filled != nil {
		return d.verifyRead()
	}
	sum := d.sum()
	if err := d.compare(ctx, &sum); err != nil {
		return err
	}
	if err := d.delivered.fault(); err != nil {
		return err
	}
	if travels(d.params) {
		if err := d.verifyTravel(ctx, &sum); err != nil {
			return err
		}
	}
	starts, err := d.topic.offsets(ctx, atStart)
	if err != nil {
		return err
	}
	return d.readBack(ctx, kept(sum.samples, starts))
}

// verifyRead proves that the records read are those written before.
func (d *driver) verifyRead() error {
	if err := d.found().fault(); err != nil {
		return err
	}
	return d.full()
}

// verifyTravel proves that consumers received each record of the log once, and unaltered.
func (d *driver) verifyTravel(ctx context.Context, sum *tally) error {
	ends, err := d.topic.offsets(ctx, atEnd)
	if err != nil {
		return err
	}
	behind := d.awaitConsumers(ctx, ends)
	d.endFollowing()
	if err := d.unread(); err != nil {
		return err
	}
	found := d.found()
	found.missed += behind
	found.differed += sum.strange
	found.checked = found.records // each identifies itself
	return found.fault()
}

// awaitConsumers waits until consumers have everything in the log, and returns the number of records that they lack.
func (d *driver) awaitConsumers(ctx context.Context, ends []int64) int64 {
	for deadline := time.Now().Add(min(settling, seconds(d.params.Number(paramTimeout)))); ; time.Sleep(
		20 * time.Millisecond) {
		behind := int64(0)
		for _, c := range d.consumers {
			behind += c.behind(ends)
		}
		if behind == 0 || time.Now().After(deadline) || ctx.Err() != nil {
			return behind
		}
	}
}

// found returns the findings of all consumers.
func (d *driver) found() reading {
	var sum reading
	for _, c := range d.consumers {
		c.mu.Lock()
		sum.add(c.found)
		c.mu.Unlock()
	}
	return sum
}

// settling bounds how long records that are unacknowledged, or that no consumer has, may be under way.
const settling = 5 * time.Second

// compare compares the acknowledged records with the log. If records count as acknowledged once sent, they may still
// be under way.
func (d *driver) compare(ctx context.Context, sum *tally) error {
	for deadline := time.Now().Add(settling); ; time.Sleep(50 * time.Millisecond) {
		ends, err := d.topic.offsets(ctx, atEnd)
		if err != nil {
			return err
		}
		d.delivered = sum.compare(ends)
		if d.delivered.Lost == 0 || d.params.Text(paramAcks) != acksNone || time.Now().After(deadline) || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// sum returns the counts of all lanes.
func (d *driver) sum() tally {
	sum := newTally(d.topic.partitions)
	for _, l := range d.lanes {
		sum.add(&l.tally)
	}
	return sum
}

// fault returns an error if records were lost or are there more than once.
func (v delivery) fault() error {
	switch {
	case v.Lost > 0 || v.Duplicated > 0:
		return fmt.Errorf("%s: of %d acknowledged records %d are lost, and %d "+
			"are in the log more than once", Name, v.Acked, v.Lost, v.Duplicated)
	case v.Misplaced > 0:
		return fmt.Errorf("%s: in %d partitions some offset was acknowledged more than once, and another never",
			Name, v.Misplaced)
	}
	return nil
}

// kept returns the samples that the log still has.
func kept(samples []sample, starts []int64) []sample {
	return list.Filter(samples, func(s sample) bool { return s.offset >= starts[s.partition] })
}

// readBack reads samples from the log, one of each partition at a time.
func (d *driver) readBack(ctx context.Context, samples []sample) error {
	for len(samples) > 0 {
		round, later := map[int32]sample{}, samples[:0:0]
		for _, s := range samples {
			if _, ok := round[s.partition]; ok {
				later = append(later, s)
			} else {
				round[s.partition] = s
			}
		}
		n := len(round)
		passed, err := d.readRound(ctx, round)
		if err == nil {
			err = d.deleted(ctx, passed)
		}
		if err != nil {
			return fmt.Errorf("%s: read records back: %w", Name, err)
		}
		d.checked += n - len(passed)
		samples = later
	}
	return nil
}

// deleted returns an error if the log should still have one of the samples that it skipped: retention deletes old
// records all the time.
func (d *driver) deleted(ctx context.Context, passed []sample) error {
	if len(passed) == 0 {
		return nil
	}
	starts, err := d.topic.offsets(ctx, atStart)
	if err != nil {
		return err
	}
	for _, s := range kept(passed, starts) {
		return fmt.Errorf("offset %d of partition %d is not in the log, which "+
			"begins at %d and continues after it", s.offset, s.partition, starts[s.partition])
	}
	return nil
}

// readRound reads a sample of each partition; passed are those for which the log returned a later record.
func (d *driver) readRound(ctx context.Context, round map[int32]sample) (passed []sample, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readingBack, fmt.Errorf("no answer with %d records within %v",
		len(round), readingBack))
	defer cancel()
	from := map[int32]kgo.Offset{}
	for partition, s := range round {
		from[partition] = kgo.NewOffset().At(s.offset)
	}
	opts, err := d.address.common(d.params)
	if err != nil {
		return nil, err
	}
	// A partition's answer has at least one whole batch, whatever the limit.
	c, err := kgo.NewClient(append(opts, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{d.topic.name: from}),
		kgo.FetchMaxPartitionBytes(1), kgo.FetchMaxWait(100*time.Millisecond))...)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for len(round) > 0 {
		fetched := c.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := fetched.Err(); err != nil {
			return nil, err
		}
		var fault error
		fetched.EachRecord(func(r *kgo.Record) {
			s, waits := round[r.Partition]
			if !waits {
				return
			}
			delete(round, r.Partition)
			c.PauseFetchPartitions(map[string][]int32{d.topic.name: {r.Partition}})
			if r.Offset > s.offset {
				passed = append(passed, s)
			} else if err := s.differs(r); fault == nil {
				fault = err
			}
		})
		if fault != nil {
			return nil, fault
		}
	}
	return passed, nil
}

// differs returns an error if a record read back is not the one that was written.
func (s sample) differs(r *kgo.Record) error {
	table := crc32.MakeTable(crc32.Castagnoli)
	got := sample{r.Partition, r.Offset, crc32.Checksum(r.Value, table), crc32.Checksum(r.Key, table)}
	if got == s {
		return nil
	}
	return fmt.Errorf("offset %d of partition %d holds a different record than was written (offset %d, checksums "+
		"%08x and %08x, not %08x and %08x)",
		s.offset, s.partition, r.Offset, got.value, got.key, s.value, s.key)
}
