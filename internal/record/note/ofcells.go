package note

func ofTrials() []Kind {
	return []Kind{
		{Code: "emulated", Gravity: Biased, Headline: "The CPUs were emulated: figures do not apply to real CPUs",
			Format: "emulated"},
		{Code: "tainted-steal", Gravity: Biased, Headline: "The hypervisor stole over 1%% of the CPU time",
			Format: "disturbed: steal over 1%%"},
		{Code: "tainted-throttled", Gravity: Biased, Headline: "A CPU quota throttled the run",
			Format: "disturbed: throttled by the CPU quota"},
		{Code: "tainted-heat", Gravity: Biased, Headline: "The CPUs were thermally throttled",
			Format: "disturbed: throttled for heat"},
		{Code: "tainted-swap", Gravity: Biased, Headline: "Memory was swapped during the run",
			Format: "disturbed: memory was swapped"},
		{Code: "tainted-gap", Gravity: Biased, Headline: "The measuring process stalled for 100 ms or more",
			Format: "disturbed: the agent stood still for 100 ms or more"},
		{Code: "tainted-foreign", Gravity: Biased, Headline: "Other processes used over 1%% of the CPU time",
			Format: "disturbed: other processes had over 1%% of the CPUs"},
		{Code: "network-allowance", Gravity: Biased,
			Headline: "Network traffic exceeded an allowance of the instance type",
			Format:   "the network exceeded an allowance of the instance type: %s"},
		{Code: "not-steady", Gravity: Biased, Headline: "Only %.0[1]f%% of the run was in a steady state",
			Format: "NOT STEADY: only %.0f%% of the run lies in its last steady state"},
		{Code: "steady-late", Gravity: Biased,
			Headline: "The run became steady only after %.0[1]f s: use a longer warm-up",
			Format:   "steady only from %.0f s on: warm up longer"},
		{Code: "drifts", Gravity: Biased, Size: percent(1),
			Headline: "The rate drifted by %+.1[1]f%% from start to end",
			Format:   "drifts by %+.1f%% from end to end"},
		{Code: "not-steady-in-heat", Gravity: Biased, Headline: "The JIT warm-up of %[1]g s was too short",
			Format: "not steady within its heat of %g s: a longer one is needed"},
		{Code: "still-warming", Gravity: Biased, Size: percent(1),
			Headline: "The server was still warming up: the rate changed by %+.1[1]f%%",
			Format:   "still warming up: %+.1f%% over the window"},
	}
}

func ofCells() []Kind {
	return []Kind{
		{Code: "no-valid-trial", Gravity: Decisive, Headline: "All runs failed",
			Format: "no valid run"},
		{Code: "replicates-vary", Gravity: Imprecise, Size: percent(1),
			Headline: "Results are noisy: run-to-run variation is %.0[1]f%%",
			Format:   "runs vary by %.0f%%"},
		{Code: "too-few-replicates", Headline: "A confidence interval needs at least %[1]d runs",
			Format: "fewer than %d runs: no interval"},
		{Code: "moments", Headline: "The file gives only the mean and standard deviation of %[1]d runs",
			Format: "mean of %d runs with a standard deviation of %.3g%%, as the file states: the runs " +
				"themselves are not known"},
		{Code: "read-off", Gravity: Imprecise, Size: percent(1),
			Headline: "The values were read off a chart with an error of %.2[1]g%%",
			Format: "read off a chart with an error of %.3g%%, as the file states: the interval leaves out " +
				"how runs differ"},
		{Code: "moments-of-parts", Gravity: Imprecise,
			Headline: "The interval covers noise within one run, not between runs",
			Format: "mean of %d parts of one run, with a standard deviation of %.3g%%: the " +
				"interval leaves out how runs differ"},
		{Code: "several-units", Gravity: Decisive, Headline: "The runs report %[1]s in several units",
			Format: "no figure: %s is in %s"},
		{Code: "unlike-trials", Gravity: Biased, Headline: "Runs made under different conditions are pooled",
			Format: "runs of different %s are taken together: %s"},
		{Code: "replicates-missing", Gravity: Biased, Headline: "%[1]d run numbers are missing from the file",
			Format: "%d of the runs from the first to the last are missing"},
		{Code: "no-level", Gravity: Decisive, Headline: "The results shift between runs, so no interval can be given",
			Format: "%s: no interval"},
		{Code: "ratios-ramp", Gravity: Decisive,
			Headline: "Results drift by %[3]s per run, so no interval can be given",
			Format:   "%s %s by %s a run"},
		{Code: "ratios-step", Gravity: Decisive,
			Headline: "Results jump by %[3]s at run %[4]d: no interval can be given",
			Format:   "%s %s by %s at run %d"},
		{Code: "ratios-settle", Gravity: Decisive,
			Headline: "The first runs differ by up to %[3]s, as in a warm-up",
			Format:   "%s %s by %s and settle, as in a warm-up"},
		{Code: "ratios-wander", Gravity: Decisive,
			Headline: "Each run resembles the one before: no interval can be given",
			Format:   "%s are autocorrelated (%.2g), as seconds of one run are"},
		{Code: "imports-apart", Gravity: Biased, Size: percent(1),
			Headline: "The pooled files differ by %.0[1]f%%: they may be different machines",
			Format: "imports that are %.0f%% apart are taken together: %s is over %s; import them " +
				"under two names of the machine, or tell them apart with --param"},
		{Code: "two-groups", Gravity: Biased, Size: percent(3),
			Headline: "The runs fall into two groups that differ by %.0[3]f%%",
			Format: "runs fall into two groups, %d low and %d high, %.0f%% apart: something that lasts " +
				"for a run differs, such as the node of a page, the CPU or its frequency"},
		{Code: "outlier", Gravity: Imprecise, Size: percent(2),
			Headline: "Run %[1]d is an outlier: it differs from the others by %+.0[2]f%%",
			Format:   "run %d is an outlier: %+.0f%% against the mean of the others"},
		{Code: "no-safe-rate", Headline: "No run shows how the disk is throttled, so no rate is safe",
			Format: "no safe rate to verify: the runs of %s at full load do not show how the disk " +
				"is throttled"},
	}
}

func ofLoadLines() []Kind {
	return []Kind{
		{Code: "few-loads-a-replicate", Gravity: Imprecise,
			Headline: "No sweep has the %[1]d loads that an interval needs",
			Format: "no sweep has %d of the loads by itself: all runs are one sweep, and there " +
				"is no interval"},
		{Code: "too-few-sweeps", Headline: "A confidence interval needs at least %[1]d sweeps",
			Format: "fewer than %d sweeps: no interval"},
		{Code: "some-crossed", Gravity: Biased, Headline: "Only %[1]d of %[2]d sweeps reached the latency limit",
			Format: "%d of %d sweeps crossed the load line, the others ended below it"},
		{Code: "not-carried-above", Gravity: Biased,
			Headline: "The machine fell behind above %[1]s: the limit may be higher",
			Format: "above %s the machine did not keep up with the offered rate: the load line " +
				"may lie between"},
		{Code: "void-above", Gravity: Biased, Headline: "All runs above %[1]s failed",
			Format: "above %s every run failed"},
		{Code: "cpu-unknown-base", Gravity: Imprecise, Headline: "CPU use is unknown, so throughput defines low load",
			Format: "CPU use is unknown: latency counts as that below 20%% CPU at loads of up to " +
				"%.0f%% of the highest throughput, and there are no figures at 50%% CPU"},
		{Code: "alarms-fall", Headline: "CPU use is too noisy for CPU alarms: use more --replicates",
			Format: "at the alarms CPU use falls as the load rises (%s%%): the probes scatter by more " +
				"than that, and no alarm by CPU is stated; more replicates would tell"},
		{Code: "cpu-unknown", Headline: "CPU use is unknown, so figures at 50%% CPU are missing",
			Format: "CPU use is unknown: there are no figures at 50%% CPU"},
		{Code: "far-from-half-cpu", Headline: "No probe is near 50%% CPU: the closest is at %.3[1]g%%",
			Format: "the probe nearest to 50%% CPU is at %.3g%%"},
		{Code: "sent-late", Gravity: Imprecise,
			Headline: "The load generator fell behind schedule by %.3[1]g ms at p99",
			Format: "requests were sent up to %.3g ms late (p99), over 5%% of the base latency of %.3g " +
				"ms; a thread that only spins was %.3f ms late then"},
		{Code: "line-interpolated", Gravity: Imprecise, Headline: "The limit is interpolated between %[1]s and %[2]s",
			Format: "the load line is interpolated between %s and %s"},
		{Code: "few-operations-at-line", Gravity: Imprecise,
			Headline: "p99 is based on %[1]d operations per run, but 2%% precision needs %[2]d",
			Format:   "p99 of %d operations in a run: at least %d for one within 2%%"},
		{Code: "line-not-narrowed", Gravity: Imprecise,
			Headline: "The probes are too noisy to narrow the limit further",
			Format: "the probes scatter too much to say more: longer ones (--for 10s), a quieter " +
				"machine, or a generator on another host (--generator) narrow it"},
		{Code: "line-hangs-on-base", Gravity: Biased,
			Headline: "The limit depends on a noisy base latency: set a target with --slo",
			Format: "latency at low load was %.3g to %.3g ms, and the limit depends on which of " +
				"these is believed: give the limit itself, such as --slo %s=%.2gms"},
		{Code: "searches-cut-short", Headline: "%[1]d of %[2]d searches were interrupted and are left out",
			Format: "%d of %d searches were cut short, and are left out"},
		{Code: "late-over-limit", Gravity: Biased, Headline: "Generator lag may explain the latency over the limit",
			Format: "latency was %.3g ms, of which the generator's own lateness is up to %.3g ms"},
		{Code: "line-not-confirmed", Gravity: Decisive, Size: share(1, 2),
			Headline: "%[1]d of %[2]d confirmation runs missed the latency target",
			Format: "not confirmed by %d of %d fresh runs at the load found: latency was over the " +
				"limit by more than the search's probes scatter, or the load was not handled"},
		{Code: "replicates-without-line", Gravity: Biased, Size: share(1, 2),
			Headline: "%[1]d of %[2]d sweeps found no limit and are left out",
			Format:   "left out, without a load line, %d of %d sweeps: %s"},
	}
}

func ofDisks() []Kind {
	return []Kind{
		{Code: "bucket-not-full", Headline: "The burst bucket had not refilled, so it may be larger",
			Format: "the bucket had not filled up again between runs: its size is that of the " +
				"fullest, or more"},
		{Code: "bucket-empty", Headline: "%[1]d of %[2]d runs began with no burst credits",
			Format: "%d of %d runs began with the bucket empty, and show the sustained rate alone"},
		{Code: "another-class", Headline: "%[1]d of %[2]d runs show another kind of throttling",
			Format: "%d of %d runs show another class: %s"},
		{Code: "unlike-periods", Headline: "Two methods find different periods: %.3[1]g s and %.3[2]g s",
			Format: "autocorrelation finds a period of %.3g s, the bursts' starts one of %.3g s"},
		{Code: "bursts-undecided", Headline: "A quota or the deep queue may cause the bursts: lower disk.depth",
			Format: "a quota of fewer bytes than are in flight would look the same",
			Hint:   "a smaller disk.depth"},
		{Code: "disk-unseen", Headline: "The load threads had no CPU for up to %.0[1]f%% of the time",
			Format: "the load's threads had no CPU for up to %.0f%% of the time: what moved " +
				"meanwhile is unknown"},
		{Code: "few-cycles", Headline: "Only %[1]d throttling cycles were seen, but %[2]d are needed",
			Format: "too short to tell a quantum from stalls: %d cycles, %d are needed",
			Hint:   "--for %.0fs"},
		{Code: "few-operations-of-disk", Headline: "With so few operations only periods over %.3[1]g ms are visible",
			Format: "so few operations that only periods over %.3g ms are seen",
			Hint:   "a smaller disk.block"},
		{Code: "credit-too-long", Headline: "The burst took %.3[1]g s of %.3[2]g s: use longer runs",
			Format: "too short to be sure of the rate that was left: the credit lasted " +
				"%.3g s of %.3g s", Hint: "--for %.0fs"},
		{Code: "disk-timeline-unreadable", Headline: "The disk timeline of run %[1]d is unreadable",
			Format: "run %d is left out: its disk's timeline cannot be read: %v"},
		{Code: "other-disk-used", Headline: "%[1]d runs used another disk more than this one",
			Format: "%d runs used another disk most"},
		{Code: "other-disks-moved", Headline: "Other disks were busy too: they moved %.0[1]f%% as much data",
			Format: "other disks moved %.0f%% of what this one did: the machine's limits hold for " +
				"all together"},
		{Code: "work-moved-less", Headline: "The benchmark caused only %.0[1]f%% of this disk's traffic",
			Format: "the work itself moved %.0f%% of what this disk did: the rest is the file " +
				"system's, or other programs'"},
		{Code: "coarse-steps", Headline: "%.0[1]f%% of the time was sampled in steps that are too long",
			Format: "%.0f%% of the time was sampled in steps of over %g s: rates within these " +
				"are not seen"},
		{Code: "series-unreadable", Headline: "The time series of run %[1]d is unreadable",
			Format: "run %d is left out: its series cannot be read: %v"},
	}
}

func ofProfiles() []Kind {
	return []Kind{
		{Code: "profile-left-out", Headline: "The profile of run %[2]d is left out",
			Format: "%srun %d is left out: %s"},
		{Code: "profile-unreadable", Headline: "The profile of run %[1]d is unreadable",
			Format: "run %d is left out: %v"},
		{Code: "unattributed", Headline: "%.0[1]f%% of the CPU time has no function name",
			Format: "%.0f%% of the CPU time is unattributed, more than %.0f%%: the stacks could not " +
				"be walked, or their functions have no names"},
		{Code: "few-samples", Headline: "A profile has only %[1]d samples",
			Format: "only %d samples in a run: the standard error of a share of 10%% is %.1f " +
				"points at least"},
		{Code: "thin-profiles", Headline: "Profiles with too few samples are left out",
			Format: "profiles of runs are left out: %s have under %.0f%% of the samples that the " +
				"others have at the median"},
		{Code: "profile-not-shown", Headline: "A profile has no other runs: use plimsoll report to see it",
			Format: "the profile of %s is not shown, because it has no other runs; report draws " +
				"it, and export gives it to other programs"},
		{Code: "profile-of-trial-unreadable", Headline: "The profile of a run is unreadable",
			Format: "run %s: %v"},
		{Code: "a-profile-left-out", Headline: "A profile is left out",
			Format: "a profile is left out: %s"},
		{Code: "too-few-to-explain", Headline: "Explaining the difference takes at least 3 %[1]s",
			Format: "fewer than 3 %s: no interval, and no cause can be told"},
		{Code: "too-few-profiles", Headline: "Explaining CPU time takes at least 3 %[1]s with profiles",
			Format: "fewer than 3 %s have profiles: no cause in CPU time can be told"},
		{Code: "few-to-explain", Headline: "With only %[1]d %[2]s, only large causes can be found",
			Format: "%d %s tell only what differs by over ten times its scatter: %d tell more"},
		{Code: "side-unattributed", Headline: "Many samples of %[1]s have no function name",
			Format: "%s: %s of the samples are unattributed: names of functions are missing"},
	}
}

func ofFactors() []Kind {
	return []Kind{
		{Code: "not-positive", Headline: "A value is zero or negative, so its block is left out",
			Format: "a value is not positive: it has no logarithm, and its block is left out"},
		{Code: "disturbed-trials-count", Headline: "%[1]d of %[2]d runs were disturbed but still count",
			Format: "something disturbed %d of %d runs, which count all the same"},
		{Code: "rate-of-one-look", Headline: "The error rate of %.2[1]g%% assumes a single analysis",
			Format: "the session could end at any of its interim analyses, so these intervals have " +
				"the error rate of one interim analysis, %.2g%%"},
		{Code: "not-attributable", Headline: "The difference cannot be attributed to a factor",
			Format: "%s"},
		{Code: "blocks-left-out", Headline: "%[1]d of %[2]d blocks are incomplete and left out",
			Format: "%d of %d blocks are left out: a combination has no value there"},
		{Code: "no-shares-lacking", Headline: "Values are missing, so the factors' shares are unknown",
			Format: "no shares: no value of %s; the effects show single factors"},
		{Code: "no-shares-one-block", Headline: "One block cannot separate effects from noise: %[1]d are needed",
			Format: "no shares: one block leaves no noise to tell an effect from, %d are needed"},
		{Code: "blocks-incomplete", Headline: "Fewer than two blocks are complete, so drift is not cancelled",
			Format: "fewer than two blocks are complete: all runs are taken, and drift between " +
				"them is not cancelled"},
		{Code: "different-times", Headline: "The machines ran at different times, so drift is not cancelled",
			Format: "the machines ran at different times: drift between them is in the gaps, and not " +
				"in their changes by factor"},
		{Code: "no-shares", Headline: "The shares of the factors are unknown",
			Format: "no shares of %s: %s; each effect is that of one factor, all else being equal"},
	}
}

// lateHint is what helps a generator that is late.
const lateHint = "a quieter machine, or a generator on another host (--generator)"

func ofCosts() []Kind {
	return []Kind{
		{Code: "cost-of-asking-machine", Headline: "The cost covers the client's machine: the server's is unknown",
			Format: "the machine that answers is unknown: this is the cost of the " +
				"client machine"},
		{Code: "not-bound-by-machine", Headline: "The machine was not the bottleneck and may handle more",
			Format: "the bottleneck is %s: the machine may handle more for the same money"},
		{Code: "bottleneck-unknown", Headline: "The bottleneck is unknown: the machine may handle more",
			Format: "the bottleneck is unknown: the machine may handle more for the same money"},
		{Code: "these-machines-alone", Headline: "The result applies to these machines, not to their families",
			Format: "it holds for these machines: a claim about families takes %d machines " +
				"of each size"},
		{Code: "sizes-without-part", Headline: "Sizes without a counterpart are left out",
			Format: "sizes that handle more or less than all of the other family's are left out"},
	}
}

func ofAA() []Kind {
	return []Kind{
		{Code: "trials-void", Headline: "%[1]d of %[2]d runs failed",
			Format: "%d of %d runs failed, the last one: %s"},
		{Code: "no-pair-in-time", Headline: "The time ended before one pair was measured",
			Format: "no pair was measured in the time"},
		{Code: "few-pairs-in-time", Headline: "Only %[1]d pairs were measured, but %[2]d are needed",
			Format: "only %d pairs were measured in the time, %d are needed"},
		{Code: "differs-from-itself",
			Headline: "The A/A test found a difference of %+.1[1]f%%: the machine may be noisy",
			Format: "the same work differed from itself by %+.1f%%: the sides are not alike, or " +
				"this is a false positive (1 in 20)"},
	}
}

func ofSessions() []Kind {
	return []Kind{
		{Code: "left-out-by-plan", Headline: "A benchmark cannot run on this machine and is left out",
			Format: "%s"},
		{Code: "cell-absent", Gravity: Biased, Headline: "The benchmark was not run on %[1]s",
			Format: "%s has no run of %s"},
		{Code: "cell-failed", Gravity: Decisive, Headline: "All %[1]d runs failed on %[2]s",
			Format: "all %d runs failed on %s: %s: %s"},
		{Code: "runs-failed-on", Gravity: Biased, Headline: "%[1]d of %[2]d runs failed on %[3]s",
			Format: "%d of %d runs failed on %s: %s: %s"},
		{Code: "not-compared-alone", Headline: "Some benchmarks were run on %[1]s only",
			Format: "not compared, only %s has: %s"},
		{Code: "host-lost", Gravity: Biased, Headline: "Host %[1]s was lost after %[2]d valid runs",
			Format: "%s was lost after %d valid runs, and the others went on without it: %s"},
		{Code: "unlike-engines", Gravity: Biased,
			Headline: "The server or its settings differ between machines or sessions",
			Format:   "%s: %s is not the same on all machines and in all sessions: %s"},
		{Code: "clock-stepped", Headline: "The wall clock of %[1]s was set during the session",
			Format: "the wall clock of %s moved by %+.0f s beside its monotonic one before the run of " +
				"%s: it was set, or the machine slept; durations are right, times of day are not"},
		{Code: "unlike-silicon", Gravity: Biased, Headline: "Machines of type %[1]s have different CPUs",
			Format: "the machines of %s differ in silicon: %s",
			Hint:   "--split-types compares them as types of their own"},
		{Code: "untyped", Gravity: Biased, Headline: "The instance type of %[1]s is unknown",
			Format: "not compared, no instance type is known of %s"},
		{Code: "told-apart", Headline: "The %[2]d sessions of %[1]s are shown separately",
			Format: "%s was measured in %d sessions that hold the same cells, which are shown apart: %s",
			Hint:   "plimsoll compare FILE... compares them"},
		{Code: "sessions-apart", Gravity: Biased,
			Headline: "The sessions were not interleaved, so drift is not cancelled",
			Format: "%s and %s are sessions of their own: drift and changes between them are in " +
				"every difference"},
		{Code: "sessions-apart-in-time", Gravity: Biased,
			Headline: "The sessions ran at different times, so drift is not cancelled",
			Format: "%s ran %s, %s %s UTC%s: drift and changes between them are in " +
				"every difference"},
		{Code: "pooled-files", Headline: "The runs come from %[1]d files",
			Format: "pooled from %d files: %s"},
		{Code: "pooled-sessions", Headline: "The runs come from %[1]d sessions",
			Format: "pooled from %d sessions"},
		{Code: "pooled-labels", Headline: "The runs carry %[1]d different labels",
			Format: "pooled from %d labels: %s"},
		{Code: "pooled-imports", Headline: "The runs come from %[1]d imported files",
			Format: "pooled from %d imported files"},
		{Code: "pooled-days", Headline: "The runs span %[1]d days",
			Format: "pooled from %d days: %s"},
		{Code: "pooled-boots", Headline: "The runs span %[1]d boots of the machine",
			Format: "pooled from %d boots of the machine"},
		{Code: "pooled-side", Headline: "The runs of %[1]s come from several sources",
			Format: "%s is %s"},
	}
}

func ofKeptLoad() []Kind {
	return []Kind{
		{Code: "clients-starved", Gravity: Biased, Size: share(1, 2),
			Headline: "%[1]d of %[2]d clients got no answer",
			Format:   "%d of %d clients got no answer"},
		{Code: "operation-unanswered", Headline: "1 operation got no answer",
			Format: "1 operation got no answer"},
		{Code: "operations-unanswered", Headline: "%[1]d operations got no answer",
			Format: "%d operations got no answer"},
		{Code: "answers-redirect", Gravity: Decisive,
			Headline: "All answers are redirects: the pages were not requested",
			Format:   "all answers are redirects (status %s): what they lead to was not requested"},
		{Code: "work-behind", Headline: "The CPU time includes the server's backends",
			Format: "the CPU time includes %s, to which the server is connected"},
		{Code: "process-left", Headline: "1 process that the command left behind was ended",
			Format: "1 process that the command left was ended: the next run started without it"},
		{Code: "processes-left", Headline: "%[1]d processes that the command left behind were ended",
			Format: "%d processes that the command left were ended: the next run started without them"},
		{Code: "output-doubted", Gravity: Biased, Size: share(1, 2),
			Headline: "The output of %[1]d of %[2]d runs is incomplete or inconsistent",
			Format:   "the output of %d of %d runs is incomplete or contradicts itself: %s"},
		{Code: "cleanups-failed", Gravity: Biased, Size: share(1, 2),
			Headline: "Cleanup failed after %[1]d of %[2]d runs",
			Format:   "cleaning up failed after %d of %d runs: %s"},
		{Code: "generator-busy", Gravity: Imprecise, Headline: "The load generator was %.0[1]f%% busy",
			Format: "the generator was busy: %.0f%% of its time was useful"},
		{Code: "operations-late", Gravity: Imprecise, Headline: "Operations were sent up to %.3[1]g s late at p99",
			Format: "operations were sent up to %.3g s late (p99), though the target carried them: " +
				"the generator was late, or more were in flight for a while than it has lanes"},
		{Code: "errors-of-unknown-total", Gravity: Imprecise,
			Headline: "The file reports errors but not the number of operations",
			Format:   "it states errors, and not of how many operations"},
		{Code: "littles-law", Gravity: Decisive, Headline: "Rate, latency and clients contradict Little's law",
			Format: "%s of %.3g s at %.4g %s makes %s %.3g requests in flight, and there are %g clients: " +
				"one of the three is something else than it says (Little's law)"},
		{Code: "more-than-offered", Gravity: Decisive,
			Headline: "More operations were handled than offered: a figure is wrong",
			Format: "%.4g %s were handled, and %.4g a second were offered: one of the two is " +
				"something else than it says"},
		{Code: "parts-tainted", Gravity: Biased, Size: share(1, 2), Headline: "%[1]d of %[2]d %[3]s were disturbed",
			Format: "disturbed: %d of %d %s"},
		{Code: "parts-not-steady", Gravity: Biased, Size: share(1, 2),
			Headline: "%[1]d of %[2]d %[3]s were not steady after the JIT warm-up",
			Format:   "not steady within the heat: %d of %d %s"},
		{Code: "parts-without-cores", Gravity: Biased, Headline: "Server and load generator may have shared CPUs",
			Format: "server and generator are not known to have had cores of their own"},
		{Code: "parts-perhaps-of-one-core", Gravity: Biased,
			Headline: "Server and load generator may have shared a physical core",
			Format: "server and generator had CPUs of their own, which may be of one physical " +
				"core"},
		{Code: "line-bracketed", Gravity: Imprecise,
			Headline: "The search followed %[2]s, so it only bounds %[1]s",
			Format: "%s: the search was steered by %s, so that its probes only give bounds " +
				"of this line"},
		{Code: "search-ended-below", Gravity: Imprecise, Headline: "The search for %[1]s ended below the limit",
			Format: "the search for the line of %s ended below it: at least"},
	}
}

func ofReports() []Kind {
	return []Kind{
		{Code: "recorded", Format: "%s"},
		{Code: "no-price-of-date", Headline: "No price of %[1]s is known for %[2]s",
			Format: "%s has no price of %s"},
		{Code: "disks-not-drawn", Headline: "Disk activity under %[1]d more loads is not drawn",
			Format: "the disks' activity under %d more loads is not drawn"},
		{Code: "no-disk-timeline", Headline: "A run has no disk timeline",
			Format: "no timeline of the disk of run %s: %v"},
		{Code: "timelines-not-together", Headline: "Timelines of %[1]d more loads are not drawn together",
			Format: "the machines' timelines of %d more loads are not drawn together"},
		{Code: "no-timeline-of-trial", Headline: "A run has no timeline",
			Format: "no timeline of run %s: %v"},
		{Code: "no-timeline", Headline: "The session has no timeline",
			Format: "no timeline: %v"},
		{Code: "timelines-not-drawn", Headline: "Timelines of %[1]d more benchmarks are not drawn",
			Format: "the timelines of %d more cells are not drawn"},
		{Code: "databases-not-drawn", Headline: "Database activity of %[1]d more benchmarks is not drawn",
			Format: "the activity of the databases of %d more cells is not drawn"},
		{Code: "report-profile-unreadable", Headline: "The profile of a run is unreadable",
			Format: "the profile of run %s cannot be read: %v"},
		{Code: "profile-without-samples", Headline: "A profile contains no CPU samples",
			Format: "the profile of run %s has no samples of CPU time"},
		{Code: "profiles-not-drawn", Headline: "Some profiles are not drawn: plimsoll export writes them",
			Format: "the profiles of %s are not drawn; export gives them to other programs"},
		{Code: "no-differential", Headline: "A differential flame graph needs CPU time per operation",
			Format: "%s: no differential flame graph, because the CPU time of an operation is unknown"},
		{Code: "differentials-not-drawn", Headline: "Some differential flame graphs are not drawn",
			Format: "%s not drawn"},
		{Code: "no-comparison", Headline: "A comparison by %[1]s is not possible",
			Format: "no comparison by %s: %v"},
		{Code: "unlike-firmware", Gravity: Biased, Headline: "The firmware reports another instance type, %[2]s",
			Format: "%s, but its firmware says %s"},
		{Code: "unlike-cpu-count", Gravity: Biased, Headline: "The machine has %[3]d vCPUs, but its type has %[2]d",
			Format: "%s, which has %d vCPUs, but has %d"},
		{Code: "unlike-architecture", Gravity: Biased,
			Headline: "The architecture is %[3]s, but the type has %[2]s",
			Format:   "%s, which is %s, but is %s"},
	}
}

func ofReasons() []Kind {
	return []Kind{
		{Code: "value-not-positive", Headline: "A value of %[1]s is zero or negative in run %[4]d",
			Format: "a value is not positive: %s of %s is %g in run %d"},
		{Code: "value-missing", Headline: "One side has no value of %[1]s",
			Format: "a side has no value of %s"},
		{Code: "no-valid-trial-of", Gravity: Decisive, Headline: "All runs of %[1]s failed",
			Format: "no valid run of %s"},
		{Code: "metric-on-one-side", Gravity: Decisive, Headline: "Only %[1]s reports %[2]s",
			Format: "only %s has %s"},
		{Code: "metric-in-some-runs", Gravity: Biased, Headline: "%[1]d of %[2]d runs of %[3]s report %[4]s",
			Format: "%d of %d runs of %s have %s"},
		{Code: "metric-in-several-units", Gravity: Decisive,
			Headline: "The runs of %[2]s report %[1]s in several units",
			Format:   "%s of %s is in %s"},
		{Code: "metric-in-unlike-units", Gravity: Decisive, Headline: "The sides report %[1]s in different units",
			Format: "%s of %s is in %s, that of %s in %s"},
		{Code: "metric-of-unlike-direction", Gravity: Decisive,
			Headline: "The sides disagree on whether more %[1]s is better",
			Format:   "of %s, %s is better on %s, and %s on %s"},
		{Code: "several-deciders", Gravity: Decisive, Headline: "The runs name several primary metrics",
			Format: "the runs were to be judged by %s"},
		{Code: "no-safe-trial", Headline: "No run at full load shows how the disk is throttled",
			Format: "no run at full load shows how the disk is throttled"},
		{Code: "never-held-back", Headline: "The disk was never throttled at full load",
			Format: "nothing to verify: no run at full load was throttled"},
		{Code: "no-quota", Headline: "The stalls are irregular, so no safe rate exists",
			Format: "nothing to verify: the pauses follow no quota, so that no rate avoids them"},
		{Code: "no-trial-near-safe", Headline: "No run near the safe rate could be measured",
			Format: "no run near the safe rate could be measured"},
		{Code: "credit-outlasted", Headline: "Burst credits outlasted the runs above the safe rate",
			Format: "below the safe rate nothing stalled; above it the regained credit " +
				"outlasted the runs"},
		{Code: "demand-of-bytes", Gravity: Decisive,
			Headline: "The limit is in %[1]s, but a demand counts operations",
			Format:   "the load line is in %s, and a demand is a rate of operations"},
		{Code: "line-at-least", Gravity: Decisive, Headline: "The limit is only a lower bound: measure higher loads",
			Format: "the load line is only a lower bound: measure higher loads, or for longer if " +
				"probes contradict each other"},
		{Code: "line-without-interval", Gravity: Decisive,
			Headline: "The limit has no interval: at least %[1]d runs are needed",
			Format:   "the load line has no interval: %d runs or more give one"},
		{Code: "no-fleet", Gravity: Decisive, Headline: "A fleet cannot be sized for this demand",
			Format: "%v"},
		{Code: "too-few-rounds", Headline: "Fewer than %[1]d rounds measured every benchmark on both sides",
			Format: "fewer than %d rounds measured every cell on both sides"},
		{Code: "reversal", Headline: "Each side wins some benchmarks, so a mean would mislead",
			Format: "no mean over a reversal: %s is better in %s, %s in %s%s"},
		{Code: "few-windows", Headline: "The shortest run has %[1]d windows of %[2]g s, but %[3]d are needed",
			Format: "%d windows of %g s in the shortest run, %d are needed"},
		{Code: "averaged-shorter", Headline: "The runs are too short for 1 s averages: shorter ones are used",
			Format: "the runs are too short for %g%% of the time at 1 s"},
		{Code: "averaged-best", Headline: "The runs are too short for %[1]g%% of the time: maxima are used",
			Format: "the runs are too short for %g%% of the time at 1 s: these are the most of any " +
				"second"},
		{Code: "held-to-quota", Headline: "A quota caps the rate: the real need may be higher",
			Format: "the quota lets no more pass: without it the need may be higher"},
		{Code: "too-short-to-size", Headline: "Sizing takes %[2]d windows of %[3]g s, but the shortest run has %[4]d",
			Format: "%g%% of the time takes %d windows of %g s, and the shortest run has %d"},
		{Code: "trials-far-apart", Headline: "The runs need from %.3[1]g to %.3[2]g MiB/s, too wide a range",
			Format: "the runs lie far apart, from %.3g to %.3g MiB/s"},
		{Code: "too-short-for-level", Headline: "The runs are too short to show a steady rate",
			Format: "the runs are too short to see a level"},
		{Code: "no-level-of-rate", Headline: "The rate has no plateau: nothing limited the disk for long",
			Format: "no rate stays at a level: nothing limited the disk for long"},
		{Code: "level-of-load", Headline: "The load sets the rate: the disk is mostly idle",
			Format: "the rate is level, and the disk is mostly idle: the load is level"},
		{Code: "disk-not-in-catalogue", Headline: "The disk is not known to be an EBS volume",
			Format: "the disk is not known to be an EBS volume: no limit of it is in " +
				"the catalogue"},
		{Code: "limits-not-in-catalogue", Headline: "The disk limits of this machine are not in the catalogue",
			Format: "no limit of a volume is near, and the machine's are not in the catalogue"},
		{Code: "no-limit-near", Headline: "The measured rate is near none of the known limits",
			Format: "neither a limit of a volume nor one of the machine is near (%s): the disk's own " +
				"latency, or a provisioned limit"},
		{Code: "no-throughput", Headline: "No throughput was measured, so the capacity is unknown",
			Format: "no throughput was measured: the capacity of %s is unknown"},
		{Code: "few-loads", Headline: "Only %[1]d loads are usable, but %[2]d are needed",
			Format: "%d different loads have all of latency and throughput, %d are needed"},
		{Code: "most-without-line", Headline: "%[1]d of %[2]d runs found no limit",
			Format: "%d of %d runs have no load line: %s"},
		{Code: "objective-not-measured", Headline: "The runs did not record %[1]s or a latency histogram",
			Format: "%s was not measured, and the runs keep no latency histogram that " +
				"would tell it"},
		{Code: "line-below", Headline: "The limit is below %.4[1]g/s, where latency was %.3[2]g ms",
			Format: "the limit is below %.4g/s: latency was %.3g ms there, over %.3g ms"},
		{Code: "line-below-unhandled", Headline: "The limit is below %.4[1]g/s, which was not handled",
			Format: "the limit is below %.4g/s, which was not handled"},
		{Code: "always-over-line", Headline: "Latency exceeds the limit at every load",
			Format: "latency is over the limit at every load"},
		{Code: "no-base-without-cpu", Headline: "No run at low load gives a base latency: set a limit with --slo",
			Format: "no run at low load to compare with: CPU use is unknown, and every load is " +
				"over 15%% of the highest throughput", Hint: "measure a lower load too, or set the limit: --slo p99=10ms"},
		{Code: "no-base", Headline: "No run at low load gives a base latency: set a limit with --slo",
			Format: "no run at low load to compare with: the lowest CPU use is %.3g%%, and only runs below " +
				"%.0f%% count", Hint: "measure a lower load too, or set the limit: --slo p99=10ms"},
		{Code: "never-idle", Headline: "CPU use never fell below %.0[1]f%%: set a limit with --slo",
			Format: "CPU use did not fall below %.0f%% at the lowest loads probed (%.3g%%)",
			Hint:   "set the limit: --slo p99=10ms"},
		{Code: "no-low-probe", Headline: "No valid probe was made at low load",
			Format: "no valid probe at low load"},
		{Code: "probes-failed", Headline: "All %[1]d probes failed",
			Format: "all %d probes failed, most of them so: %s"},
		{Code: "probes-in-doubt", Headline: "The load generator was late in %[1]d probes, so they do not count",
			Format: "%d probes say nothing: each was over the limit by no more than the generator " +
				"was late, up to %.3g ms (p99)", Hint: lateHint},
		{Code: "probes-in-doubt-busy", Headline: "Other programs delayed the load generator in %[1]d probes",
			Format: "%d probes say nothing: each was over the limit by no more than the " +
				"generator was late, up to %.3g ms (p99); other programs used %.0f%% of one CPU, and the hypervisor " +
				"took %.0f%% " +
				"of the machine", Hint: lateHint},
		{Code: "registered-margins", Headline: "The margin is %[2]s, but %[1]s was registered",
			Format: "margins of %s were registered, %s is used"},
		{Code: "registered-error-rates", Headline: "The error rate is %[2]s, but %[1]s was registered",
			Format: "error rates of %s were registered, %s is used"},
		{Code: "registered-for-type", Headline: "The claim was registered for the type: use compare --by type",
			Format: "the claim was registered for the instance type, and single machines support " +
				"none about it: compare --by type tests the means of instances"},
		{Code: "registered-for-machines", Headline: "The claim was registered for machines, not for their type",
			Format: "the claim was registered for these machines, the instance type is used"},
		{Code: "registered-primary", Headline: "The primary metric is not the registered %[2]s",
			Format: "the primary metric of %s was registered as %s, %s is used"},
		{Code: "registered-price", Headline: "The price of %[1]s differs from the registered price",
			Format: "the price of %s was registered as %s USD/h, %s is used"},
		{Code: "plan-altered", Headline: "The plan was changed after its registration",
			Format: "not what was registered: plan %s does not have that hash; it was altered, or " +
				"another version wrote what this one does not know"},
	}
}

func ofVoids() []Kind {
	return []Kind{
		{Code: "nothing-done-of-offered", Gravity: Decisive, Headline: "None of %[1]d offered operations completed",
			Format: "no operation was done of %d offered; %.0f%% of the generator's " +
				"time was useful%s"},
		{Code: "nothing-done", Gravity: Decisive, Headline: "No operation completed",
			Format: "no operation was done"},
		{Code: "nobody-answered", Gravity: Decisive, Headline: "None of %[1]d clients got an answer",
			Format: "none of %d clients got an answer%s"},
		{Code: "little-disagrees", Gravity: Decisive, Headline: "Rate, latency and concurrency contradict each other",
			Format: "the throughput times the mean latency is %.4g operations in flight, and %.4g " +
				"were (Little's law)"},
		{Code: "operations-failed", Gravity: Decisive, Size: share(1, 2),
			Headline: "%[1]d of %[2]d operations failed",
			Format:   "%d of %d operations failed, over 0.1%%%s"},
		{Code: "generator-loaded", Gravity: Decisive,
			Headline: "The load generator was %.0[1]f%% busy, over the limit of 80%%",
			Format:   "the generator was loaded itself: %.0f%% of its time was useful, over 80%%"},
		{Code: "stated-failures", Gravity: Decisive, Headline: "Over 0.1%% of the operations failed",
			Format: "%s of operations failed, over 0.1%%%s"},
		{Code: "offered-not-done", Gravity: Decisive, Headline: "Only %[1]d of %[2]d offered operations completed",
			Format: "%d of %d offered operations were done, under 99%%"},
		{Code: "offered-not-done-crowded", Gravity: Decisive,
			Headline: "Only %[1]d of %[2]d offered operations completed",
			Format: "%d of %d offered operations were done, under 99%%; they were sent up " +
				"to %.3g s late (p99): more were in flight than the generator has lanes"},
		{Code: "backlog-grew", Gravity: Decisive, Headline: "The backlog grew from %[1]d to %[2]d operations",
			Format: "the backlog grew from %d to %d operations"},
		{Code: "agent-stood-still", Gravity: Decisive,
			Headline: "The measuring process stalled for %.3[1]g s of %.3[2]g s",
			Format:   "the agent stood still for %.3g s of %.3g s"},
		{Code: "lanes-stopped", Gravity: Decisive,
			Headline: "The load threads were stopped for %.3[1]g%% of the time",
			Format: "the lanes neither ran nor waited for a CPU for %.3g%% of the window: something " +
				"stopped them"},
	}
}

func ofSweeps() []Kind {
	return []Kind{
		{Code: "scaling-emulated", Headline: "The CPUs are emulated, so scaling does not apply to real ones",
			Format: "emulated: the CPUs are those of an emulator"},
		{Code: "cpus-left-out", Headline: "CPU counts with fewer than %[1]d valid runs are left out",
			Format: "left out, fewer than %d valid runs: %s CPUs"},
		{Code: "scaling-by-estimate", Headline: "Scaling has no interval: %[1]d runs per CPU count are needed",
			Format: "fewer than %d runs at each number of CPUs: estimates, no interval, and how " +
				"far scaling is linear is unknown"},
		{Code: "nothing-at-one-cpu", Headline: "A run at 1 CPU is missing, so linear scaling is unknown",
			Format: "nothing was measured at 1 CPU: how far scaling is linear is unknown"},
		{Code: "more-than-linear", Headline: "Scaling to %[1]d CPUs is better than linear: check the run at 1 CPU",
			Format: "each of %d CPUs handles more than one alone: the measurement at 1 CPU may be " +
				"of something else, or have another bottleneck"},
		{Code: "few-cpu-counts", Headline: "Fitting a scaling model takes %[2]d CPU counts, not %[1]d",
			Format: "%d different numbers of CPUs hardly tell contention from coherency, %d do"},
		{Code: "no-model-fits", Headline: "The points fit none of the scaling models",
			Format: "no model fits well: the points lie further from the curve than their runs scatter"},
		{Code: "no-fit", Headline: "No scaling model could be fitted",
			Format: "%v"},
		{Code: "cores-of-type", Headline: "The number of cores comes from the instance type",
			Format: "the machine's %d cores are those of its instance type; that each got a thread " +
				"before any got a second one is taken for granted"},
		{Code: "threads-not-told", Headline: "It is unknown which CPUs share a core",
			Format: "second threads are not told from cores: %d of %d CPUs may be used, and which " +
				"of them share a core is not recorded"},
		{Code: "goes-backwards", Gravity: Biased, Size: percent(2),
			Headline: "The rate is %.3[2]g%% lower at %[3]s than at %[4]s",
			Format:   "goes backwards: %s is %.3g%% lower at %s than at %s"},
		{Code: "goes-backwards-of-one", Gravity: Biased, Size: percent(2),
			Headline: "With one run each, the rate is %.3[2]g%% lower at %[3]s",
			Format: "goes backwards: %s is %.3g%% lower at %s than at %s (one run each: up to " +
				"%.0f%% counts as noise)"},
		{Code: "over-memory-ceiling", Gravity: Imprecise,
			Headline: "The rate exceeds the memory ceiling: data is partly in cache",
			Format: "takes %.3g times what %s moved: the working set is partly in cache, or the " +
				"ceiling was not reached"},
		{Code: "page-cache-unknown", Headline: "The page cache may contain data that was not yet written",
			Format: "what the device wrote meanwhile is not known: the page cache may have taken " +
				"in what it had not yet written"},
		{Code: "too-few-for-disk", Headline: "The interval for disk writes needs at least %[1]d runs",
			Format: "no interval: %d runs are needed"},
		{Code: "disk-scatters", Headline: "The bytes written vary too much for an interval",
			Format: "no interval: the bytes written scatter too much from one run to the next"},
		{Code: "page-cache-took-in", Headline: "Data was still in the page cache: use longer runs",
			Format: "the page cache took in data that the disk had not yet written: measure longer"},
		{Code: "no-rate-to-follow", Headline: "The primary metric is neither a rate nor a duration",
			Format: "the primary metric is neither a rate of which more is better nor the " +
				"time of a run"},
		{Code: "cpus-not-positive", Headline: "A value at %[1]d CPUs is zero or negative",
			Format: "a value at %d CPUs is not positive"},
		{Code: "few-single-runs", Headline: "Only %[1]d CPU counts were measured, but %[3]d are needed",
			Format: "%d different numbers of CPUs were measured, each fewer than %d times: " +
				"%d are needed"},
		{Code: "few-numbers-of-cpus", Headline: "Only %[1]d CPU counts have %[2]d valid runs, but %[3]d are needed",
			Format: "%d different numbers of CPUs have %d valid runs, %d are needed"},
		{Code: "many-levels", Headline: "Factor %[1]s has %[2]d levels, but a factorial takes two",
			Format: "%s has %d levels, and a factorial has two of each factor"},
		{Code: "many-factors", Headline: "A factorial takes at most %[2]d factors, not %[1]d",
			Format: "%d factors, and a factorial has %d at most"},
		{Code: "combinations-missing", Headline: "%[1]d of %[2]d combinations are missing from the plan",
			Format: "%d of the %d combinations of %d factors are not in the plan: %s"},
	}
}
