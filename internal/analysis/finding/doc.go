// Package finding defines the results of analyses of measurements: cells with their estimates, comparisons of two
// sides, and findings, each of one kind with a typed body. An analysis is a folder below this one and a line in package
// judge.
package finding
