package aesgcm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"plimsoll/internal/workload"
)

// Digest returns the SHA-256, in hex, of the ciphertext and the output of the first operation of lanes 0 and 1 with
// this seed. It is the same on every architecture and code path.
func Digest(seed uint64, p workload.Params) (string, error) {
	h := sha256.New()
	for i := range 2 {
		l, err := newLane(p, seed, i)
		if err != nil {
			return "", err
		}
		stream, err := l.first()
		h.Write(stream)
		h.Write(l.buffers.dst)
		if err := errors.Join(err, l.buffers.free()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// first does the lane's first operation and returns its ciphertext.
func (l *lane) first() ([]byte, error) {
	if err := l.run(1); err != nil {
		return nil, err
	}
	plain := make([]byte, l.size)
	l.plain(plain)
	return l.stream(plain)
}
