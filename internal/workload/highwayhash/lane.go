package highwayhash

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"

	library "github.com/minio/highwayhash"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// keyText is the key of MinIO's bitrot protection, in hex: the HighwayHash-256 of
// the first 100 decimals of pi under a key of zeros.
const keyText = "4be734fa8e238acd263e83e6bb968552040f935da39f441497e09d1322de36a0"

// lane is one thread's shard and its hash.
type lane struct {
	memory *kernel.Memory
	shard  []byte
	key    []byte
	hash   hash.Hash
	sum    []byte
	source func() *rand.ChaCha8 // source of the shard's bytes, from the start
}

// newLane makes lane i and its shard on the calling thread.
func newLane(p workload.Params, seed uint64, i int) (*lane, error) {
	key, err := hex.DecodeString(keyText)
	if err != nil {
		return nil, err
	}
	h, err := library.New(key)
	if err != nil {
		return nil, fmt.Errorf("make hash: %w", err)
	}
	memory, err := kernel.Map(p.Int("size"))
	if err != nil {
		return nil, err
	}
	l := &lane{memory: memory, shard: memory.Parts[0], key: key, hash: h,
		source: func() *rand.ChaCha8 { return kernel.Random(seed, i, "plimsoll highway") }}
	if _, err := io.ReadFull(l.source(), l.shard); err != nil {
		return nil, errors.Join(err, memory.Free())
	}
	return l, nil
}

// Run hashes the shard n times.
func (l *lane) Run(n int) error {
	for range n {
		l.hash.Reset()
		if _, err := l.hash.Write(l.shard); err != nil {
			return fmt.Errorf("hash %d bytes: %w", len(l.shard), err)
		}
		l.sum = l.hash.Sum(l.sum[:0])
	}
	return nil
}

// Verify checks the last sum against the reference's, over the shard as drawn again. Then one more operation must
// compute the sum again.
func (l *lane) Verify() error {
	want := make([]byte, len(l.shard))
	if _, err := io.ReadFull(l.source(), want); err != nil {
		return err
	}
	if !bytes.Equal(want, l.shard) {
		return errors.New("the shard changed during the run")
	}
	sum := referenceSum(l.key, want)
	if !bytes.Equal(l.sum, sum[:]) {
		return fmt.Errorf("sum %x, want %x by the reference", l.sum, sum)
	}
	clear(l.sum)
	if err := l.Run(1); err != nil {
		return err
	}
	if !bytes.Equal(l.sum, sum[:]) {
		return fmt.Errorf("one more operation yields %x, want %x", l.sum, sum)
	}
	return nil
}

// Free unmaps the shard.
func (l *lane) Free() error {
	l.shard = nil
	return l.memory.Free()
}
