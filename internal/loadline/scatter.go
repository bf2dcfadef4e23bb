package loadline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"plimsoll/internal/stat"
)

// mostAt returns the ratio of latency to limit that a further probe at the line exceeds with probability alpha if the
// line is true: the upper end of the regression's prediction interval; 1 if the scatter is unknown.
func mostAt(l stat.FoundLine, alpha float64) float64 {
	free := float64(l.Probes - 2)
	if l.Scatter == 0 || free < 1 {
		return 1
	}
	return math.Exp(student(free, 1-alpha) * l.Scatter * math.Sqrt(1+1/float64(l.Probes)))
}

func student(free, q float64) float64 { return distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(q) }

// medianVariance is the variance of the median of normal values over that of their mean.
const medianVariance = math.Pi / 2

// factorOf returns the half-width, as a ratio, of a line's interval by the scatter of its search's own probes; 0 if
// unknown. Those near the line and those of the base are taken to scatter alike; an objective does not depend on the
// base.
func factorOf(l stat.FoundLine, objective float64, probes []stat.LineProbe, alpha float64) float64 {
	variance, free, height := l.Scatter*l.Scatter, float64(l.Probes-2), l.Height
	slope := min(l.Slope, wideSlope(probes))
	if l.Scatter == 0 || !(slope > 0) {
		return 0
	}
	if base := stat.IdleLatencies(probes); objective == 0 && len(base) > 1 {
		n, sd := float64(len(base)), stat.SD(stat.Logs(base))
		variance = (variance*free + sd*sd*(n-1)) / (free + n - 1)
		free, height = free+n-1, height+medianVariance/n
	}
	if free < 1 {
		return 0
	}
	return math.Exp(student(free, 1-alpha/2) * math.Sqrt(variance*height) / slope)
}

// wideSlope returns the slope of ln of latency over ln of load through all probes made to find the line. It is less
// steep than at the line, since latency bends upwards, and better known: the last probes are so near to each other that
// the slope through them is noise.
func wideSlope(probes []stat.LineProbe) float64 {
	usable := slices.DeleteFunc(slices.Clone(probes), func(p stat.LineProbe) bool {
		return p.Base || p.Over || p.Void || !(p.Latency > 0)
	})
	x, y := make([]float64, len(usable)), make([]float64, len(usable))
	for i, p := range usable {
		x[i], y[i] = math.Log(p.Load), math.Log(p.Latency)
	}
	return stat.Slope(x, y)
}
