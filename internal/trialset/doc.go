// Package trialset answers questions about sets of trials that every analysis asks: which cell a trial belongs to, which
// trials count and can be trusted, which ran side by side, what their plans registered, and what varies along a sweep.
// It draws no conclusion.
package trialset
