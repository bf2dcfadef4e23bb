// Package memorylatency is the workload that measures the latency of memory under load. Lane 0 follows a chain of
// dependent loads, and the other lanes copy for a given share of the time. It is apart from workload memory, whose
// throughput is the ceiling of other workloads.
// The chain visits each line of an array once before it repeats, in an order that prefetchers cannot guess. The array
// is a power of two of at least 4 times the last-level cache, so that at most a quarter of the loads hit caches. It is
// on huge pages if the machine's settings allow them. On pages of 4 KiB the latency includes page walks, as in most
// programs. lmbench's lat_mem_rd (Mcvoy and Staelin, 1996) follows a stride unless it has -t.
// The traffic of the copies is counted as STREAM does. The chain's own, a line for each load, is not in it.
package memorylatency
