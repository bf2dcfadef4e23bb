// Package bucket is simulated disks whose truth is known: a token bucket that is renewed in steps or all
// the time, a credit that runs out, and disks that no bucket holds back, smooth, drifting or stalling. A run
// gives what completed in each millisecond under a queue that is never empty, I/O by I/O.
//
// It is pure, and knows nothing of how a regulator is recognised.
package bucket
