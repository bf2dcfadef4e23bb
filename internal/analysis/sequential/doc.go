// Package sequential decides when a comparison has enough replicates: the interim analyses that its plan registered,
// the reason for its end, and the minimum detectable effect.
package sequential
