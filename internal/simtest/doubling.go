package simtest

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Doubling limits.
const (
	mostDoubled = 3.0                   // times the CPU time for twice the size: between linear (2) and quadratic (4)
	leastCPU    = 40 * time.Millisecond // of the smaller size, so that what is constant does not hide the growth
	tries       = 5                     // of which the least counts: others use this machine, too
)

// Doubles fails the test if twice the size takes more than three times the CPU time, the least of five. cost does
// something of a size and returns the CPU time that it took; the size begins at n and is doubled, up to most, until it
// takes long enough to be told from what is constant. Days have no such test, since it measures time.
func Doubles(t testing.TB, n, most int, cost func(n int) time.Duration) {
	t.Helper()
	if !Night() {
		t.Skip("it measures time, at sizes that take seconds")
	}
	least := func(n int) time.Duration {
		out := cost(n)
		for range tries - 1 {
			out = min(out, cost(n))
		}
		return out
	}
	for n < most && cost(n) < leastCPU {
		n *= 2
	}
	one, two := least(n), least(2*n)
	if two > leastCPU && two.Seconds() > mostDoubled*one.Seconds() {
		t.Errorf("size %d takes %v, twice that %v: %.1f times as long", n, one, two, two.Seconds()/one.Seconds())
		return
	}
	t.Logf("size %d takes %v, twice that %v", n, one, two)
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
	before := used()
	do()
	return used() - before
}
