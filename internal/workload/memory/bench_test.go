package memory

import (
	"testing"

	"plimsoll/internal/workload/kernel/kerneltest"
)

// BenchmarkLibrary is one pass over whole arrays, as STREAM does it,
// BenchmarkLane the workload, and BenchmarkLaneOverLibrary both in turns.

const benchSize = 128 << 20

func BenchmarkLibrary(b *testing.B) {
	eachOp(b, func(b *testing.B, op string) {
		bytes, work := wholePass(b, op)
		b.SetBytes(bytes)
		for b.Loop() {
			work()
		}
	})
}

func BenchmarkLane(b *testing.B) {
	eachOp(b, func(b *testing.B, op string) { kerneltest.LaneRate(b, made(b, op, benchSize), operation(op)) })
}

func BenchmarkLaneOverLibrary(b *testing.B) {
	eachOp(b, func(b *testing.B, op string) {
		l := made(b, op, benchSize)
		p := kerneltest.Pair{Work: l, Bytes: operation(op), Library: chunks(l, op)}
		p.Ratio(b)
	})
}

func eachOp(b *testing.B, do func(*testing.B, string)) {
	for _, op := range []string{opCopy, opTriad} {
		b.Run(op, func(b *testing.B) { do(b, op) })
	}
}

func operation(op string) int64 {
	if op == opTriad {
		return 3 * chunk
	}
	return 2 * chunk
}

// wholePass is one loop over arrays that lie as a lane's do: on Go's heap the
// distance between two is a power of two, which costs triad up to a third.
func wholePass(b *testing.B, op string) (bytes int64, work func()) {
	l := made(b, op, benchSize)
	x, y, z := l.a, l.b, l.c
	if op == opCopy {
		return 2 * benchSize, func() { copy(x, y) }
	}
	return 3 * benchSize, func() {
		for i := range x {
			x[i] = y[i] + factor*z[i]
		}
	}
}

// chunks is a plain loop over the next megabyte of a lane's own arrays: others
// would be other memory.
func chunks(l *lane, op string) func() {
	x, y, z := l.a, l.b, l.c
	at := 0
	next := func() (from, to int) {
		from = at
		at = (at + chunk/8) % len(x)
		return from, from + chunk/8
	}
	if op == opCopy {
		return func() { from, to := next(); copy(x[from:to], y[from:to]) }
	}
	return func() {
		from, to := next()
		p, q, r := x[from:to], y[from:to], z[from:to]
		for i := range p {
			p[i] = q[i] + factor*r[i]
		}
	}
}
