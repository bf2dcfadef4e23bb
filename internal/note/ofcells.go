package note

func ofTrials() []Kind {
	return []Kind{
		{Code: "emulated", Format: "emulated"},
		{Code: "tainted-steal", Format: "disturbed: steal over 1 %%"},
		{Code: "tainted-throttled", Format: "disturbed: throttled by the CPU quota"},
		{Code: "tainted-heat", Format: "disturbed: throttled for heat"},
		{Code: "tainted-swap", Format: "disturbed: memory was swapped"},
		{Code: "tainted-gap", Format: "disturbed: the agent stood still for 100 ms or more"},
		{Code: "tainted-foreign", Format: "disturbed: other processes had over 1 %% of the CPUs"},
		{Code: "network-allowance", Format: "the network exceeded an allowance of the instance type: %s"},
		{Code: "not-steady", Format: "NOT STEADY: only %.0f %% of the run lies in its last steady state"},
		{Code: "steady-late", Format: "steady only from %.0f s on: warm up longer"},
		{Code: "drifts", Format: "drifts by %+.1f %% from end to end"},
		{Code: "not-steady-in-heat", Format: "not steady within its heat of %g s: a longer one is needed"},
		{Code: "still-warming", Format: "still warming up: %+.1f %% over the window"},
	}
}

func ofCells() []Kind {
	return []Kind{
		{Code: "no-valid-trial", Format: "no valid run"},
		{Code: "replicates-vary", Format: "runs vary by %.0f %%"},
		{Code: "too-few-replicates", Format: "fewer than %d runs: no interval"},
		{Code: "moments", Format: "mean of %d runs with a standard deviation of %.3g %%, as the file states: the runs " +
			"themselves are not known"},
		{Code: "read-off", Format: "read off a chart with an error of %.3g %%, as the file states: the interval leaves out " +
			"how runs differ"},
		{Code: "moments-of-parts", Format: "mean of %d parts of one run, with a standard deviation of %.3g %%: the " +
			"interval leaves out how runs differ"},
		{Code: "several-units", Format: "no figure: %s is in %s"},
		{Code: "unlike-trials", Format: "runs of different %s are taken together: %s"},
		{Code: "replicates-missing", Format: "%d of the runs from the first to the last are missing"},
		{Code: "no-level", Format: "%s: no interval"},
		{Code: "ratios-ramp", Format: "%s %s by %s a run"},
		{Code: "ratios-step", Format: "%s %s by %s at run %d"},
		{Code: "ratios-settle", Format: "%s %s by %s and settle, as in a warm-up"},
		{Code: "ratios-wander", Format: "%s are autocorrelated (%.2g), as seconds of one run are"},
		{Code: "imports-apart", Format: "imports that are %.0f %% apart are taken together: %s is over %s; import them " +
			"under two names of the machine, or tell them apart with --param"},
		{Code: "two-groups", Format: "runs fall into two groups, %d low and %d high, %.0f %% apart: something that lasts " +
			"for a run differs, such as the node of a page, the CPU or its frequency"},
		{Code: "outlier", Format: "run %d is an outlier: %+.0f %% against the mean of the others"},
		{Code: "no-safe-rate", Format: "no safe rate to verify: the runs of %s at full load do not show how the disk " +
			"is throttled"},
	}
}

func ofLoadLines() []Kind {
	return []Kind{
		{Code: "few-loads-a-replicate", Format: "no sweep has %d of the loads by itself: all runs are one sweep, and there " +
			"is no interval"},
		{Code: "too-few-sweeps", Format: "fewer than %d sweeps: no interval"},
		{Code: "some-crossed", Format: "%d of %d sweeps crossed the load line, the others ended below it"},
		{Code: "not-carried-above", Format: "above %s the machine did not keep up with the offered rate: the load line " +
			"may lie between"},
		{Code: "void-above", Format: "above %s every run failed"},
		{Code: "cpu-unknown-base", Format: "CPU use is unknown: latency counts as that below 20 %% CPU at loads of up to " +
			"%.0f %% of the highest throughput, and there are no figures at 50 %% CPU"},
		{Code: "alarms-fall", Format: "at the alarms CPU use falls as the load rises (%s %%): the probes scatter by more " +
			"than that, and no alarm by CPU is stated; more replicates would tell"},
		{Code: "cpu-unknown", Format: "CPU use is unknown: there are no figures at 50 %% CPU"},
		{Code: "far-from-half-cpu", Format: "the probe nearest to 50 %% CPU is at %.3g %%"},
		{Code: "sent-late", Format: "requests were sent up to %.3g ms late (p99), over 5 %% of the base latency of %.3g " +
			"ms; a thread that only spins was %.3f ms late then"},
		{Code: "line-interpolated", Format: "the load line is interpolated between %s and %s"},
		{Code: "few-operations-at-line", Format: "p99 of %d operations in a run: at least %d for one within 2 %%"},
		{Code: "line-not-narrowed", Format: "the probes scatter too much to say more: longer ones (--for 10s), a quieter " +
			"machine, or a generator on another host (--generator) narrow it"},
		{Code: "line-hangs-on-base", Format: "latency at low load was %.3g to %.3g ms, and the limit depends on which of " +
			"these is believed: give the limit itself, such as --slo %s=%.2gms"},
		{Code: "searches-cut-short", Format: "%d of %d searches were cut short, and are left out"},
		{Code: "late-over-limit", Format: "latency was %.3g ms, of which the generator's own lateness is up to %.3g ms"},
		{Code: "line-not-confirmed", Format: "not confirmed by %d of %d fresh runs at the load found: latency was over the " +
			"limit by more than the search's probes scatter, or the load was not handled"},
		{Code: "replicates-without-line", Format: "left out, without a load line, %d of %d sweeps: %s"},
	}
}

func ofDisks() []Kind {
	return []Kind{
		{Code: "bucket-not-full", Format: "the bucket had not filled up again between runs: its size is that of the " +
			"fullest, or more"},
		{Code: "bucket-empty", Format: "%d of %d runs began with the bucket empty, and show the sustained rate alone"},
		{Code: "another-class", Format: "%d of %d runs show another class: %s"},
		{Code: "unlike-periods", Format: "autocorrelation finds a period of %.3g s, the bursts' starts one of %.3g s"},
		{Code: "bursts-undecided", Format: "a quota of fewer bytes than are in flight would look the same",
			Hint: "a smaller disk.depth"},
		{Code: "disk-unseen", Format: "the load's threads had no CPU for up to %.0f %% of the time: what the disk did " +
			"meanwhile is unknown"},
		{Code: "few-cycles", Format: "too short to tell a quantum from stalls: %d cycles, %d are needed",
			Hint: "--for %.0fs"},
		{Code: "few-operations-of-disk", Format: "so few operations that only periods over %.3g ms are seen",
			Hint: "a smaller disk.block"},
		{Code: "credit-too-long", Format: "too short to be sure of the rate that was left: the credit lasted " +
			"%.3g s of %.3g s", Hint: "--for %.0fs"},
		{Code: "disk-timeline-unreadable", Format: "run %d is left out: its disk's timeline cannot be read: %v"},
		{Code: "other-disk-used", Format: "%d runs used another disk most"},
		{Code: "other-disks-moved", Format: "other disks moved %.0f %% of what this one did: the machine's limits hold for " +
			"all together"},
		{Code: "work-moved-less", Format: "the work itself moved %.0f %% of what this disk did: the rest is the file " +
			"system's, or other programs'"},
		{Code: "coarse-steps", Format: "%.0f %% of the time was sampled in steps of over %g s: rates within these " +
			"are not seen"},
		{Code: "series-unreadable", Format: "run %d is left out: its series cannot be read: %v"},
	}
}

func ofProfiles() []Kind {
	return []Kind{
		{Code: "profile-left-out", Format: "%srun %d is left out: %s"},
		{Code: "profile-unreadable", Format: "run %d is left out: %v"},
		{Code: "unattributed", Format: "%.0f %% of the CPU time is unattributed, more than %.0f %%: the stacks could not " +
			"be walked, or their functions have no names"},
		{Code: "few-samples", Format: "only %d samples in a run: the standard error of a share of 10 %% is %.1f " +
			"points at least"},
		{Code: "thin-profiles", Format: "profiles of runs are left out: %s have under %.0f %% of the samples that the " +
			"others have at the median"},
		{Code: "profile-not-shown", Format: "the profile of %s is not shown, because it has no other runs; report draws " +
			"it, and export gives it to other programs"},
		{Code: "profile-of-trial-unreadable", Format: "run %s: %v"},
		{Code: "a-profile-left-out", Format: "a profile is left out: %s"},
		{Code: "too-few-to-explain", Format: "fewer than 3 %s: no interval, and no cause can be told"},
		{Code: "too-few-profiles", Format: "fewer than 3 %s have profiles: no cause in CPU time can be told"},
		{Code: "few-to-explain", Format: "%d %s tell only what differs by over ten times its scatter: %d tell more"},
		{Code: "side-unattributed", Format: "%s: %s of the samples are unattributed: names of functions are missing"},
	}
}

func ofFactors() []Kind {
	return []Kind{
		{Code: "not-positive", Format: "a value is not positive: it has no logarithm, and its block is left out"},
		{Code: "disturbed-trials-count", Format: "something disturbed %d of %d runs, which count all the same"},
		{Code: "rate-of-one-look", Format: "the session could end at any of its interim analyses, so these intervals have " +
			"the error rate of one interim analysis, %.2g %%"},
		{Code: "not-attributable", Format: "%s"},
		{Code: "blocks-left-out", Format: "%d of %d blocks are left out: a combination has no value there"},
		{Code: "no-shares-lacking", Format: "no shares: no value of %s; the effects show single factors"},
		{Code: "no-shares-one-block", Format: "no shares: one block leaves no noise to tell an effect from, %d are needed"},
		{Code: "blocks-incomplete", Format: "fewer than two blocks are complete: all runs are taken, and drift between " +
			"them is not cancelled"},
		{Code: "different-times", Format: "the machines ran at different times: drift between them is in the gaps, and not " +
			"in their changes by factor"},
		{Code: "no-shares", Format: "no shares of %s: %s; each effect is that of one factor, all else being equal"},
	}
}

// lateHint is what helps a generator that is late.
const lateHint = "a quieter machine, or a generator on another host (--generator)"

func ofCosts() []Kind {
	return []Kind{
		{Code: "cost-of-asking-machine", Format: "the machine that answers is unknown: this is the cost of the " +
			"client machine"},
		{Code: "not-bound-by-machine", Format: "the bottleneck is %s: the machine may handle more for the same money"},
		{Code: "bottleneck-unknown", Format: "the bottleneck is unknown: the machine may handle more for the same money"},
		{Code: "these-machines-alone", Format: "it holds for these machines: a claim about families takes %d machines " +
			"of each size"},
		{Code: "sizes-without-part", Format: "sizes that handle more or less than all of the other family's are left out"},
	}
}

func ofAA() []Kind {
	return []Kind{
		{Code: "trials-void", Format: "%d of %d runs failed, the last one: %s"},
		{Code: "no-pair-in-time", Format: "no pair was measured in the time"},
		{Code: "few-pairs-in-time", Format: "only %d pairs were measured in the time, %d are needed"},
		{Code: "differs-from-itself", Format: "the same work differed from itself by %+.1f %%: the sides are not alike, or " +
			"this is a false positive (1 in 20)"},
	}
}

func ofSessions() []Kind {
	return []Kind{
		{Code: "pilot-trials", Format: "%d pilot runs chose how long the others warm up and measure, and count " +
			"in no estimate"},
		{Code: "extra-trials", Format: "%d runs of extra pairs count only in verdicts without the disturbed runs"},
		{Code: "capped-trials", Format: "%d runs near the safe rate verify it, and count in no estimate"},
		{Code: "profiled-trials", Format: "%d profiled runs count in no estimate"},
		{Code: "left-out-by-plan", Format: "%s"},
		{Code: "cell-absent", Format: "%s has no run of %s"},
		{Code: "cell-failed", Format: "all %d runs failed on %s: %s: %s"},
		{Code: "not-compared-alone", Format: "not compared, only %s has: %s"},
		{Code: "host-lost", Format: "%s was lost after %d valid runs, and the others went on without it: %s"},
		{Code: "unlike-engines", Format: "%s: %s is not the same on all machines and in all sessions: %s"},
		{Code: "clock-stepped", Format: "the wall clock of %s moved by %+.0f s beside its monotonic one before the run of " +
			"%s: it was set, or the machine slept; durations are right, times of day are not"},
		{Code: "unlike-silicon", Format: "the machines of %s differ in silicon: %s",
			Hint: "--split-types compares them as types of their own"},
		{Code: "untyped", Format: "not compared, no instance type is known of %s"},
		{Code: "told-apart", Format: "%s was measured in %d sessions that hold the same cells, which are shown apart: %s",
			Hint: "plimsoll compare FILE... compares them"},
		{Code: "sessions-apart", Format: "%s and %s are sessions of their own: drift and changes between them are in " +
			"every difference"},
		{Code: "sessions-apart-in-time", Format: "%s ran %s, %s %s UTC%s: drift and changes between them are in " +
			"every difference"},
		{Code: "pooled-files", Format: "pooled from %d files: %s"},
		{Code: "pooled-sessions", Format: "pooled from %d sessions"},
		{Code: "pooled-labels", Format: "pooled from %d labels: %s"},
		{Code: "pooled-imports", Format: "pooled from %d imported files"},
		{Code: "pooled-days", Format: "pooled from %d days: %s"},
		{Code: "pooled-boots", Format: "pooled from %d boots of the machine"},
		{Code: "pooled-side", Format: "%s is %s"},
	}
}

func ofKeptLoad() []Kind {
	return []Kind{
		{Code: "clients-starved", Format: "%d of %d clients got no answer"},
		{Code: "operation-unanswered", Format: "1 operation got no answer"},
		{Code: "operations-unanswered", Format: "%d operations got no answer"},
		{Code: "answers-redirect", Format: "all answers are redirects (status %s): what they lead to was not requested"},
		{Code: "work-behind", Format: "the CPU time includes %s, to which the server is connected"},
		{Code: "process-left", Format: "1 process that the command left was ended: the next run started without it"},
		{Code: "processes-left", Format: "%d processes that the command left were ended: the next run started without them"},
		{Code: "output-doubted", Format: "the output of %d of %d runs is incomplete or contradicts itself: %s"},
		{Code: "cleanups-failed", Format: "cleaning up failed after %d of %d runs: %s"},
		{Code: "generator-busy", Format: "the generator was busy: %.0f %% of its time was useful"},
		{Code: "operations-late", Format: "operations were sent up to %.3g s late (p99), though the target carried them: " +
			"the generator was late, or more were in flight for a while than it has lanes"},
		{Code: "errors-of-unknown-total", Format: "it states errors, and not of how many operations"},
		{Code: "littles-law", Format: "%s of %.3g s at %.4g %s makes %s %.3g requests in flight, and there are %g clients: " +
			"one of the three is something else than it says (Little's law)"},
		{Code: "more-than-offered", Format: "%.4g %s were handled, and %.4g a second were offered: one of the two is " +
			"something else than it says"},
		{Code: "parts-tainted", Format: "disturbed: %d of %d %s"},
		{Code: "parts-not-steady", Format: "not steady within the heat: %d of %d %s"},
		{Code: "parts-without-cores", Format: "server and generator are not known to have had cores of their own"},
		{Code: "parts-perhaps-of-one-core",
			Format: "server and generator had CPUs of their own, which may be of one physical " +
				"core"},
		{Code: "line-bracketed", Format: "%s: the search was steered by %s, so that its probes only give bounds " +
			"of this line"},
		{Code: "search-ended-below", Format: "the search for the line of %s ended below it: at least"},
	}
}

func ofReports() []Kind {
	return []Kind{
		{Code: "recorded", Format: "%s"},
		{Code: "no-price-of-date", Format: "%s has no price of %s"},
		{Code: "disks-not-drawn", Format: "the disks' activity under %d more loads is not drawn"},
		{Code: "no-disk-timeline", Format: "no timeline of the disk of run %s: %v"},
		{Code: "timelines-not-together", Format: "the machines' timelines of %d more loads are not drawn together"},
		{Code: "no-timeline-of-trial", Format: "no timeline of run %s: %v"},
		{Code: "no-timeline", Format: "no timeline: %v"},
		{Code: "timelines-not-drawn", Format: "the timelines of %d more cells are not drawn"},
		{Code: "databases-not-drawn", Format: "the activity of the databases of %d more cells is not drawn"},
		{Code: "report-profile-unreadable", Format: "the profile of run %s cannot be read: %v"},
		{Code: "profile-without-samples", Format: "the profile of run %s has no samples of CPU time"},
		{Code: "profiles-not-drawn", Format: "the profiles of %s are not drawn; export gives them to other programs"},
		{Code: "no-differential", Format: "%s: no differential flame graph, because the CPU time of an operation is unknown"},
		{Code: "differentials-not-drawn", Format: "%s not drawn"},
		{Code: "no-comparison", Format: "no comparison by %s: %v"},
		{Code: "unlike-firmware", Format: "%s, but its firmware says %s"},
		{Code: "unlike-cpu-count", Format: "%s, which has %d vCPUs, but has %d"},
		{Code: "unlike-architecture", Format: "%s, which is %s, but is %s"},
	}
}

func ofReasons() []Kind {
	return []Kind{
		{Code: "value-not-positive", Format: "a value is not positive: %s of %s is %g in run %d"},
		{Code: "value-missing", Format: "a side has no value of %s"},
		{Code: "no-valid-trial-of", Format: "no valid run of %s"},
		{Code: "metric-on-one-side", Format: "only %s has %s"},
		{Code: "metric-in-several-units", Format: "%s of %s is in %s"},
		{Code: "metric-in-unlike-units", Format: "%s of %s is in %s, that of %s in %s"},
		{Code: "metric-of-unlike-direction", Format: "of %s, %s is better on %s, and %s on %s"},
		{Code: "several-deciders", Format: "the runs were to be judged by %s"},
		{Code: "no-safe-trial", Format: "no run at full load shows how the disk is throttled"},
		{Code: "never-held-back", Format: "nothing to verify: no run at full load was throttled"},
		{Code: "no-quota", Format: "nothing to verify: the pauses follow no quota, so that no rate avoids them"},
		{Code: "no-trial-near-safe", Format: "no run near the safe rate could be measured"},
		{Code: "credit-outlasted", Format: "below the safe rate nothing stalled; above it the regained credit " +
			"outlasted the runs"},
		{Code: "demand-of-bytes", Format: "the load line is in %s, and a demand is a rate of operations"},
		{Code: "line-at-least", Format: "the load line is only a lower bound: measure higher loads, or for longer if " +
			"probes contradict each other"},
		{Code: "line-without-interval", Format: "the load line has no interval: %d runs or more give one"},
		{Code: "no-fleet", Format: "%v"},
		{Code: "imported-rounds", Format: "imported: whether one run of all cells is one round is unknown"},
		{Code: "too-few-rounds", Format: "fewer than %d rounds measured every cell on both sides"},
		{Code: "reversal", Format: "no mean over a reversal: %s is better in %s, %s in %s%s"},
		{Code: "few-windows", Format: "%d windows of %g s in the shortest run, %d are needed"},
		{Code: "averaged-shorter", Format: "the runs are too short for %g %% of the time at 1 s"},
		{Code: "averaged-best", Format: "the runs are too short for %g %% of the time at 1 s: these are the most of any " +
			"second"},
		{Code: "held-to-quota", Format: "the quota lets no more pass: without it the need may be higher"},
		{Code: "too-short-to-size", Format: "%g %% of the time takes %d windows of %g s, and the shortest run has %d"},
		{Code: "trials-far-apart", Format: "the runs lie far apart, from %.3g to %.3g MiB/s"},
		{Code: "too-short-for-level", Format: "the runs are too short to see a level"},
		{Code: "no-level-of-rate", Format: "no rate stays at a level: nothing limited the disk for long"},
		{Code: "level-of-load", Format: "the rate is level, and the disk is mostly idle: the load is level"},
		{Code: "disk-not-in-catalogue", Format: "the disk is not known to be an EBS volume: no limit of it is in " +
			"the catalogue"},
		{Code: "limits-not-in-catalogue", Format: "no limit of a volume is near, and the machine's are not in the catalogue"},
		{Code: "no-limit-near", Format: "neither a limit of a volume nor one of the machine is near (%s): the disk's own " +
			"latency, or a provisioned limit"},
		{Code: "no-throughput", Format: "no throughput was measured: the capacity of %s is unknown"},
		{Code: "few-loads", Format: "%d different loads have all of latency and throughput, %d are needed"},
		{Code: "most-without-line", Format: "%d of %d runs have no load line: %s"},
		{Code: "objective-not-measured", Format: "%s was not measured, and the runs keep no latency histogram that " +
			"would tell it"},
		{Code: "line-below", Format: "the limit is below %.4g/s: latency was %.3g ms there, over %.3g ms"},
		{Code: "line-below-unhandled", Format: "the limit is below %.4g/s, which was not handled"},
		{Code: "always-over-line", Format: "latency is over the limit at every load"},
		{Code: "no-base-without-cpu", Format: "no run at low load to compare with: CPU use is unknown, and every load is " +
			"over 15 %% of the highest throughput", Hint: "measure a lower load too, or set the limit: --slo p99=10ms"},
		{Code: "no-base", Format: "no run at low load to compare with: the lowest CPU use is %.3g %%, and only runs below " +
			"%.0f %% count", Hint: "measure a lower load too, or set the limit: --slo p99=10ms"},
		{Code: "never-idle", Format: "CPU use did not fall below %.0f %% at the lowest loads probed (%.3g %%)",
			Hint: "set the limit: --slo p99=10ms"},
		{Code: "no-low-probe", Format: "no valid probe at low load"},
		{Code: "probes-failed", Format: "all %d probes failed, most of them so: %s"},
		{Code: "probes-in-doubt", Format: "%d probes say nothing: each was over the limit by no more than the generator " +
			"was late, up to %.3g ms (p99)", Hint: lateHint},
		{Code: "probes-in-doubt-busy", Format: "%d probes say nothing: each was over the limit by no more than the " +
			"generator was late, up to %.3g ms (p99); other programs used %.0f %% of one CPU, and the hypervisor took %.0f %% " +
			"of the machine", Hint: lateHint},
		{Code: "registered-margins", Format: "margins of %s were registered, %s is used"},
		{Code: "registered-error-rates", Format: "error rates of %s were registered, %s is used"},
		{Code: "registered-for-type", Format: "the claim was registered for the instance type, and single machines support " +
			"none about it: compare --by type tests the means of instances"},
		{Code: "registered-for-machines", Format: "the claim was registered for these machines, the instance type is used"},
		{Code: "registered-primary", Format: "the primary metric of %s was registered as %s, %s is used"},
		{Code: "registered-price", Format: "the price of %s was registered as %s USD/h, %s is used"},
		{Code: "plan-altered", Format: "not what was registered: plan %s does not have that hash; it was altered, or " +
			"another version wrote what this one does not know"},
	}
}

func ofVoids() []Kind {
	return []Kind{
		{Code: "nothing-done-of-offered", Format: "no operation was done of %d offered; %.0f %% of the generator's " +
			"time was useful%s"},
		{Code: "nothing-done", Format: "no operation was done"},
		{Code: "nobody-answered", Format: "none of %d clients got an answer%s"},
		{Code: "little-disagrees", Format: "the throughput times the mean latency is %.4g operations in flight, and %.4g " +
			"were (Little's law)"},
		{Code: "operations-failed", Format: "%d of %d operations failed, over 0.1 %%%s"},
		{Code: "generator-loaded", Format: "the generator was loaded itself: %.0f %% of its time was useful, over 80 %%"},
		{Code: "stated-failures", Format: "%s of operations failed, over 0.1 %%%s"},
		{Code: "offered-not-done", Format: "%d of %d offered operations were done, under 99 %%"},
		{Code: "offered-not-done-crowded", Format: "%d of %d offered operations were done, under 99 %%; they were sent up " +
			"to %.3g s late (p99): more were in flight than the generator has lanes"},
		{Code: "backlog-grew", Format: "the backlog grew from %d to %d operations"},
		{Code: "agent-stood-still", Format: "the agent stood still for %.3g s of %.3g s"},
		{Code: "lanes-stopped", Format: "the lanes neither ran nor waited for a CPU for %.3g %% of the window: something " +
			"stopped them"},
	}
}

func ofSweeps() []Kind {
	return []Kind{
		{Code: "scaling-emulated", Format: "emulated: the CPUs are those of an emulator"},
		{Code: "cpus-left-out", Format: "left out, fewer than %d valid runs: %s CPUs"},
		{Code: "scaling-by-estimate", Format: "fewer than %d runs at each number of CPUs: estimates, no interval, and how " +
			"far scaling is linear is unknown"},
		{Code: "nothing-at-one-cpu", Format: "nothing was measured at 1 CPU: how far scaling is linear is unknown"},
		{Code: "more-than-linear", Format: "each of %d CPUs handles more than one alone: the measurement at 1 CPU may be " +
			"of something else, or have another bottleneck"},
		{Code: "few-cpu-counts", Format: "%d different numbers of CPUs hardly tell contention from coherency, %d do"},
		{Code: "no-model-fits", Format: "no model fits well: the points lie further from the curve than their runs scatter"},
		{Code: "no-fit", Format: "%v"},
		{Code: "cores-of-type", Format: "the machine's %d cores are those of its instance type; that each got a thread " +
			"before any got a second one is taken for granted"},
		{Code: "threads-not-told", Format: "second threads are not told from cores: %d of %d CPUs may be used, and which " +
			"of them share a core is not recorded"},
		{Code: "goes-backwards", Format: "goes backwards: %s is %.3g %% lower at %s than at %s"},
		{Code: "goes-backwards-of-one", Format: "goes backwards: %s is %.3g %% lower at %s than at %s (one run each: up to " +
			"%.0f %% counts as noise)"},
		{Code: "over-memory-ceiling", Format: "takes %.3g times what %s moved: the working set is partly in cache, or the " +
			"ceiling was not reached"},
		{Code: "page-cache-unknown", Format: "what the device wrote meanwhile is not known: the page cache may have taken " +
			"in what it had not yet written"},
		{Code: "too-few-for-disk", Format: "no interval: %d runs are needed"},
		{Code: "disk-scatters", Format: "no interval: the bytes written scatter too much from one run to the next"},
		{Code: "page-cache-took-in", Format: "the page cache took in data that the disk had not yet written: measure longer"},
		{Code: "no-rate-to-follow", Format: "the primary metric is neither a rate of which more is better nor the " +
			"time of a run"},
		{Code: "cpus-not-positive", Format: "a value at %d CPUs is not positive"},
		{Code: "few-single-runs", Format: "%d different numbers of CPUs were measured, each fewer than %d times: " +
			"%d are needed"},
		{Code: "few-numbers-of-cpus", Format: "%d different numbers of CPUs have %d valid runs, %d are needed"},
		{Code: "many-levels", Format: "%s has %d levels, and a factorial has two of each factor"},
		{Code: "many-factors", Format: "%d factors, and a factorial has %d at most"},
		{Code: "combinations-missing", Format: "%d of the %d combinations of %d factors are not in the plan: %s"},
	}
}
