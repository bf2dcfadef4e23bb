package simtest

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Doubling limits.
const (
	mostDoubled = 3.0                   // times the CPU time for twice the size: between linear (2) and quadratic (4)
	surely      = 2.5                   // times: so few that one look each is enough
	leastCPU    = 40 * time.Millisecond // of the smaller size, so that what is constant does not hide the growth
	tries       = 5                     // of which the least counts: others use this machine, too
)

// Doubles fails the test if twice the size takes more than three times the CPU time, the least of five. cost does
// something of a size and returns the CPU time that it took; the size begins at n and is doubled, up to most, until it
// takes long enough: constant costs are then small. Days have no such test, since it measures time.
func Doubles(t testing.TB, n, most int, cost func(n int) time.Duration) {
	t.Helper()
	if !Night() {
		t.Skip("it measures time, at sizes that take seconds")
	}
	// The garbage collector's share of CPU time varies with idle CPUs. CPU collects between two looks.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(4 << 30))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	one := cost(n)
	for n < most && one < leastCPU {
		n *= 2
		one = cost(n)
	}
	two := cost(2 * n)
	for two > leastCPU && two.Seconds() > surely*one.Seconds() {
		for range tries - 1 { // by turns, since a shared CPU is slower at times
			one, two = min(one, cost(n)), min(two, cost(2*n))
		}
		if one >= leastCPU || n >= most {
			break
		}
		// The first look was slow for another reason than the size.
		n, one, two = 2*n, two, cost(4*n)
	}
	if two > leastCPU && two.Seconds() > mostDoubled*one.Seconds() {
		t.Errorf("size %d takes %v, twice that %v: %.1f times as long", n, one, two, two.Seconds()/one.Seconds())
		return
	}
	t.Logf("size %d takes %v, twice that %v", n, one, two)
}

// Parts returns how many parts make a text of about a size in bytes, by the size of a text of n parts.
func Parts(size int, of func(n int) int) int {
	n := 1 << 8
	for of(n) < size && n < size {
		n *= 2
	}
	few, many := of(n/2), of(n)
	return n/2 + n/2*max(0, size-few)/max(1, many-few)
}

// Seconds fails the test if something of a size in bytes takes more seconds of CPU for a MiB than most, the least of
// five, and returns the seconds. Nights alone have such a test.
func Seconds(t testing.TB, name string, most float64, size int, do func()) float64 {
	t.Helper()
	mib := float64(size) / (1 << 20)
	s := math.Inf(1)
	for try := 0; try < tries && s > most*mib; try++ {
		runtime.GC() // what was made before is cleaned up in the same time
		s = min(s, CPU(do).Seconds())
	}
	t.Logf("%s: %.2f s of CPU for %.2f MiB", name, s, mib)
	if s > most*mib {
		t.Errorf("%s: %.2f s of CPU for %.2f MiB, over %g s a MiB", name, s, mib, most)
	}
	return s
}

// CPU returns the CPU time of this process while something is done.
func CPU(do func()) time.Duration {
	used := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.GC() // or the garbage of an earlier call is collected in this one
	before := used()
	do()
	return used() - before
}
