// Package trialset selects and describes sets of trials for every analysis: which cell a trial belongs to, which trials
// count and can be trusted, which ran side by side, the registration in their plans, and the parameters that vary along
// a sweep. It draws no conclusion.
package trialset
