// Package course judges the course of a trial by its series: steady state, warm-up, and how a disk was regulated.
package course
