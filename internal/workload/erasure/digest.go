package erasure

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"plimsoll/internal/workload"
)

// Digest returns the SHA-256, in hex, of the shards of lanes 0 and 1 with this seed after their first operation. It
// is the same on every architecture and code path.
func Digest(seed uint64, p workload.Params) (string, error) {
	h := sha256.New()
	for i := range 2 {
		l, err := newLane(p, seed, i)
		if err != nil {
			return "", err
		}
		err = l.Run(1)
		for _, shard := range l.shards {
			h.Write(shard)
		}
		if err := errors.Join(err, l.Free()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
