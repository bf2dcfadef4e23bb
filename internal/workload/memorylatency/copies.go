package memorylatency

import (
	"bytes"
	"errors"
	"io"
	"time"

	"plimsoll/internal/workload/kernel"
)

// chunk is the number of bytes of an operation that copies.
const chunk = 1 << 20

// copies is a lane that copies for a share of the time.
type copies struct {
	memory  *kernel.Memory
	to      []byte
	from    []byte
	at      int
	share   float64 // of the time, 0 to 1
	written bool
}

// newCopies makes arrays of size bytes, a multiple of chunk, on the calling thread's node.
func newCopies(size int, seed uint64, i int, traffic float64) (*copies, error) {
	memory, err := kernel.Map(size, size)
	if err != nil {
		return nil, err
	}
	c := &copies{memory: memory, to: memory.Parts[0], from: memory.Parts[1], share: traffic / 100}
	if _, err := io.ReadFull(kernel.Random(seed, i, "plimsoll copies"), c.from[:chunk]); err != nil {
		return nil, errors.Join(err, memory.Free())
	}
	for at := chunk; at < size; at += chunk {
		copy(c.from[at:], c.from[:chunk])
	}
	return c, nil
}

// pause is the length of an operation that copies nothing.
const pause = 50 * time.Microsecond

// Run does n copies, each followed by a pause that makes them the share of the time. It asks for the time instead of
// sleeping: a sleep is longer than a copy.
func (c *copies) Run(n int) error {
	for range n {
		began := time.Now()
		length := pause
		if c.share > 0 {
			c.copy()
			length = time.Duration(float64(time.Since(began)) / c.share)
		}
		for c.share < 1 && time.Since(began) < length {
		}
	}
	return nil
}

func (c *copies) copy() {
	copy(c.to[c.at:c.at+chunk], c.from[c.at:c.at+chunk])
	c.written = true
	if c.at += chunk; c.at == len(c.to) {
		c.at = 0
	}
}

// Verify checks the last copy.
func (c *copies) Verify() error {
	if c.share == 0 {
		return nil
	}
	if !c.written {
		return errors.New("nothing was copied")
	}
	last := c.at - chunk
	if last < 0 {
		last = len(c.to) - chunk
	}
	if !bytes.Equal(c.to[last:last+chunk], c.from[last:last+chunk]) {
		return errors.New("a copy differs from its source")
	}
	return nil
}

// Free unmaps the arrays.
func (c *copies) Free() error {
	c.to, c.from = nil, nil
	return c.memory.Free()
}
