package highwayhash

import (
	"encoding/hex"
	"errors"

	"plimsoll/internal/workload"
)

// Digest returns the sums, in hex, that lanes 0 and 1 compute with this seed. It is the same on every architecture
// and code path.
func Digest(seed uint64, p workload.Params) (string, error) {
	var sums []byte
	for i := range 2 {
		l, err := newLane(p, seed, i)
		if err != nil {
			return "", err
		}
		if err := errors.Join(l.Run(1), l.Free()); err != nil {
			return "", err
		}
		sums = append(sums, l.sum...)
	}
	return hex.EncodeToString(sums), nil
}
