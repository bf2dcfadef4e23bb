// Package catalog knows instance types of clouds: their vCPUs, cores, memory,
// disks and network, what they cost at a date, and what is known of their power.
// All of it is embedded, names its source and its date, and is held to rules (Lint).
//
// What a source leaves out is unknown and never zero: an Amount says which,
// and a count of cores or threads is 0 only where it is unknown.
package catalog
