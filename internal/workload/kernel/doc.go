// Package kernel is what workloads that do one thing with the CPU over and over
// have in common: memory that each lane touches first, data drawn from the seed,
// batches, the driver, and the check that it all fits into the machine.
package kernel
