package memorylatency

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"plimsoll/internal/workload/kernel"
)

// line is a cache line in words.
const line = 8

// loads is the number of loads in an operation of the chain.
const loads = 1000

// chain is a lane that follows indices through an array. Each cache line contains the index of the next, in words. All
// lines are one cycle: line i is followed by line a i + c. This generator has a full period, since a-1 is a multiple of
// 4 and c is odd (Hull and Dobell, 1962). The next address is known only once a load has returned, and is too irregular
// for prefetchers.
type chain struct {
	memory *kernel.Memory
	next   []uint64 // the first word of each line is used
	mask   uint64   // lines - 1
	plus   uint64
	at     uint64 // in words
	done   uint64 // loads
}

// multiplier is Knuth's (MMIX).
const multiplier = 6364136223846793005

// newChain maps and links a chain of size bytes, a power of two. Large ones are on huge pages if the machine's settings
// allow them, so that most loads find their translation. It fails once ctx has ended.
func newChain(ctx context.Context, policy kernel.Policy, size int, seed uint64) (*chain, error) {
	memory, err := kernel.MapOn(ctx, policy, size)
	if err != nil {
		return nil, err
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&memory.Parts[0][0])), size/8)
	c := &chain{memory: memory, next: words, mask: uint64(size/(8*line) - 1),
		plus: rand.New(kernel.Random(seed, 0, "plimsoll chain")).Uint64() | 1}
	for i := range c.mask + 1 {
		if i*line*8%chunk == 0 && ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), memory.Free())
		}
		words[i*line] = c.after(i) * line
	}
	return c, nil
}

func (c *chain) after(i uint64) uint64 { return (i*multiplier + c.plus) & c.mask }

// Run follows n times 1000 links.
func (c *chain) Run(n int) error {
	next, at := c.next, c.at
	for range n {
		for range loads {
			at = next[at]
		}
	}
	c.at = at
	c.done += uint64(n) * loads
	return nil
}

// Verify computes where so many loads end, by powers of the generator, and checks every link.
func (c *chain) Verify() error {
	if c.done == 0 {
		return errors.New("the chain was not followed")
	}
	at, times, plus := uint64(0), uint64(multiplier), c.plus
	for n := c.done; n > 0; n >>= 1 {
		if n&1 == 1 {
			at = at*times + plus
		}
		times, plus = times*times, times*plus+plus
	}
	if want := at & c.mask * line; c.at != want {
		return fmt.Errorf("%d loads ended at word %d, want %d", c.done, c.at, want)
	}
	for i := range c.mask + 1 {
		if c.next[i*line] != c.after(i)*line {
			return fmt.Errorf("line %d leads to word %d, want %d", i, c.next[i*line], c.after(i)*line)
		}
	}
	return nil
}

// Free unmaps the chain.
func (c *chain) Free() error {
	c.next = nil
	return c.memory.Free()
}
