package kernel

import (
	"encoding/binary"
	"math/rand/v2"
)

// Random returns the source of everything that a lane draws from the seed. The same seed, lane and label, of which
// 16 bytes count, give the same bytes on every architecture.
func Random(seed uint64, lane int, label string) *rand.ChaCha8 {
	var s [32]byte
	binary.LittleEndian.PutUint64(s[0:], seed)
	binary.LittleEndian.PutUint64(s[8:], uint64(lane))
	copy(s[16:], label)
	return rand.NewChaCha8(s)
}
