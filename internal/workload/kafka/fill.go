package kafka

import (
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"

	"plimsoll/internal/workload"
)

// filled is a log written before the load: the same number of records in each partition, at offsets from 0 on.
type filled struct {
	each  int64
	sums  [][]uint32 // by partition, CRC-32C of key and value of each sampled record
	table *crc32.Table
}

// sampled: a consumer compares every record at a multiple of this offset.
const sampled = 64

// eachOf returns the number of records of a partition.
func eachOf(p workload.Params) int64 {
	return int64(p.Int(paramFill) / (p.Int(paramRecordSize) + keyBytes(p)) / max(p.Int(paramPartitions), 1))
}

// compare compares a record if it is sampled.
func (f *filled) compare(r *kgo.Record, found *reading) {
	if r.Offset%sampled != 0 {
		return
	}
	at := r.Offset / sampled
	if sums := f.sums[r.Partition]; at >= int64(len(sums)) || sums[at] != checksum(r, f.table) {
		found.differed++
	}
	found.checked++
}

// mostFillers bounds the clients that fill the log.
const mostFillers = 8

// filling is the minimum timeout of a record written before the load: a disk that has to flush its whole cache can
// stall for longer than a trial may.
const filling = 2 * time.Minute

// fill writes the log as the load of a producer would, but with the same number of records in each partition.
func (d *driver) fill(ctx context.Context, opts []kgo.Opt) error {
	f := &filled{each: eachOf(d.params), sums: make([][]uint32, d.topic.partitions),
		table: crc32.MakeTable(crc32.Castagnoli)}
	for i := range f.sums {
		f.sums[i] = make([]uint32, (f.each+sampled-1)/sampled)
	}
	n := min(d.clients, d.topic.partitions, mostFillers)
	all, ctx := errgroup.WithContext(ctx)
	for i := range n {
		all.Go(func() error { return d.fillPart(ctx, f, i, n, opts[:len(opts):len(opts)]) })
	}
	if err := all.Wait(); err != nil {
		return fmt.Errorf("%s: fill the log: %w", Name, explained(d.params, err))
	}
	d.filled = f
	return d.full()
}

// full checks that the log holds exactly the records written to it.
func (d *driver) full() error {
	ctx, cancel := context.WithTimeout(context.Background(), connecting)
	defer cancel()
	ends, err := d.topic.offsets(ctx, atEnd)
	if err != nil {
		return err
	}
	for i, end := range ends {
		if end != d.filled.each {
			return fmt.Errorf("%s: partition %d holds %d records, but %d were written to it",
				Name, i, end, d.filled.each)
		}
	}
	return nil
}

// fillPart fills every n-th partition, as client i of n.
func (d *driver) fillPart(ctx context.Context, f *filled, i, n int, opts []kgo.Opt) error {
	size := d.params.Int(paramRecordSize)
	slots := int(min(int64(max(d.params.Int(paramBuffer)/(size+keyBytes(d.params)), 1)), mostSlots,
		f.each*int64(d.topic.partitions)))
	opts = append(opts, producing(d.params, d.topic.name, slots)...)
	c,
		err := kgo.NewClient(append(opts, kgo.RecordDeliveryTimeout(max(seconds(d.params.Number(paramTimeout)), filling)))...)
	if err != nil {
		return err
	}
	defer c.Close()
	w := filler{kgo: c, index: i, log: f, keys: d.keys, random: rand.New(rand.NewPCG(d.env.Seed, uint64(i))),
		free: make(chan *kgo.Record, slots), failed: make(chan error, 1)}
	from := newContents(d.env.Seed, i, d.params.Number(paramCompress))
	for range slots {
		r := &kgo.Record{Topic: d.topic.name, Value: make([]byte, size)}
		from.fill(r.Value)
		w.free <- r
	}
	batch := int64(max(d.params.Int(paramBatch)/(size+keyBytes(d.params)+perRecord), 1))
	for done := int64(0); done < f.each; done += batch {
		for p := i; p < d.topic.partitions; p += n {
			if err := w.write(ctx, int32(p), min(batch, f.each-done)); err != nil {
				return err
			}
		}
	}
	return w.finish(ctx, slots)
}

// filler is one client that fills partitions of its own.
type filler struct {
	kgo    *kgo.Client
	index  int
	log    *filled
	keys   []key
	random *rand.Rand
	sent   uint64
	free   chan *kgo.Record
	failed chan error // the first failure
}

func (w *filler) write(ctx context.Context, partition int32, n int64) error {
	for range n {
		r, err := w.take(ctx)
		if err != nil {
			return err
		}
		stamp(r.Value, w.index, 0, w.sent)
		w.sent++
		if len(w.keys) > 0 {
			r.Key = w.keys[w.random.IntN(len(w.keys))].bytes
		}
		r.Partition = partition
		w.kgo.Produce(ctx, r, w.written)
	}
	return nil
}

func (w *filler) take(ctx context.Context) (*kgo.Record, error) {
	select {
	case r := <-w.free:
		return r, nil
	case err := <-w.failed:
		return nil, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// written is called by the library's only worker.
func (w *filler) written(r *kgo.Record, err error) {
	if err == nil && (r.Offset < 0 || r.Offset >= w.log.each) {
		err = fmt.Errorf("partition %d has a record at offset %d, but %d were written to it",
			r.Partition, r.Offset, w.log.each)
	}
	if err != nil {
		select {
		case w.failed <- err:
		default:
		}
		return
	}
	if r.Offset%sampled == 0 {
		w.log.sums[r.Partition][r.Offset/sampled] = checksum(r, w.log.table)
	}
	w.free <- r
}

// finish waits until all are acknowledged.
func (w *filler) finish(ctx context.Context, slots int) error {
	for range slots {
		if _, err := w.take(ctx); err != nil {
			return err
		}
	}
	return nil
}
