// Package kernel is the common part of workloads that repeat one CPU-bound operation: their declaration, memory that
// each lane touches first, data drawn from the seed, batches, the driver, and the check that it all fits into the
// machine.
// Beside its throughput a kernel's trial reports memory traffic, in B/s: the bytes that the work reads and writes,
// each counted once an operation, as STREAM counts. Bytes that a library writes and reads again within the caches do
// not count, nor does the line that a store reads first, nor memory that Go clears. In the cache regime this traffic
// does not reach memory; in DRAM it is compared with that of workload memory.
// A trial's keys include the regime of all lanes' working sets: see Regime.
package kernel
