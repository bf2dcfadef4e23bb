// Package figure writes numbers: units with their prefixes, intervals, changes in words and the ticks of an axis.
package figure
