package disk

import (
	"github.com/HdrHistogram/hdrhistogram-go"
)

// durable counts one lane's writes and begins a sync after every so many of them, as fio does: a sync takes the place
// of an operation in flight, and waits neither for the writes before it nor holds back those after it. A write is
// durable at the end of the first sync that began after the write had ended.
type durable struct {
	every   int     // writes per sync; 0: no syncs
	begun   int     // writes begun since the last sync
	waiting []int64 // intended starts of ended writes that no ended sync covers, in the order of their ends
	covered int64   // writes that ended before these
	syncs   int64
	took    *hdrhistogram.Histogram // ns; of writes that began in the measured time, to their durability
	synced  *hdrhistogram.Histogram // ns; of syncs that began in the measured time
}

const longestDurable = 3_600_000_000_000 // ns: 1 h

// mostWaiting bounds the writes for which memory is taken beforehand; more cost an allocation during the load.
const mostWaiting = 1 << 17

// newDurable allocates for everything that can be in flight: each of the flights may be a sync that is still to cover
// the writes before it.
func newDurable(every, flights int) *durable {
	d := &durable{every: every}
	if every > 0 {
		d.waiting = make([]int64, 0, min((every+1)*(flights+1), mostWaiting))
		d.took = hdrhistogram.New(1, longestDurable, 3)
		d.synced = hdrhistogram.New(1, longestDurable, 3)
	}
	return d
}

// write is called as a write begins.
func (d *durable) write() { d.begun++ }

// wrote records an ended write.
func (d *durable) wrote(intended int64) {
	if d.every > 0 {
		d.waiting = append(d.waiting, intended)
	}
}

// due reports whether the next operation to begin is a sync.
func (d *durable) due() bool { return d.every > 0 && d.begun >= d.every }

// begin is called as a sync begins. It returns the number of writes that the sync covers, from the first of the load
// on.
func (d *durable) begin() int64 {
	d.begun = 0
	return d.covered + int64(len(d.waiting))
}

// end is called after a sync that began at a time, in ns, and covers so many writes.
func (d *durable) end(now, start, began, covers int64) {
	d.syncs++
	if began >= start {
		put(d.synced, now-began)
	}
	n := max(covers-d.covered, 0) // a later sync may have ended first
	for _, intended := range d.waiting[:n] {
		if intended >= start {
			put(d.took, now-intended)
		}
	}
	d.waiting = d.waiting[:copy(d.waiting, d.waiting[n:])]
	d.covered += n
}

func put(h *hdrhistogram.Histogram, ns int64) {
	_ = h.RecordValue(min(max(ns, 1), longestDurable)) // in range: cannot fail
}
