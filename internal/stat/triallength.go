package stat

import "math"

// The bounds of TrialSeconds: shorter trials end before a machine's slow states show, and longer ones cost pairs.
const (
	minTrialSeconds = 30
	maxTrialSeconds = 300
)

// TrialSeconds returns the length of a trial for the smallest variance of the mean in a given time, between 30 and 300
// s:
//
//	√(W·w²·tau/b²)
//
// for a warm-up of W seconds, a standard deviation w of the logs of windows of 1 s with the autocorrelation time tau in
// windows, and a standard deviation b of the logs of trials (docs/method.md#levels-of-repetition; the optimum of
// Kalibera and Jones for two levels).
func TrialSeconds(warmup, sdWindow, tau, sdTrials float64) float64 {
	if sdWindow == 0 {
		return minTrialSeconds
	}
	best := math.Sqrt(warmup*tau) * sdWindow / sdTrials
	return min(max(best, minTrialSeconds), maxTrialSeconds)
}
