package erasure

import (
	"strings"
	"testing"

	"github.com/klauspost/reedsolomon"

	"plimsoll/internal/record"
)

func TestVerifyAcceptsEveryShape(t *testing.T) {
	for _, shape := range shapes() {
		for _, size := range []string{"8KiB", "40001B"} {
			for name, set := range every(shape[0], shape[1], size) {
				t.Run(name, func(t *testing.T) {
					if err := made(t, set).Verify(); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	for name, set := range every(12, 4, "20000B") {
		for shard, at := range map[int]int{0: 0, 11: 19999, 12: 1, 15: 10000} {
			t.Run(name, func(t *testing.T) {
				l := made(t, set)
				l.shards[shard][at] ^= 4
				if err := l.Verify(); err == nil {
					t.Errorf("verify found nothing in shard %d", shard)
				}
			})
		}
	}
}

// A library that makes another code, and agrees with itself, is found by the
// reference.
func TestVerifyFindsAnotherCode(t *testing.T) {
	l := made(t, record.Params{"shard": "8KiB"})
	other, err := reedsolomon.New(12, 4, reedsolomon.WithCauchyMatrix())
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Encode(l.shards); err != nil {
		t.Fatal(err)
	}
	if err := l.sampled(); err == nil || !strings.Contains(err.Error(), "by the reference") {
		t.Errorf("got %v", err)
	}
}

// idle is a coder that does nothing and finds nothing.
type idle struct{}

func (idle) do([][]byte) (bool, error) { return true, nil }

func TestVerifyFindsThatNothingIsDone(t *testing.T) {
	for name, set := range every(12, 4, "8KiB") {
		t.Run(name, func(t *testing.T) {
			l := made(t, set)
			l.coder = idle{}
			if err := l.Verify(); err == nil {
				t.Error("verify found nothing")
			}
		})
	}
}

func TestVerifyOperationStopsAtDamage(t *testing.T) {
	for _, path := range []string{pathAsMinIO, pathBest} {
		l := made(t, record.Params{"op": opVerify, "shard": "20000B", "path": path})
		l.shards[3][777] ^= 1
		if err := l.Run(1); err == nil {
			t.Errorf("%s: damaged data passes", path)
		}
	}
}

func TestSamplesMeetBothEnds(t *testing.T) {
	for _, size := range []int{1, 2, 1000, 8192, 1 << 20} {
		step, last, n := max(1, size/samples|1), -1, 0
		for at := 0; at < size; at = next(at, step, size) {
			last = at
			n++
		}
		if last != size-1 || n > 2*samples {
			t.Errorf("%d bytes: %d samples, the last at %d", size, n, last)
		}
	}
}

// The lane must add no allocation to the library's.
func TestAllocatesAsTheLibraryDoes(t *testing.T) {
	for _, op := range []string{opEncode, opVerify, opReconstruct} {
		set := record.Params{"op": op, "shard": "8KiB"}
		l := made(t, set)
		direct := libraryWork(t, set)
		ours, library := testing.AllocsPerRun(50, func() { l.Run(1) }), testing.AllocsPerRun(50, direct)
		if ours > library {
			t.Errorf("%s: %g allocations an operation, the library alone %g", op, ours, library)
		}
	}
}
