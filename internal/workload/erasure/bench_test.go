package erasure

import (
	"testing"

	"github.com/klauspost/reedsolomon"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/kernel/kerneltest"
)

// The benchmarks of the library have the form of its own (benchmarkEncode,
// benchmarkVerify, benchmarkReconstruct) on one goroutine, counting data bytes.
// BenchmarkLane is the workload at the same, and BenchmarkLaneOverLibrary both in
// turns; the library's side is always as-minio, so that best shows its gain.

func BenchmarkLibrary(b *testing.B) {
	eachCase(b, []string{pathAsMinIO}, func(b *testing.B, set record.Params) {
		b.SetBytes(dataBytes(b, set))
		b.ReportAllocs()
		work := libraryWork(b, set)
		for b.Loop() {
			work()
		}
	})
}

func BenchmarkLane(b *testing.B) {
	eachCase(b, []string{pathAsMinIO, pathBest}, func(b *testing.B, set record.Params) {
		kerneltest.LaneRate(b, made(b, set), dataBytes(b, set))
	})
}

func BenchmarkLaneOverLibrary(b *testing.B) {
	eachCase(b, []string{pathAsMinIO, pathBest}, func(b *testing.B, set record.Params) {
		p := kerneltest.Pair{Work: made(b, set), Bytes: dataBytes(b, set), Library: libraryWork(b, set),
			Collects: set["op"] == opVerify}
		p.Ratio(b)
	})
}

func eachCase(b *testing.B, paths []string, do func(*testing.B, record.Params)) {
	for _, shape := range [][2]string{{"8", "4"}, {"10", "4"}, {"12", "4"}, {"8", "8"}} {
		for _, op := range []string{opEncode, opVerify, opReconstruct} {
			for _, size := range []string{"8KiB", "87382B", "1MiB", "8MiB"} {
				for _, path := range paths {
					set := record.Params{"data": shape[0], "parity": shape[1], "op": op, "shard": size, "path": path}
					b.Run(shape[0]+"+"+shape[1]+"/"+op+"/"+size+"/"+path, func(b *testing.B) { do(b, set) })
				}
			}
		}
	}
}

func dataBytes(b *testing.B, set record.Params) int64 {
	p := resolved(b, set)
	return int64(p.Int("data")) * int64(p.Int("shard"))
}

// libraryWork is one operation as the library's own benchmark does it.
func libraryWork(t testing.TB, set record.Params) func() {
	p := resolved(t, set)
	data, parity := p.Int("data"), p.Int("parity")
	encoder, err := reedsolomon.New(data, parity, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		t.Fatal(err)
	}
	shards := encoder.(reedsolomon.Extensions).AllocAligned(p.Int("shard"))
	copyShards(t, shards, set)
	switch p.Text("op") {
	case opVerify:
		return func() { _, _ = encoder.Verify(shards) }
	case opReconstruct:
		return func() {
			shards[0] = shards[0][:0]
			_ = encoder.Reconstruct(shards)
		}
	}
	return func() { _ = encoder.Encode(shards) }
}

func copyShards(t testing.TB, to [][]byte, set record.Params) {
	l := made(t, set)
	for i := range to {
		copy(to[i], l.shards[i])
	}
	if err := l.Free(); err != nil {
		t.Fatal(err)
	}
}
