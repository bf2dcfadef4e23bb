// Package sweep finds how a rate follows one dimension that was swept: CPUs, clients, a size, or another number.
package sweep
