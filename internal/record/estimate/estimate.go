// Package estimate provides values with confidence intervals, from replicates and from ratios of other estimates.
package estimate

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

const (
	// Alpha is the two-sided error rate of intervals, and of verdicts if no plan says otherwise.
	Alpha = 0.05
	// Margin is how far a ratio may lie from 1 and not matter, if no plan says otherwise.
	Margin = 0.02
	// MinReplicates is how many independent values an interval needs.
	MinReplicates = figure.MinReplicates
	// MaxCV is the coefficient of variation of replicates, as a fraction, over which a note says that they vary.
	MaxCV = 0.10
)

// Estimate is a value with its 95% confidence interval.
type Estimate = figure.Estimate

// Of returns the average of values with its interval.
func Of(values []float64) Estimate {
	e := Estimate{Value: Average(values)}
	if len(values) < MinReplicates {
		return e
	}
	return Bounded(e.Value, Interval(values))
}

// MeanOf returns the arithmetic mean, as of shares that add up to 1, with Student's interval; the standard deviation of
// the values is taken to be at least sdFloor.
func MeanOf(values []float64, sdFloor float64) Estimate {
	e := Estimate{Value: stat.Mean(values)}
	if len(values) < MinReplicates {
		return e
	}
	return Bounded(e.Value, stat.TInterval(values, Alpha, sdFloor))
}

// AmountOf returns the arithmetic mean of values that may be 0 and cannot be negative; nil of none.
func AmountOf(values []float64) *Estimate {
	if len(values) == 0 {
		return nil
	}
	e := MeanOf(values, stat.SDFloor*stat.Mean(values)).Within(0, math.Inf(1))
	return &e
}

// FromLogs returns a ratio from its logarithm; n is the number of replicates behind it.
func FromLogs(r stat.LogRatio, n int) Estimate {
	value := math.Exp(r.Mean)
	if n < MinReplicates {
		return Estimate{Value: value}
	}
	return Bounded(value, r.Hull.Exp())
}

// Bounded returns a value with its interval, or without one that is not finite.
func Bounded(value float64, iv stat.Interval) Estimate { return BoundsOf(iv).Around(value) }

// BoundsOf returns the ends of an interval, or none of one that is not finite.
func BoundsOf(iv stat.Interval) figure.Bounds { return figure.Between(iv.Lo, iv.Hi) }

// LogsOf returns the interval of a ratio's logarithm.
func LogsOf(ratio figure.Bounds) stat.Interval {
	lo, hi := ratio.Ends()
	return stat.Interval{Lo: math.Log(lo), Hi: math.Log(hi)}
}

// Spread returns the ratio of the lowest to the highest of several points; 1 is flat. The interval holds for every pair
// of them at once, since they were picked after measuring.
func Spread(points []stat.Point) Estimate {
	low, high := 0, 0
	for i, p := range points {
		if p.Mean() < points[low].Mean() {
			low = i
		}
		if p.Mean() > points[high].Mean() {
			high = i
		}
	}
	return Against(points, high, low)
}

// Against returns the ratio of point b to a, with an interval that holds for each pair of points at once.
func Against(points []stat.Point, a, b int) Estimate {
	mean := points[b].Mean() - points[a].Mean()
	fewest := slices.MinFunc(points, func(x, y stat.Point) int { return cmp.Compare(len(x.Logs), len(y.Logs)) })
	if len(fewest.Logs) < MinReplicates {
		return Estimate{Value: math.Exp(mean)}
	}
	half := stat.LeastDifference(points, points[a], points[b], Alpha)
	return FromLogs(stat.LogRatio{Mean: mean, Hull: stat.Interval{Lo: mean - half, Hi: mean + half}}, len(fewest.Logs))
}

// Average returns the geometric mean, the arithmetic one if a value is not positive, and 0 of no values.
func Average(values []float64) float64 {
	switch len(values) {
	case 0:
		return 0
	case 1:
		return values[0]
	}
	if g := stat.GeoMean(values); !math.IsNaN(g) {
		return g
	}
	return stat.Mean(values)
}

// Interval returns the 95% CI of Average.
func Interval(values []float64) stat.Interval {
	logs := stat.Logs(values)
	if math.IsNaN(stat.Mean(logs)) {
		iv := stat.TInterval(values, Alpha, stat.SDFloor*math.Abs(stat.Mean(values)))
		if slices.Min(values) >= 0 {
			// A quantity that cannot be negative: times below the clock's tick read 0.
			iv.Lo = max(iv.Lo, 0)
		}
		return iv
	}
	return stat.TInterval(logs, Alpha, stat.SDFloor).Exp()
}
