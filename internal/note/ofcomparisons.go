package note

func ofPairing() []Kind {
	return []Kind{
		{Code: "no-order-of-time", Format: "unpaired: the import's runs are in order of their values on both sides, which " +
			"is no order of time"},
		{Code: "sides-in-blocks", Format: "unpaired: all runs of one side came before those of the other, and drift is " +
			"not cancelled"},
		{Code: "import-order", Format: "unpaired: run numbers of an import are an order, a column pair says which ran " +
			"side by side"},
		{Code: "unpaired", Format: "unpaired: drift between the sessions is not cancelled"},
		{Code: "paired-by-import", Format: "paired as the import says: that they ran side by side is not known here"},
		{Code: "repeated-a", Format: "run %d of side a is there %d times, in files that were joined or edited: it is " +
			"not independent"},
		{Code: "repeated-b", Format: "run %d of side b is there %d times, in files that were joined or edited: it is " +
			"not independent"},
		{Code: "unlike-encryption", Format: "the sides do not encrypt alike: %s against %s"},
		{Code: "without-block", Format: "left out, without a machine of the other type in their block: %s"},
		{Code: "without-partner", Format: "left out, without a partner: %s"},
		{Code: "runs-missing", Format: "%d and %d runs, %d missing"},
		{Code: "runs-unequal", Format: "%d and %d runs"},
		{Code: "generators-without-cores", Format: "server and generator are not known to have had cores of their own, " +
			"on either side"},
		{Code: "generator-without-cores-a",
			Format: "server and generator are not known to have had cores of their own on side a, and had on side b"},
		{Code: "generator-without-cores-b",
			Format: "server and generator are not known to have had cores of their own on side b, and had on side a"},
		{Code: "unequal-generators", Format: "unequal generators: %d whole cores on side a, %d on side b; one run of both " +
			"machines gives them alike"},
		{Code: "same-values", Format: "both sides state the same values: it may be one measurement twice"},
		{Code: "of-side", Format: "side %s: %s"},
		{Code: "outlier-pair", Format: "the pair of run %d is an outlier: its ratio is %+.0f %% against that of the others"},
		{Code: "outliers", Format: "%d outliers, by modified z-scores over 3.5, none of them left out: %s " +
			"against the median"},
		{Code: "mean-moved", Format: "outliers: the estimate and its interval are by signed ranks, which they hardly move; " +
			"the mean of the pairs is %s"},
		{Code: "pairs-vary", Format: "the pairs' ratios vary by %.0f %%"},
		{Code: "ranks-differ", Format: "by ranks, which outliers hardly move, %s: %s to %s"},
		{Code: "resembling-replicates", Format: "runs resemble those before them (autocorrelation %.2f): the interval is " +
			"%.1f times as wide"},
		{Code: "no-level-no-verdict", Format: "%s: no interval, no verdict"},
		{Code: "unequal-code-paths", Format: "unequal code paths: %s"},
		{Code: "unequal-regimes", Format: "unequal regimes: the working set lay in %s against %s"},
	}
}

func ofVerdicts() []Kind {
	return []Kind{
		{Code: "no-ratio", Format: "no ratio: %s"},
		{Code: "by-ranks", Format: "compared by ranks and differences: %s"},
		{Code: "too-few-for-ranks", Format: "%s: no test by ranks can decide at an error rate of %s; it takes %d %s"},
		{Code: "means-contradict-ranks", Format: "by ranks and by means the change has opposite signs: no verdict"},
		{Code: "direction-unknown", Format: "whether more of %s is better is not known: no verdict; import it with a line " +
			"or a column that tells, or measure it with --better"},
		{Code: "moments-compared", Format: "from means and standard deviations of %d and %d runs, as the files state"},
		{Code: "moments-read", Format: "by the error of reading values off a chart, which leaves out how runs differ: no " +
			"verdict"},
		{Code: "moments-within", Format: "by the scatter of %d and %d parts of one run or more, which leaves out how runs " +
			"differ: no verdict"},
		{Code: "too-few-pairs", Format: "fewer than %d %s: no interval, no verdict"},
		{Code: "one-instance", Format: "one instance of a type: no interval, no verdict on types; launches must be " +
			"replicated, since runs of one instance each find equal types different in 3 of 4 comparisons"},
		{Code: "too-few-instances", Format: "fewer than %d instances a side: no interval, no verdict"},
		{Code: "under-min-machines", Format: "%d instances on the smaller side, fewer than the %d of " +
			"--min-machines: no verdict"},
		{Code: "emulated-no-verdict", Format: "emulated: no verdict"},
		{Code: "undecided", Format: "undecided: about %d %s would be needed"},
		{Code: "within-margin", Format: "differs by %+.1f %%, within margin"},
		{Code: "quick", Format: "quick: never EQUIVALENT"},
		{Code: "few-operations-compared", Format: "p99 of %d operations in a run: at least %d for a margin of 2 %%"},
		{Code: "too-few-undisturbed", Format: "disturbed: only %d of %d %s ran undisturbed, too few to check the verdict " +
			"without the others"},
		{Code: "too-few-undisturbed-instances",
			Format: "disturbed: only %d %s ran undisturbed, too few to check the verdict without the others"},
		{Code: "fragile-disturbed", Format: "fragile: verdict depends on disturbed runs: %s without them, n %d"},
		{Code: "disturbed", Format: "disturbed: %s; %s without them too, n %d"},
		{Code: "floor-decides", Format: "the verdict rests on the floor of the standard deviation: observed %.2g %%, %g %% " +
			"is assumed; without it %s"},
		{Code: "looks-of-several-sessions", Format: "the pairs of %d sessions taken together: each had interim analyses of " +
			"its own, and the error rate holds for one"},
		{Code: "no-look-yet", Format: "no interim analysis yet: no interval, no verdict; the first is after %d pairs"},
		{Code: "not-decided-yet", Format: "not decided yet: the next interim analysis is after %d pairs"},
		{Code: "futile", Format: "stopped: %d more %s would not decide it (a chance of %.1f %%); about %d would, or %d " +
			"whose ratios scatter by %.3g %% instead of %.3g %%"},
		{Code: "futile-by-far", Format: "stopped: %d more %s would not decide it (a chance of %.1f %%), and no thousand " +
			"would: their ratios scatter by %.3g %%"},
		{Code: "stop-corrected", Format: "the estimate is corrected for the stop, which comes early where a difference " +
			"looks large: the mean of these pairs is %s"},
		{Code: "trials-not-steady", Format: "NOT STEADY: %d of %d runs"},
		{Code: "trials-steady-late", Format: "steady only from up to %.0f s on: %d of %d runs; warm up longer"},
		{Code: "trials-drift", Format: "drifts by up to %.1f %% from end to end: %d of %d runs"},
		{Code: "line-not-crossed", Format: "not crossed: %d of %d load lines of side %s are lower bounds, no ratio"},
	}
}

func ofLoad() []Kind {
	return []Kind{
		{Code: "not-capacity", Format: "no verdict: %s"},
		{Code: "perhaps-a-cap", Format: "perhaps a rate or a cap, and not the capacity of the machines: %s"},
		{Code: "rate-limited-both", Format: "rate-limited: both handle the offered rate, no verdict"},
		{Code: "carried-at-this-load", Format: "both handle the offered rate at this load of the sweep, no verdict on it"},
		{Code: "alike-at-rate", Format: "both do the same at this rate, which may be all of it: no verdict on it"},
		{Code: "rate-limited-a", Format: "rate-limited: side a handles the offered rate, and may handle more"},
		{Code: "rate-limited-b", Format: "rate-limited: side b handles the offered rate, and may handle more"},
		{Code: "rate-limited", Format: "rate-limited: it handles the offered rate, and may handle more"},
		{Code: "idle-cpus", Format: "not the capacity of the machines: their CPUs were %.0f %% and %.0f %% in use"},
		{Code: "a-rate-or-cap", Format: "a rate or a cap, and not the capacity of the machines: %s"},
		{Code: "scatters-little", Format: "%s scatters by %.3g %% and %.3g %%, below the %.1f %% of a machine at its limit"},
		{Code: "same-in-other-work", Format: "same throughput on other work: %s"},
		{Code: "carries-nominal", Format: "both sides run at %s"},
		{Code: "same-rate-unlike-latency", Format: "both sides handle as much, and %s differs by %+.0f %%"},
		{Code: "same-rate-unlike-types", Format: "%s and %s handle as much to within %.1f %%"},
	}
}

func ofShares() []Kind {
	return []Kind{
		{Code: "answering-machine-unknown",
			Format: "no verdict: the machine that answers is unknown; the parameter answered_by names it"},
		{Code: "rate-was-given", Format: "no verdict: the rate was given, the share counts all of the machine"},
		{Code: "cpus-partly-loaded", Format: "no verdict: the load used %g of up to %g vCPUs, the share counts all"},
		{Code: "price-of-carrying", Format: "price of handling %s; not known whether the machines were full"},
		{Code: "few-clients", Format: "no verdict: %s for up to %g vCPUs, the share counts all"},
		{Code: "cpus-not-full", Format: "no verdict: CPU use was %.0f %% and %.0f %%, the share counts all of the machine"},
		{Code: "may-not-fill", Format: "holds if the load fills both machines: it may not have"},
		{Code: "clusters-not-full", Format: "CPU use was %.0f %% and %.0f %%: what this load has, not the most that either " +
			"cluster handles"},
		{Code: "nodes-share-machine", Format: "the nodes of a side shared one machine, and are priced as one each"},
		{Code: "power-estimated", Format: "estimate: power was not measured but %s, no verdict"},
		{Code: "unlike-vcpus", Format: "vCPUs are not like for like: %.3g threads a core against %.3g"},
	}
}

func ofMachines() []Kind {
	return []Kind{
		{Code: "one-machine-two-names", Format: "%s and %s are one machine under two names"},
		{Code: "of-machine", Format: "%s: %s"},
		{Code: "unlike-vcpus-of-types", Format: "%s"},
		{Code: "unlike-vcpus-of-types-per-core", Format: "%s", Hint: "read the figures per core"},
		{Code: "no-rate-no-share", Format: "no figures per vCPU, core and dollar of metrics that are no rate per second: %s"},
		{Code: "costs-nothing", Format: "no figures per dollar: %s costs nothing"},
		{Code: "no-price", Format: "no figures per dollar: no price of %s is known",
			Hint: "--price %s=1.808 gives it, in USD per hour"},
		{Code: "clock-unknown", Format: "the runs of %s have no CPU clock"},
		{Code: "clock-sources-differ", Format: "one clock is by %s, the other by %s"},
		{Code: "clock-nominal", Format: "a clock by /proc/cpuinfo may be the nominal one, as on virtual machines"},
		{Code: "incomparable", Format: "%s"},
		{Code: "unequal-paths-left-out", Format: "not compared, %s"},
		{Code: "not-compared", Format: "%s, %s: %s"},
	}
}
