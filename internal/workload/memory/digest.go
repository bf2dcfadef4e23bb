package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// Digest returns the SHA-256, in hex, of the first chunks that lanes 0 and 1 write with this seed. It is the same on
// every architecture.
func Digest(seed uint64, p workload.Params) (string, error) {
	h := sha256.New()
	for i := range 2 {
		l, err := newLane(p, kernel.Policy{}, 2*chunk, seed, i)
		if err != nil {
			return "", err
		}
		err = l.Run(2)
		h.Write(bytesOf(l.a))
		if err := errors.Join(err, l.Free()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
