// Package catalog knows the instance types of clouds: their vCPUs, cores, memory, disks, network, prices by date, and
// power if known. All of it is embedded, has a source and a date, and is validated by rules (Lint).
//
// A figure that a source omits is unknown and never zero: an Amount tells the two apart, and a count of cores or
// threads is 0 only if unknown.
package catalog
