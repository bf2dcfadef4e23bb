package erasure

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// lane is one thread's shards and its operation.
type lane struct {
	memory *kernel.Memory
	shards [][]byte // data, then parity
	data   int
	op     string
	lost   int
	coder  coder
	source func() *rand.ChaCha8 // source of the data shards' bytes, from the start
}

// newLane makes lane i and its shards on the calling thread.
func newLane(p workload.Params, seed uint64, i int) (*lane, error) {
	l := &lane{data: p.Int("data"), op: p.Text("op"), lost: p.Int("lost"),
		source: func() *rand.ChaCha8 { return kernel.Random(seed, i, "plimsoll erasure") }}
	size := p.Int("shard")
	memory, err := kernel.Map(aligned(size) * int(memoryOf(p)/int64(size)))
	if err != nil {
		return nil, err
	}
	l.memory = memory
	all := shardsIn(memory.Parts[0], size)
	n := l.data + p.Int("parity")
	l.shards = all[:n:n]
	if l.coder, err = newCoder(p, all[n:]); err == nil {
		err = l.fill()
	}
	if err != nil {
		return nil, errors.Join(err, memory.Free())
	}
	return l, nil
}

// aligned rounds up to whole cache lines.
func aligned(size int) int { return (size + 63) &^ 63 }

// shardsIn cuts memory into shards of size bytes, each on a cache line.
func shardsIn(memory []byte, size int) [][]byte {
	var shards [][]byte
	for ; len(memory) > 0; memory = memory[aligned(size):] {
		shards = append(shards, memory[:size:size])
	}
	return shards
}

// fill draws the data and, if the operation needs it, has the library make the parity.
func (l *lane) fill() error {
	random := l.source()
	for _, shard := range l.shards[:l.data] {
		if _, err := io.ReadFull(random, shard); err != nil {
			return err
		}
	}
	if l.op == opEncode {
		return nil
	}
	encoder, err := plainEncoder(l.data, len(l.shards)-l.data)
	if err != nil {
		return err
	}
	return encoder.Encode(l.shards)
}

// Run does n operations.
func (l *lane) Run(n int) error {
	for range n {
		ok, err := l.coder.do(l.shards)
		if err != nil {
			return fmt.Errorf("%s %d+%d shards of %d bytes: %w",
				l.op, l.data, len(l.shards)-l.data, len(l.shards[0]), err)
		}
		if !ok {
			return fmt.Errorf("verify %d+%d shards: the parity is wrong", l.data, len(l.shards)-l.data)
		}
	}
	return nil
}

// Free unmaps the shards.
func (l *lane) Free() error {
	l.shards = nil
	return l.memory.Free()
}
