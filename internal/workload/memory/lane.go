package memory

import (
	"encoding/binary"
	"math/rand/v2"
	"unsafe"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// factor is triad's. With it and with source values below 2^32, every result is
// exact, whether or not the CPU rounds between the multiplication and the sum.
const factor = 3.0

// stagger is what lies between the end of an array and the next one. Arrays
// whose distance is a power of two meet in the same banks of DRAM and sets of
// the caches, and triad lost a third by it (Zen 3, 128 MiB each). An odd number
// of KiB also keeps loads and stores from equal places in pages, which CPUs
// take for dependent.
const stagger = 205 << 10

// lane is one thread's arrays, and how far it is through them.
type lane struct {
	memory  *kernel.Memory
	a, b, c []float64 // c is empty in copy
	at      int       // element that the next operation begins with
	whole   bool      // all of a has been written
	source  func() *rand.ChaCha8
}

// newLane makes lane i and its arrays of size bytes on the calling thread.
func newLane(p workload.Params, policy kernel.Policy, size int, seed uint64, i int) (*lane, error) {
	memory, err := kernel.MapOn(policy, mapped(arrays(p), size))
	if err != nil {
		return nil, err
	}
	array := func(i int) []float64 { return floats(memory.Parts[0][i*(size+stagger):][:size]) }
	l := &lane{memory: memory, a: array(0), b: array(1),
		source: func() *rand.ChaCha8 { return kernel.Random(seed, i, "plimsoll memory") }}
	if arrays(p) == 3 {
		l.c = array(2)
	}
	drawn(l.source(), l.b, l.c)
	return l, nil
}

// mapped is the bytes that n arrays of size bytes take with what lies between.
func mapped(n, size int) int { return n*size + (n-1)*stagger }

// floats is memory that begins on a cache line as numbers.
func floats(mapped []byte) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(&mapped[0])), len(mapped)/8)
}

// drawn fills arrays with whole numbers below 2^32. Only their first chunk is
// random, and the others are the same but for their first number, which is
// theirs: drawing gigabytes would take longer than the trial.
func drawn(random *rand.ChaCha8, arrays ...[]float64) {
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
		}
	}
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

// triad writes b + 3 c to a. All have one length, a multiple of line. A line is
// done at a time because a loop of one number, as short as it is, is faster or
// slower by where the linker puts it.
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

// Free gives the arrays' memory back.
func (l *lane) Free() error {
	l.a, l.b, l.c = nil, nil, nil
	return l.memory.Free()
}

// bytesOf writes numbers in one byte order on every architecture.
func bytesOf(x []float64) []byte {
	out, _ := binary.Append(nil, binary.LittleEndian, x) // fails only for types without a size
	return out
}
