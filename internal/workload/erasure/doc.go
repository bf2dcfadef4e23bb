// Package erasure is the workload that encodes, verifies and rebuilds shards with github.com/klauspost/reedsolomon
// as MinIO does, on one lane a CPU.
// Path as-minio is MinIO's own call (NewErasure: the library's default matrix, no option but the number of
// goroutines) on one goroutine, which its WithAutoGoroutines amounts to when Go has one CPU. Encode is MinIO's
// write, reconstruct its healing and, since only the first shards are lost, its read; verify is the library's check,
// which allocates its result on every call.
// Path best is the fastest way known to use the library's code. The library takes GFNI code for at most 10 inputs
// and 10 outputs. Beyond, a call on one goroutine consults a variable that is always false there (codeSomeShards, as
// of v1.14.2) and takes AVX2 code, whatever the CPU. (A call that is split over goroutines does take GFNI: MinIO on
// an idle machine with many CPUs is not this slow.) So, if the CPU has GFNI, best cuts more than 10 inputs or
// outputs into equal groups. It gives each with its part of the matrix to the library's kernels, block by block in
// cache, as a call that is split over goroutines does. The library exports no call that does this on one goroutine, so
// best links to the kernels themselves. The bytes are the same. Without GFNI, and up to 10 and 10, best differs from
// as-minio only by reusing verify's memory and reconstruct's matrix. docs/upstream has a report of the fault.
// Throughput counts data bytes: data shards times their size, in every op. Memory traffic per data byte, with k data
// and m parity shards: encode reads k and writes m, 1 + m/k; verify reads k, writes m, and reads these and the m
// existing ones, 1 + 3m/k; reconstruct of l shards reads k and writes l, 1 + l/k. Passes that add up groups, of best
// or of the library beyond 10 inputs, do not count.
// Verify as-minio allocates its result in every operation. A trial's process has no garbage collector, so that this
// would always be memory in no cache, at less than half the speed; these trials therefore run the collector, every
// 16 MiB.
// A lane's shards are contiguous, each on a cache line, as the library's AllocAligned places them, and every
// operation reuses them: small ones stay in the caches, large ones stream from DRAM. MinIO cuts objects into blocks
// of 1 MiB: its shards are 1 MiB / data.
package erasure
