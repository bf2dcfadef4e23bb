package kerneltest

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/kernel"
)

// Pair is a workload's lane and the library alone doing the same work.
type Pair struct {
	Work     kernel.Work
	Bytes    int64 // throughput bytes of one operation on either side
	Library  func()
	Collects bool // as in kernel.Kernel
}

// Ratio reports as lane/library the median, over quadruples lane, library, library, lane and their mirror images, of
// the ratio of their rates, and also the library's rate. Turns are short, so that both sides meet the same machine.
// The garbage collector runs between quadruples only, as in a trial: otherwise the generator's garbage would start
// it in the lane's turns, and evict its caches.
func (p Pair) Ratio(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if p.Collects {
		debug.SetGCPercent(100)
	}
	l := calibrated(b, p.Work, p.Bytes)
	var ratios, rates []float64
	for laneFirst := true; b.Loop(); laneFirst = !laneFirst {
		ours, theirs := p.quadruple(b, l, laneFirst)
		ratios = append(ratios, ours/theirs)
		rates = append(rates, theirs)
	}
	b.ReportMetric(median(ratios), "lane/library")
	b.ReportMetric(median(rates)/1e6, "library-MB/s")
}

// shortTurn is the duration of one side's turn.
const shortTurn = 4 * time.Millisecond

func (p Pair) quadruple(b *testing.B, l *kernel.Lane, laneFirst bool) (ours, theirs float64) {
	turn := shortTurn
	if p.Collects {
		turn *= 20 // many rounds of the collector
	}
	g, h := generator(b, turn), generator(b, turn)
	runtime.GC()
	lane := func(g *load.Generator) { ours += laneRate(b, l, g) / 2 }
	library := func() { theirs += libraryRate(b, p.Library, l.Batch, p.Bytes, turn) / 2 }
	if laneFirst {
		lane(g)
		library()
		library()
		lane(h)
	} else {
		library()
		lane(g)
		lane(h)
		library()
	}
	return ours, theirs
}

// LaneRate reports the workload's own rate.
func LaneRate(b *testing.B, work kernel.Work, bytes int64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := calibrated(b, work, bytes)
	var rates []float64
	for b.Loop() {
		rates = append(rates, laneRate(b, l, generator(b, shortTurn)))
	}
	b.ReportMetric(median(rates)/1e6, "MB/s")
}

func calibrated(b *testing.B, work kernel.Work, bytes int64) *kernel.Lane {
	l, err := kernel.NewLane(work, bytes, 100*time.Microsecond)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

func generator(b *testing.B, turn time.Duration) *load.Generator {
	g, err := load.New(load.Config{Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: "cpus"}, Lanes: 1,
		Duration: turn})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// laneRate returns the workload's throughput in one turn, in bytes per second of CPU time of the calling thread: the
// time of other processes does not count, that of the load generator does.
func laneRate(b *testing.B, l *kernel.Lane, g *load.Generator) float64 {
	if err := l.Work.Run(1); err != nil { // warm up: the other side has just used the caches
		b.Fatal(err)
	}
	start := clock(b, unix.CLOCK_THREAD_CPUTIME_ID)
	g.Start(g.Clock().Now())
	if err := l.Run(context.Background(), g.Lane(0)); err != nil {
		b.Fatal(err)
	}
	took := clock(b, unix.CLOCK_THREAD_CPUTIME_ID) - start
	return float64(g.Result().Bytes) / took.Seconds()
}

// libraryRate returns the same for the library alone, with one clock read for each operations.
func libraryRate(b *testing.B, work func(), each int, bytes int64, turn time.Duration) float64 {
	work()
	cpu, start := clock(b, unix.CLOCK_THREAD_CPUTIME_ID), time.Now()
	for n := each; ; n += each {
		for range each {
			work()
		}
		if time.Since(start) >= turn {
			return float64(n) * float64(bytes) / (clock(b, unix.CLOCK_THREAD_CPUTIME_ID) - cpu).Seconds()
		}
	}
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
