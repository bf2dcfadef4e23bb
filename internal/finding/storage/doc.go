// Package storage finds what a workload needs of its disk, how that disk is throttled, and what of the catalogue satisfies the need.
package storage
