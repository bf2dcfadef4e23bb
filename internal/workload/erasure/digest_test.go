package erasure

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

// TestDigests holds every architecture and both paths to the same bytes. With
// -update it writes them.
func TestDigests(t *testing.T) {
	var got []string
	for _, seed := range []uint64{1, 0xfeedfacecafebeef} {
		for _, shape := range [][2]int{{4, 2}, {8, 4}, {12, 4}, {13, 12}} {
			for _, size := range sizes(shape) {
				for _, op := range []string{opEncode, opReconstruct} {
					set := record.Params{"data": fmt.Sprint(shape[0]), "parity": fmt.Sprint(shape[1]), "shard": size, "op": op}
					d := digest(t, seed, set, pathAsMinIO)
					if best := digest(t, seed, set, pathBest); best != d {
						t.Errorf("%v: as-minio gives %s, best %s", set, d, best)
					}
					got = append(got, fmt.Sprintf("%x %d+%d %s %s %s", seed, shape[0], shape[1], size, op, d))
				}
			}
		}
	}
	kerneltest.Golden(t, got, *update)
}

// sizes of a shard: the whole range for one shape, or an emulator takes minutes.
func sizes(shape [2]int) []string {
	if shape == [2]int{12, 4} {
		return []string{"8KiB", "87382B", "256KiB"}
	}
	return []string{"8KiB", "10007B"}
}

var update = flag.Bool("update", false, "write testdata")

func digest(t *testing.T, seed uint64, set record.Params, path string) string {
	t.Helper()
	set["path"] = path
	d, err := digestOf(seed, resolved(t, set))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digestOf returns the SHA-256, in hex, of the shards of lanes 0 and 1 with this seed after their first operation. It
// is the same on every architecture and code path.
func digestOf(seed uint64, p workload.Params) (string, error) {
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
