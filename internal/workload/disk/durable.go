package disk

import (
	"github.com/HdrHistogram/hdrhistogram-go"
)

// durable tracks one lane's writes that no sync covers yet, and the latencies of those covered. A write is durable
// at the end of the first sync that began after the write had ended.
type durable struct {
	every   int     // writes per sync; 0: no syncs
	waiting []int64 // intended starts of completed writes
	covered []int64 // of writes that the sync in flight covers
	syncing bool
	syncs   int64
	took    *hdrhistogram.Histogram // ns; of writes that began in the measured time
}

const longestDurable = 3_600_000_000_000 // ns: 1 h

// newDurable allocates for everything that can be in flight.
func newDurable(every, flights int) *durable {
	d := &durable{every: every}
	if every > 0 {
		d.waiting, d.covered = make([]int64, 0, every+flights+1), make([]int64, 0, every+flights+1)
		d.took = hdrhistogram.New(1, longestDurable, 3)
	}
	return d
}

// wrote records a completed write.
func (d *durable) wrote(intended int64) {
	if d.every > 0 {
		d.waiting = append(d.waiting, intended)
	}
}

// due reports whether to begin a sync; no write begins until it has ended.
func (d *durable) due() bool { return d.every > 0 && !d.syncing && len(d.waiting) >= d.every }

// begin is called as a sync begins.
func (d *durable) begin() {
	d.waiting, d.covered = d.covered[:0], d.waiting
	d.syncing = true
}

// end is called after the sync.
func (d *durable) end(now, start int64) {
	d.syncing = false
	d.syncs++
	for _, intended := range d.covered {
		if intended >= start {
			_ = d.took.RecordValue(min(max(now-intended, 1), longestDurable)) // in range: cannot fail
		}
	}
}
