// Package bottleneck finds the resource that limits a cell (CPUs, disk, network, locks or the client), and the activity
// during dips of a database's throughput.
package bottleneck
