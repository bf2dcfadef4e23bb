// Package erasure is the workload that makes, checks and rebuilds shards with
// github.com/klauspost/reedsolomon as MinIO does, on one lane a CPU.
//
// Path as-minio is MinIO's own call (NewErasure: the library's default matrix, no
// option but the number of goroutines) on one goroutine, which is what its
// WithAutoGoroutines comes to where Go has one CPU. Encode is MinIO's write, reconstruct
// its healing and, since only the first shards are lost, its read; verify is the
// library's check, which allocates its result anew every time.
//
// Path best is the fastest way known to use the library unchanged. It takes GFNI
// code for at most 10 inputs and 10 outputs; beyond, a call on one goroutine
// looks GFNI up in a variable that can only be false there (codeSomeShards, as of
// v1.14.2) and takes AVX2 code, whatever the CPU. (A call that is split over
// goroutines does take it: MinIO on an idle machine of many CPUs is not this slow.)
// So, where there is GFNI, best cuts more than 10 inputs or outputs into equal groups, each an encoder with
// its part of the matrix, and adds up what they give, block by block in cache.
// The bytes are the same. Elsewhere, and up to 10 and 10, it differs from as-minio by keeping
// verify's memory and reconstruct's matrix.
//
// Throughput counts data bytes: data shards times their size, in every op. Memory
// traffic for each of them, of k data and m parity shards: encode reads k and
// writes m, 1 + m/k; verify reads k, writes m, and reads these and the m that are
// there, 1 + 3m/k; reconstruct of l shards reads k and writes l, 1 + l/k. What
// groups of best, or the library's own beyond 10 inputs, add up in passes is not counted.
//
// Verify as-minio allocates its result in every operation. In a trial's process, which has
// no garbage collector, that would always be memory that no cache holds, at less than half the
// speed, so these trials have theirs on, every 16 MiB.
//
// A lane's
// shards lie one after another, each on a cache line, as the library's
// AllocAligned lays them, and are used again by every operation: small ones stay
// in the caches, large ones stream from DRAM. MinIO cuts objects into blocks of 1 MiB:
// its shards are 1 MiB / data.
package erasure
