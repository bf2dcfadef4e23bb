// Package terms has the words that screens, pages and documents use in a sense of their field.
package terms

// Term is a word and its meaning, a sentence without a full stop.
type Term struct{ Name, Meaning string }

// All returns the terms in the order in which a reader meets them.
func All() []Term {
	return []Term{
		{"benchmark", "one workload with one set of parameters and one load"},
		{"run", "one measurement, in its own process"},
		{"failed run", "a run that cannot be trusted, for example because requests failed; it is excluded"},
		{"noisy run", "a run disturbed by other programs, steal or throttling; it is included"},
		{"baseline, candidate", "the two things that are compared: the candidate against the baseline"},
		{"variant", "one value of a varied parameter (--vary)"},
		{"interleaved, pair", "runs of the variants in alternation, so that drift cancels; one run of each"},
		{"unpaired", "runs at different times, so that drift does not cancel"},
		{"estimate, 95% CI", "the geometric mean of the runs and its 95% confidence interval; n counts the runs"},
		{"run-to-run variation", "the coefficient of variation of the runs"},
		{"verdict", "DIFFERENT (better or worse), EQUIVALENT or UNDECIDED, with a stated error rate"},
		{"equivalence margin", "differences below this count as equal: 2% unless --margin sets another"},
		{"sensitivity", "the smallest change that a comparison of a given length detects"},
		{"closed loop, open loop", "clients that wait for each answer (--clients); a rate that waits for none (--rate)"},
		{"target rate, achieved rate", "the requested rate and the measured one"},
		{"max load", "the highest load within the latency target (--load-line)"},
		{"latency target", "the limit for max load (--slo p99=20ms); otherwise twice the latency at low load"},
		{"schedule lag", "how late the load generator sent a request; it is part of the latency"},
		{"target, load generator", "what is measured; the machine or the CPUs that make the load"},
		{"worker", "one thread of the load generator"},
		{"warm-up, JIT warm-up", "load before the measured time; full load until a JIT has compiled the code (heat)"},
		{"burst credits, fixed period", "how a provider throttles a disk: a budget that refills; an amount per period"},
		{"stall", "a pause of the measuring process, or of the disk"},
		{"bottleneck", "the resource that limits throughput"},
		{"session file", "a plan and its runs, one JSON object per line"},
	}
}
