// Package estimate provides values with confidence intervals, from replicates and from ratios of other estimates.
package estimate
