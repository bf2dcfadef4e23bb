// Package course judges the course of a trial by its series and readings: steady state, warm-up, how a disk was
// regulated, and whether its window was metered.
package course
