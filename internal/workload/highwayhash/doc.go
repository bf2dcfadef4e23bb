// Package highwayhash is the workload that hashes as MinIO's bitrot protection does, on one lane a CPU:
// github.com/minio/highwayhash, HighwayHash-256, MinIO's fixed key, and for each shard written or read Reset, one
// Write and Sum of the same hash. Unlike MinIO's, the sum goes into reused memory.
// Memory traffic is the bytes hashed, which are read once. A lane hashes the same buffer repeatedly: a small one
// stays in the caches, a large one streams from DRAM. MinIO cuts objects into blocks of 1 MiB, and each block into
// data shards: it hashes 1 MiB / data at a time.
package highwayhash
