package netload

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// stampBytes is the length of a block's number.
const stampBytes = 8

// filled returns a block of random bytes, which no path can compress.
func filled(size int, seed uint64) []byte {
	out := make([]byte, size)
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	_, _ = rand.NewChaCha8(key).Read(out) // it never fails
	return out
}

// stamp writes a block's number at both of its ends.
func stamp(block []byte, n uint64) {
	binary.BigEndian.PutUint64(block, n)
	binary.BigEndian.PutUint64(block[len(block)-stampBytes:], n)
}

// stamped returns a block's number, and false if its ends differ.
func stamped(block []byte) (uint64, bool) {
	n := binary.BigEndian.Uint64(block)
	return n, n == binary.BigEndian.Uint64(block[len(block)-stampBytes:])
}

// checked returns an error unless a block of a stream is number n.
func checked(block []byte, n uint64) error {
	if got, ok := stamped(block); !ok || got != n {
		return fmt.Errorf("block %d arrived as block %d, or its two ends are of different blocks", n, got)
	}
	return nil
}
