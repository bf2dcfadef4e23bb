package disk

import (
	"math/bits"
	"slices"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// The names and steps of a trial's series. An operation counts in the step in which it ended.
const (
	seriesLatency = "disk.latency"

	finest     = int64(1e6) // ns
	spreadOver = 100        // steps of a spread
	maxBins    = 3_600_000  // an hour of the finest steps; a longer load gets steps 10, 100, … times as long
)

// The latency classes of the spreads: perOctave of them between one power of two and the next, so that a class's
// upper end is at most 1/32 above its values.
const (
	octaveBits = 5
	perOctave  = 1 << octaveBits
	topBits    = 42 // 2^42 ns is over an hour: longer latencies are clamped
	classes    = (topBits - octaveBits + 1) * perOctave
)

// classOf returns the class of a latency in ns.
func classOf(ns int64) int {
	v := uint64(min(max(ns, 0), 1<<topBits-1))
	shift := max(bits.Len64(v)-octaveBits-1, 0)
	return shift*perOctave + int(v>>shift)
}

// classTop returns the longest latency of a class in ns.
func classTop(class int) int64 {
	shift := max(class/perOctave-1, 0)
	return (int64(class-shift*perOctave)+1)<<shift - 1
}

// stepOf returns the step in ns for a load of this length.
func stepOf(d time.Duration) int64 {
	step := finest
	for int64(d)/step > maxBins {
		step *= 10
	}
	return step
}

// timeline records one lane's operations over time. It is made before the load; add does not allocate, and at grows
// it only if spreads are wider than expected.
type timeline struct {
	step  int64
	start int64 // of the first step; 0: not known yet
	bins  []bin
	bin   *bin // of now; nil outside the measured time

	window int // of counts
	counts [classes]uint32
	cells  []cell
}

type bin struct{ bytes, ios, unseen uint32 }

// cell is a non-empty class of a finished window.
type cell struct {
	window uint32
	class  uint16
	count  uint32
}

// usual is the number of non-empty classes per window on most disks.
const usual = 64

func newTimeline(d time.Duration) *timeline {
	step := stepOf(d)
	n := int(int64(d) / step)
	return &timeline{step: step, bins: make([]bin, n), cells: make([]cell, 0, (n/spreadOver+2)*usual)}
}

// at sets the completion time of the operations added next; start is the beginning of the measured time.
func (t *timeline) at(now, start int64) {
	t.start = start
	i := (now - start) / t.step
	if now < start || i >= int64(len(t.bins)) {
		t.bin = nil
		return
	}
	t.bin = &t.bins[i]
	if w := int(i) / spreadOver; w != t.window {
		t.flush(w)
	}
}

// add counts one operation that ended at the time given to at.
func (t *timeline) add(took int64, bytes int) {
	if t.bin == nil {
		return
	}
	t.bin.bytes += uint32(bytes)
	t.bin.ios++
	t.counts[classOf(took)]++
}

// away counts a stretch in which the lane should have looked for completions, and did not run.
func (t *timeline) away(from, to, start int64) {
	t.start = start
	first := max(from-start, 0)
	for i := first / t.step; i < int64(len(t.bins)) && i*t.step < to-start; i++ {
		t.bins[i].unseen += uint32(min(to-start, (i+1)*t.step) - max(first, i*t.step))
	}
}

// flush stores the current window and begins another.
func (t *timeline) flush(next int) {
	for class, n := range t.counts {
		if n > 0 {
			t.cells = append(t.cells, cell{uint32(t.window), uint16(class), n})
			t.counts[class] = 0
		}
	}
	t.window = next
}

// tracks adds up the timelines of several lanes.
func tracks(lanes []*timeline) []workload.Track {
	lanes = slices.DeleteFunc(slices.Clone(lanes), func(t *timeline) bool { return t == nil })
	if len(lanes) == 0 {
		return nil
	}
	step, n := lanes[0].step, len(lanes[0].bins)
	bytes, ios, unseen := make([]int64, n), make([]int64, n), make([]int64, n)
	away := false
	sums := make([]map[uint16]int64, (n+spreadOver-1)/spreadOver)
	for _, t := range lanes {
		for i, b := range t.bins {
			bytes[i] += int64(b.bytes)
			ios[i] += int64(b.ios)
			unseen[i] += int64(b.unseen)
			away = away || b.unseen > 0
		}
		t.flush(t.window)
		for _, c := range t.cells {
			if sums[c.window] == nil {
				sums[c.window] = map[uint16]int64{}
			}
			sums[c.window][c.class] += int64(c.count)
		}
	}
	out := []workload.Track{
		{Name: record.SeriesDiskBytes, Unit: "B", StepNs: step, Values: bytes},
		{Name: record.SeriesDiskIOs, Unit: "op", StepNs: step, Values: ios},
		{Name: seriesLatency, Unit: "ns", StepNs: step * spreadOver, Spreads: spreads(sums)},
	}
	if away {
		for i := range unseen {
			unseen[i] /= int64(len(lanes))
		}
		out = append(out, workload.Track{Name: record.SeriesUnseen, Unit: "ns", StepNs: step, Values: unseen})
	}
	return out
}

func spreads(sums []map[uint16]int64) []record.Spread {
	out := make([]record.Spread, len(sums))
	for i, sum := range sums {
		for class, n := range sum {
			out[i] = append(out[i], record.Count{Value: classTop(int(class)), N: n})
		}
		slices.SortFunc(out[i], func(a, b record.Count) int { return int(a.Value - b.Value) })
	}
	return out
}
