package stat

import "math"

// The bounds of TrialSeconds: shorter trials end before a machine's slow states have shown, and
// longer ones cost pairs.
const (
	minTrialSeconds = 30
	maxTrialSeconds = 300
)

// TrialSeconds is how long a trial is best measured for the smallest variance of
// the mean in a given time, between 30 and 300 s:
//
//	√(W·w²·tau/b²)
//
// of a warm-up of W seconds, a standard deviation w of the logs of windows of 1 s with
// the autocorrelation time tau in windows, and a standard deviation b of the logs
// of trials (METHOD section 1; the optimum of Kalibera and Jones for two levels).
func TrialSeconds(warmup, sdWindow, tau, sdTrials float64) float64 {
	if sdWindow == 0 {
		return minTrialSeconds
	}
	best := math.Sqrt(warmup*tau) * sdWindow / sdTrials
	return min(max(best, minTrialSeconds), maxTrialSeconds)
}
