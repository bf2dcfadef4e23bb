// Package throttling finds whether and how a disk is throttled, and whether its safe rate holds.
package throttling
