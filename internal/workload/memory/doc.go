// Package memory is the workload that reads and writes more memory than the
// caches hold, on one lane a CPU: STREAM's copy (a = b) and triad (a = b + 3 c).
//
// Bytes are counted as STREAM does: what the program reads and writes, 2 arrays
// in copy and 3 in triad; memory traffic is the same. What crosses the memory bus
// may be more: a write that does not go past the caches reads its line first, so
// triad really moves 4 arrays.
//
// Copy is Go's copy, which is vector code (Go's runtime, memmove), on amd64 with
// stores that go past the caches. Triad is a loop over float64, which Go
// does not turn into vector code: on one CPU it can be bound by the loop and
// not by memory, so compare it between like machines, with as many CPUs as it
// takes until it no longer grows.
//
// Arrays are each lane's own, on huge pages where the machine gives them, and a
// little apart: at distances that are powers of two they would meet in the same
// banks of DRAM. By STREAM's rule each should be, over all lanes, at least 4 times
// the last-level caches in use; that is the default. Smaller ones raise a doubt.
//
// An operation is 1 MiB of every array; a lane goes through its arrays again and again.
package memory
