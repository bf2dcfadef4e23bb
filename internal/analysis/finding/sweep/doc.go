// Package sweep finds the dependence of a rate on one swept dimension: CPUs, clients, a size, or another number.
package sweep
