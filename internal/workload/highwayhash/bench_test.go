package highwayhash

import (
	"testing"

	library "github.com/minio/highwayhash"

	"plimsoll/internal/workload/kernel/kerneltest"
)

// BenchmarkLibrary is the library's own (benchmarkWrite, with the sum) at the sizes that
// matter here, BenchmarkLane the workload, and BenchmarkLaneOverLibrary both in turns.

func BenchmarkLibrary(b *testing.B) {
	eachSize(b, func(b *testing.B, size string) {
		b.SetBytes(int64(resolved(b, size).Int("size")))
		work := libraryWork(b, size)
		for b.Loop() {
			work()
		}
	})
}

func BenchmarkLane(b *testing.B) {
	eachSize(b, func(b *testing.B, size string) {
		kerneltest.LaneRate(b, made(b, size), int64(resolved(b, size).Int("size")))
	})
}

func BenchmarkLaneOverLibrary(b *testing.B) {
	eachSize(b, func(b *testing.B, size string) {
		p := kerneltest.Pair{Work: made(b, size), Bytes: int64(resolved(b, size).Int("size")), Library: libraryWork(b, size)}
		p.Ratio(b)
	})
}

func eachSize(b *testing.B, do func(*testing.B, string)) {
	for _, size := range []string{"4KiB", "87382B", "1MiB", "25MB"} {
		b.Run(size, func(b *testing.B) { do(b, size) })
	}
}

func libraryWork(b *testing.B, size string) func() {
	l := made(b, size)
	data := make([]byte, len(l.shard))
	copy(data, l.shard)
	key := l.key
	if err := l.Free(); err != nil {
		b.Fatal(err)
	}
	h, err := library.New(key)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		h.Reset()
		_, _ = h.Write(data)
		_ = h.Sum(nil)
	}
}
