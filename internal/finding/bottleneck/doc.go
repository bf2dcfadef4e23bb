// Package bottleneck finds what holds a cell down: CPUs, disk, network, locks or the client; and what went on while a database
// did less than usual.
package bottleneck
