package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// factor is triad's. With it and source values below 2^32, every result is exact, whether or not the CPU rounds
// between the multiplication and the sum.
const factor = 3.0

// stagger is the gap between two arrays in bytes. Arrays whose distance is a power of two share banks of DRAM and
// sets of the caches, which cost triad a third (Zen 3, 128 MiB each). An odd number of KiB also keeps loads and
// stores from equal page offsets, which CPUs treat as dependent.
const stagger = 205 << 10

// lane is one thread's arrays and its position in them.
type lane struct {
	memory  *kernel.Memory
	a, b, c []float64 // c is empty in copy
	at      int       // first element of the next operation
	whole   bool      // all of a has been written
	source  func() *rand.ChaCha8
}

// newLane makes lane i and its arrays of size bytes on the calling thread.
func newLane(ctx context.Context, p workload.Params, policy kernel.Policy, size int, seed uint64, i int) (*lane,
	error) {
	memory, err := kernel.MapOn(ctx, policy, mapped(arrays(p), size))
	if err != nil {
		return nil, err
	}
	array := func(i int) []float64 { return floats(memory.Parts[0][i*(size+stagger):][:size]) }
	l := &lane{memory: memory, a: array(0), b: array(1),
		source: func() *rand.ChaCha8 { return kernel.Random(seed, i, "plimsoll memory") }}
	if arrays(p) == 3 {
		l.c = array(2)
	}
	if err := drawn(ctx, l.source(), l.b, l.c); err != nil {
		return nil, errors.Join(err, l.Free())
	}
	return l, nil
}

// mapped returns the bytes of n arrays of size bytes with the gaps between them.
func mapped(n, size int) int { return n*size + (n-1)*stagger }

// floats returns memory, which begins on a cache line, as numbers.
func floats(mapped []byte) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(&mapped[0])), len(mapped)/8)
}

// drawn fills arrays with whole numbers below 2^32. Only their first chunk is random; the others repeat it except
// for a first number of their own: drawing gigabytes would take longer than the trial. It fails once ctx has ended.
func drawn(ctx context.Context, random *rand.ChaCha8, arrays ...[]float64) error {
	const n = chunk / 8
	for _, out := range arrays {
		if len(out) == 0 {
			continue
		}
		for i := range n {
			out[i] = float64(uint32(random.Uint64()))
		}
		for at := n; at < len(out); at += n {
			copy(out[at:], out[:n])
			out[at] = float64(at / n)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Run does n operations: the next n chunks.
func (l *lane) Run(n int) error {
	for range n {
		end := l.at + chunk/8
		if len(l.c) > 0 {
			triad(l.a[l.at:end], l.b[l.at:end], l.c[l.at:end])
		} else {
			copy(l.a[l.at:end], l.b[l.at:end])
		}
		if l.at = end; l.at == len(l.a) {
			l.at, l.whole = 0, true
		}
	}
	return nil
}

// line is a cache line of numbers.
const line = 8

// triad writes b + 3 c to a. All have one length, a multiple of line. It is unrolled by a line because the speed of
// a loop over single numbers depends on where the linker places it.
func triad(a, b, c []float64) {
	for len(a) >= line && len(b) >= line && len(c) >= line {
		x, y, z := (*[line]float64)(a), (*[line]float64)(b), (*[line]float64)(c)
		x[0] = y[0] + factor*z[0]
		x[1] = y[1] + factor*z[1]
		x[2] = y[2] + factor*z[2]
		x[3] = y[3] + factor*z[3]
		x[4] = y[4] + factor*z[4]
		x[5] = y[5] + factor*z[5]
		x[6] = y[6] + factor*z[6]
		x[7] = y[7] + factor*z[7]
		a, b, c = a[line:], b[line:], c[line:]
	}
}

// Free unmaps the arrays.
func (l *lane) Free() error {
	l.a, l.b, l.c = nil, nil, nil
	return l.memory.Free()
}

// Verify recomputes, chunk by chunk, everything that the lane wrote, from a source drawn again.
func (l *lane) Verify() error {
	written := l.at
	if l.whole {
		written = len(l.a)
	}
	if written == 0 {
		return errors.New("nothing was written")
	}
	const n = chunk / 8
	b, c := make([]float64, n), make([]float64, min(n, len(l.c)))
	if err := drawn(context.Background(), l.source(), b, c); err != nil {
		return err
	}
	for at := 0; at < written; at += n {
		if at > 0 {
			b[0] = float64(at / n)
		}
		if at > 0 && len(c) > 0 {
			c[0] = float64(at / n)
		}
		if err := compare(l.a[at:at+n], b, c, at); err != nil {
			return err
		}
	}
	return nil
}

// compare checks a chunk that begins with element at.
func compare(got, b, c []float64, at int) error {
	for i := range got {
		want := b[i]
		if len(c) > 0 {
			want += factor * c[i]
		}
		if got[i] != want {
			return fmt.Errorf("element %d is %v, want %v", at+i, got[i], want)
		}
	}
	return nil
}
