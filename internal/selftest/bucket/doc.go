// Package bucket simulates disks with known truth: a token bucket that is refilled in steps or continuously, a credit
// that runs out, and disks without a bucket, smooth, drifting or stalling. A run returns the completions in each
// millisecond under a queue that is never empty, simulated I/O by I/O.
//
// It is pure, and independent of how a regulator is recognised.
package bucket
