// Package stat is the mathematics of the method: intervals for one side and for the ratio of two, the boundaries of
// fixed sessions and of interim analyses and the verdicts at each, levels of repetition, steady state within a trial,
// quantiles, attribution to factors, scaling, throttling of disks, and small summaries. It works on plain numbers,
// knows nothing of machines or trials, and does no input or output.
//
// Throughput and latency are multiplicative, so ratios are formed on logs: a log ratio of 0.05 is a ratio of exp(0.05)
// = 1.051. The documentation of functions that take or return logs says so.
package stat
