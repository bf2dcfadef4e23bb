// Package memory is the workload that reads and writes more memory than the caches hold, on one lane a CPU: STREAM's
// copy (a = b) and triad (a = b + 3 c).
// Bytes are counted as STREAM does: those that the program reads and writes, 2 arrays in copy and 3 in triad; memory
// traffic is the same. More may cross the memory bus: a store that does not bypass the caches reads its line first,
// so triad really moves 4 arrays.
// Copy is Go's copy, which is vector code (Go's runtime, memmove), on amd64 with non-temporal stores. Triad is a
// loop over float64, which Go does not vectorise: on one CPU it can be limited by the loop instead of memory, so
// compare it between like machines, with enough CPUs that it no longer grows.
// Arrays are each lane's own, on huge pages if the machine provides them, and a little apart: at distances that are
// powers of two they would share the same banks of DRAM. By STREAM's rule each should be, over all lanes, at least 4
// times the last-level caches in use; that is the default. Smaller ones raise a doubt.
// An operation is 1 MiB of every array; a lane cycles through its arrays.
package memory
