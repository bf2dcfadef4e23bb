package kafka

import (
	"hash/crc32"
	"slices"

	"github.com/twmb/franz-go/pkg/kgo"
)

// tally counts acknowledged records by partition. Each lane has its own.
type tally struct {
	parts  []acknowledged
	count  int64
	errors int64 // failed records, which may or may not be in the log
	first  error // of those
	// For records followed to a consumer: deliveries after a failure, and records that claim to be ones never sent.
	late, strange int64
	// unplaced is set if the broker returns no offsets: the library invents some for records that are not
	// acknowledged.
	unplaced bool
	stride   int64 // every so many records one is sampled
	samples  []sample
	table    *crc32.Table
}

// acknowledged counts the acknowledged records of one partition. Offsets that occur once each, from 0 on, have a
// known sum.
type acknowledged struct {
	count, sum int64
	unplaced   int64 // acknowledged without an offset
}

// sample is a record to be read back.
type sample struct {
	partition int32
	offset    int64
	value     uint32 // CRC-32C
	key       uint32
}

// mostSamples bounds a lane's samples: at least half of them are spread over the whole trial.
const mostSamples = 64

func newTally(partitions int) tally {
	return tally{parts: make([]acknowledged, partitions), stride: 1, samples: make([]sample, 0, mostSamples),
		table: crc32.MakeTable(crc32.Castagnoli)}
}

func (t *tally) acked(r *kgo.Record) {
	p := &t.parts[r.Partition]
	p.count++
	t.count++
	if r.Offset < 0 || t.unplaced {
		p.unplaced++
		return
	}
	p.sum += r.Offset
	if t.count%t.stride == 0 {
		t.sample(r)
	}
}

// sample keeps a record's checksums; at the limit, it drops every other sample and halves the sampling rate.
func (t *tally) sample(r *kgo.Record) {
	if len(t.samples) == mostSamples {
		kept := t.samples[:0]
		for i, s := range t.samples {
			if i%2 == 1 {
				kept = append(kept, s)
			}
		}
		t.samples = kept
		t.stride *= 2
	}
	t.samples = append(t.samples, sample{r.Partition, r.Offset, crc32.Checksum(r.Value, t.table),
		crc32.Checksum(r.Key, t.table)})
}

func (t *tally) failed(err error) {
	t.errors++
	if t.first == nil {
		t.first = err
	}
}

// add adds another lane's counts.
func (t *tally) add(o *tally) {
	for i := range t.parts {
		t.parts[i].count += o.parts[i].count
		t.parts[i].sum += o.parts[i].sum
		t.parts[i].unplaced += o.parts[i].unplaced
	}
	t.count += o.count
	t.errors += o.errors
	t.late += o.late
	t.strange += o.strange
	if t.first == nil {
		t.first = o.first
	}
	t.samples = slices.Concat(t.samples, o.samples)
}

// delivery is the fate of the acknowledged records.
type delivery struct {
	Acked, Logged    int64
	Lost, Duplicated int64
	Misplaced        int64 // partitions in which offsets are not each there once
}

// compare compares the acknowledged records with the next offset of each partition of a topic that only we wrote to.
// A failed record may be in the log or not: up to that many extra records are no duplicates.
func (t *tally) compare(ends []int64) delivery {
	var d delivery
	spare := t.errors
	for i, p := range t.parts {
		end := ends[i]
		d.Acked += p.count
		d.Logged += end
		switch {
		case end < p.count:
			d.Lost += p.count - end
		case end > p.count:
			more := end - p.count
			excused := min(more, spare)
			spare -= excused
			d.Duplicated += more - excused
		case p.unplaced == 0 && p.sum != end*(end-1)/2:
			d.Misplaced++
		}
	}
	return d
}
