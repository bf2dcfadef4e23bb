// Package storage finds the disk performance that a workload needs, how its disk is throttled, and the storage in the
// catalogue that satisfies the need.
package storage
