package storage

import (
	"fmt"
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// diskTimeline is the activity of one disk in each step of a trial.
type diskTimeline struct {
	lengths                   []float64 // of the steps, s
	reads, writes             []float64 // completed
	readBytes, writeBytes     []float64
	merges, inFlight, busy    []float64 // busy in seconds
	iowait, cpu               []float64 // ticks of all CPUs together
	largest                   float64   // largest I/O of the kernel, bytes; 0 if unknown
	counted, countedLeast, io []float64 // I/Os as a provider counts them, upper and lower bound; completed
	bytes                     []float64
}

// newDiskTimeline builds a timeline from a trial's series by name; a missing series is 0 throughout. The error names an
// impossible one.
func newDiskTimeline(use record.DiskUse, series map[string][]int64) (diskTimeline, error) {
	steps := series[record.DiskSeries("", record.DiskStep)]
	if len(steps) == 0 {
		return diskTimeline{}, fmt.Errorf("the series %s is missing", record.DiskSeries("", record.DiskStep))
	}
	for _, n := range steps {
		if n <= 0 {
			return diskTimeline{}, fmt.Errorf("a step of %d ns", n)
		}
	}
	var bad error
	column := func(device, name string, unit float64) []float64 {
		values := series[record.DiskSeries(device, name)]
		out := make([]float64, len(steps))
		if len(values) > 0 && len(values) != len(steps) {
			bad = fmt.Errorf("the series %s has %d values, its steps are %d", record.DiskSeries(device, name), len(values),
				len(steps))
			return out
		}
		for i, n := range values {
			if n < 0 {
				bad = fmt.Errorf("the series %s has a value of %d", record.DiskSeries(device, name), n)
			}
			out[i] = float64(n) * unit
		}
		return out
	}
	d := use.Device
	t := diskTimeline{
		lengths: column("", record.DiskStep, 1e-9), iowait: column("", record.DiskIowait, 1), cpu: column("", record.DiskCPU,
			1),
		reads: column(d, record.DiskReadIOs, 1), writes: column(d, record.DiskWriteIOs, 1),
		readBytes: column(d, record.DiskReadSectors, record.SectorBytes), writeBytes: column(d, record.DiskWriteSectors,
			record.SectorBytes),
		inFlight: column(d, record.DiskInFlight, 1), busy: column(d, record.DiskBusyMs, 1e-3),
		merges:  added(column(d, record.DiskReadMerges, 1), column(d, record.DiskWriteMerges, 1)),
		largest: float64(use.LargestIO),
	}
	t.count()
	return t, bad
}

func added(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

// rates returns bytes/s and I/Os/s (as a provider counts them, upper bound), averaged over windows of so many seconds;
// lengths are the actual window lengths.
func (t diskTimeline) rates(seconds float64) (bytes, counted, lengths []float64) {
	bytes, lengths = stat.Rates(t.bytes, t.lengths, seconds, diskStep)
	counted, _ = stat.Rates(t.counted, t.lengths, seconds, diskStep)
	return bytes, counted, lengths
}

// providerIO is the largest I/O that EBS counts as one on its SSD volumes: it splits larger ones, and merges smaller
// contiguous ones (Amazon EBS User Guide, I/O characteristics and monitoring).
const providerIO = 256 << 10

// count bounds the I/Os as the provider counts them. The kernel reports their number and total bytes, but neither their
// sizes nor whether they were contiguous.
func (t *diskTimeline) count() {
	t.io, t.bytes = added(t.reads, t.writes), added(t.readBytes, t.writeBytes)
	t.counted, t.countedLeast = make([]float64, len(t.io)), make([]float64, len(t.io))
	for i := range t.io {
		for _, d := range [][2]float64{{t.reads[i], t.readBytes[i]}, {t.writes[i], t.writeBytes[i]}} {
			t.counted[i] += CountedMost(d[0], d[1], t.largest)
			t.countedLeast[i] += CountedLeast(d[0], d[1])
		}
	}
}

// CountedMost returns the upper bound for n I/Os of so many bytes in total, none of them merged: each rounded up to
// whole I/Os of the provider's size; n if the kernel issues none larger than that.
func CountedMost(n, bytes, largest float64) float64 {
	if n == 0 || bytes <= providerIO || largest > 0 && largest <= providerIO {
		return n
	}
	return max(n, math.Floor((bytes+n*(providerIO-record.SectorBytes))/providerIO))
}

// CountedLeast returns the lower bound: all merged to I/Os of the provider's size.
func CountedLeast(n, bytes float64) float64 {
	if n == 0 {
		return 0
	}
	return max(1, math.Ceil(bytes/providerIO))
}
