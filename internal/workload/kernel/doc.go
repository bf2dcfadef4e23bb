// Package kernel is what workloads that do one thing with the CPU over and over
// have in common: their declaration, memory that each lane touches first, data
// drawn from the seed, batches, the driver, and the check that it all fits into
// the machine.
//
// Beside its throughput a kernel's trial states memory traffic, in B/s: what the work
// reads and writes, each byte once an operation, as STREAM counts. What a library
// writes and reads again within the caches is not counted, nor is the line
// that a store reads first, nor memory that Go clears. In the cache regime this is
// traffic that memory does not see; in DRAM it is held against workload memory's.
//
// A trial's keys say the regime of all lanes' working sets: see Regime.
package kernel
