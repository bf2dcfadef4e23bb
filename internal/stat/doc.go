// Package stat is the mathematics of the method: intervals for one side and
// for the ratio of two, the constants of fixed and of repeated looks and what is
// decided at one, levels of repetition, whether a trial was steady, quantiles,
// attribution to factors, scaling, how a disk is held back, and small summaries. It works on plain numbers, knows nothing of machines or trials and
// does no input or output.
//
// Throughput and latency are multiplicative, so ratios are formed on logs: a
// log ratio of 0.05 is a ratio of exp(0.05) = 1.051. Functions that take or
// give logs say so.
package stat
