package aesgcm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel/kerneltest"
)

// TestDigests holds every architecture and code path to the same bytes. With
// -update it writes them.
func TestDigests(t *testing.T) {
	var got []string
	for _, seed := range []uint64{1, 0xfeedfacecafebeef} {
		for _, set := range []record.Params{
			{"library": "gcm", "op": "seal", "bits": "128"},
			{"library": "gcm", "op": "seal", "bits": "256"},
			{"library": "gcm", "op": "open", "bits": "128"},
			{"library": "gcm", "op": "open", "bits": "256"},
			{"library": "sio", "op": "seal", "bits": "256"},
			{"library": "sio", "op": "open", "bits": "256"},
		} {
			for _, size := range []string{"1KiB", "16KiB", "100000B", "300000B"} {
				d, err := digestOf(seed, resolved(t, with(set, "size", size)))
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%x %s %s %s %s %s", seed, set["library"], set["op"], set["bits"], size, d))
			}
		}
	}
	kerneltest.Golden(t, got, *update)
}

var update = flag.Bool("update", false, "write testdata")

func TestDigestTellsApart(t *testing.T) {
	seen := map[string]string{}
	for name, set := range every() {
		for _, seed := range []uint64{1, 2} {
			d, err := digestOf(seed, resolved(t, set))
			if err != nil {
				t.Fatal(err)
			}
			label := fmt.Sprint(name, " seed ", seed)
			if before, ok := seen[d]; ok {
				t.Errorf("%s and %s have the same digest", before, label)
			}
			seen[d] = label
		}
	}
}

// digestOf returns the SHA-256, in hex, of the ciphertext and the output of the first operation of lanes 0 and 1 with
// this seed. It is the same on every architecture and code path.
func digestOf(seed uint64, p workload.Params) (string, error) {
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
