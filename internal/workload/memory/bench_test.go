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
		_, work := chunks(b, op)
		kerneltest.Ratio(b, made(b, op, benchSize), operation(op), work)
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

// wholePass is one loop over arrays of Go's heap.
func wholePass(b *testing.B, op string) (bytes int64, work func()) {
	x, y, z := make([]float64, benchSize/8), made(b, op, benchSize).b, []float64(nil)
	if op == opCopy {
		return 2 * benchSize, func() { copy(x, y) }
	}
	z = made(b, op, benchSize).c
	return 3 * benchSize, func() {
		for i := range x {
			x[i] = y[i] + factor*z[i]
		}
	}
}

// chunks is a plain loop over the next megabyte of arrays of Go's heap, so that
// a turn holds as much of it as of the lane.
func chunks(b *testing.B, op string) (bytes int64, work func()) {
	l := made(b, op, benchSize)
	x, y, z := make([]float64, benchSize/8), append([]float64(nil), l.b...), append([]float64(nil), l.c...)
	clear(x)
	at := 0
	next := func() (from, to int) {
		from = at
		at = (at + chunk/8) % len(x)
		return from, from + chunk/8
	}
	if op == opCopy {
		return operation(op), func() { from, to := next(); copy(x[from:to], y[from:to]) }
	}
	return operation(op), func() {
		from, to := next()
		p, q, r := x[from:to], y[from:to], z[from:to]
		for i := range p {
			p[i] = q[i] + factor*r[i]
		}
	}
}
