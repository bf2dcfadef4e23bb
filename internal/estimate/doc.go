// Package estimate is a value with its confidence interval: how one is made of replicates, and how two are put in relation.
package estimate
