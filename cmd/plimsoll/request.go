package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/machine/hostlist"
	"plimsoll/internal/machine/hosts"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/invocation"
)

// request builds the request from arguments and flags.
func (a *app) request(o runOptions, args []string, cmd *cobra.Command) (req plan.Request, secrets secret.Values,
	err error) {
	line := invocation.Line{Args: args, Dash: cmd.ArgsLenAtDash(), Typed: a.commandLine(cmd)}
	if err := line.Typed.Apart(a.agent.Workloads); err != nil {
		return req, nil, err
	}
	if req, err = line.Request(a.agent.Workloads); err != nil {
		return req, nil, err
	}
	if n, ok := invocation.Runs(o.warmup, req, a.agent.Workloads); ok {
		o.warmup, o.params = "", append(o.params, n)
	}
	if err := o.apply(&req, cmd); err != nil {
		return req, nil, err
	}
	settings := o.settings(a.declarations())
	settings.Typed = line.Typed
	if err := settings.Apply(&req, a.agent.Workloads); err != nil {
		return req, nil, err
	}
	if err := o.permitted(req.Tunings()); err != nil {
		return req, nil, err
	}
	if secrets, err = a.secrets(&req); err != nil {
		return req, nil, err
	}
	if err := a.consent(cmd.Context(), o, &req, secrets); err != nil {
		return req, nil, err
	}
	if err := a.inline(&req); err != nil {
		return req, nil, err
	}
	if err := plan.Check(req, a.declarations()); err != nil {
		return req, nil, err
	}
	if !cmd.Flags().Changed("seed") {
		if req.Seed, err = randomSeed(); err != nil {
			return req, nil, err
		}
	}
	req.Session, err = randomName()
	return req, secrets, err
}

func (o runOptions) settings(decls []record.Workload) invocation.Settings {
	return invocation.Settings{Set: o.set, Sweep: o.sweep, Vary: o.vary, Flags: o.params, Sides: o.names,
		Clusters: o.clusters, EqualCost: o.equalCost,
		Search: func(r *plan.Request) error { return o.search(r, decls) }}
}

// inline substitutes values as their workloads define.
func (a *app) inline(req *plan.Request) error {
	for _, s := range a.agent.Workloads {
		for _, param := range slices.Sorted(maps.Keys(s.Inline)) {
			if err := req.Replace(s.Name, param, s.Inline[param]); err != nil {
				return usagef("%v", err)
			}
		}
	}
	return nil
}

// apply overrides a suite's numbers by flags.
func (o runOptions) apply(req *plan.Request, cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if o.quick {
		req.Quicken()
	}
	var err error
	if changed("for") {
		if req.DurationS, err = positive("for", o.duration); err != nil {
			return err
		}
		for i := range req.Measure {
			req.Measure[i].DurationS = 0
		}
	}
	if changed("warmup") && o.warmup != "" {
		if req.WarmupS, err = record.ParseDuration(o.warmup); err != nil || req.WarmupS < 0 {
			return usagef("--warmup %s: must be a time of 0s or more\nhint: --warmup %s", o.warmup, timeMeant(o.warmup, "5s"))
		}
		for i := range req.Measure {
			req.Measure[i].WarmupS = 0
		}
	}
	if changed("replicates") {
		if req.Replicates = o.replicates; o.replicates < 1 {
			return usagef("--replicates %d: must be 1 or more; an interval needs 3", o.replicates)
		}
	}
	if changed("quick") {
		req.Quick = o.quick
	}
	req.Profile = req.Profile || o.profile
	if changed("energy") {
		if req.Energy = o.energy; strings.TrimSpace(o.energy) == "" {
			return usagef("--energy: the command is empty")
		}
	}
	if changed("margin") {
		if req.Margin = o.margin; !(o.margin > 0 && o.margin < 1) {
			return usagef("--margin %g: must be between 0 and 1\nhint: --margin 0.02, which is 2%%", o.margin)
		}
	}
	if changed("alpha") {
		if req.Alpha = o.alpha; !(o.alpha > 0 && o.alpha < .5) {
			return usagef("--alpha %g: must be between 0 and 0.5\nhint: --alpha 0.05, which is 5%%", o.alpha)
		}
	}
	if changed("claim") {
		req.Claim = o.claim
	}
	if err := o.register(req, changed); err != nil {
		return err
	}
	if changed("max-replicates") {
		if req.Limit = o.limit; o.limit < 1 || changed("replicates") {
			return usagef("--max-replicates %d: must be 1 or more, and goes without --replicates, which fixes their number",
				o.limit)
		}
	}
	if changed("max-time") {
		var err error
		if req.MaxS, err = positive("max-time", o.longest); err != nil {
			return err
		}
	}
	if changed("max-cpus") && o.maxCPUs < 1 {
		return usagef("--max-cpus %d: at least 1 is needed", o.maxCPUs)
	}
	req.MaxCPUs = o.maxCPUs
	req.Seed, req.Generators = o.seed, o.generators
	if err := o.hosts(cmd.Context(), req); err != nil {
		return err
	}
	req.Labels, err = invocation.Labels(o.labels)
	return errors.Join(err, hostlist.Shown("on", req.Hosts), hostlist.Shown("generator", req.Generators))
}

// hosts sets the targets: those of --on, or those of a list.
func (o runOptions) hosts(ctx context.Context, req *plan.Request) (err error) {
	if o.hostList == "" {
		req.Hosts, req.Names, err = hostlist.Named(o.on)
		return err
	}
	if len(o.on) > 0 {
		return usagef("--hosts and --on both say where to measure\nhint: add a line NAME TYPE ZONE COMMAND to the list")
	}
	all, err := hosts.Read(ctx, o.hostList, o.stdin)
	req.Hosts, req.Names, req.Types = hostlist.Commands(all)
	req.Zones = hostlist.Zones(all)
	return cmp.Or(err, hostlist.Shown("hosts", req.Hosts))
}

// timeMeant returns the time that a rejected text may have meant, else an example.
func timeMeant(text, example string) string {
	meant, ok := record.Param{Kind: record.Duration}.Meant(text)
	if s, err := record.ParseDuration(meant); !ok || err != nil || s <= 0 {
		return example
	}
	return meant
}

func positive(flag, text string) (float64, error) {
	s, err := record.ParseDuration(text)
	if err != nil || s <= 0 {
		return 0, usagef("--%s %s: must be a time over 0s\nhint: --%s %s", flag, text, flag, timeMeant(text, "30s"))
	}
	return s, nil
}
