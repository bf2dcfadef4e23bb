// Package sequential decides when a comparison has seen enough: interim analyses at the replicates that its plan registered,
// what ended it, and the smallest effect that can be detected.
package sequential
