package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/carry"
)

// reachable returns the hosts that runs reach, whose remarks are printed.
func (a *app) reachable(carries bool, binaries string) (agent.Hosts, error) {
	via, err := carry.Hosts(carries, binaries, a.stderr)
	via.Say = func(host, remark string) { a.remark(host, remark) }
	return via, err
}

// remark prints what a host says.
func (a *app) remark(host, text string) {
	if host != thisHost {
		text = fmt.Sprintf("through %q: %s", host, text)
	}
	fmt.Fprintf(a.stderr, "plimsoll: %s\n", block.Clean(text))
}

// permitted returns an error if a run names settings of the machine and nobody permits that they are changed, or the
// other way round.
func (o runOptions) permitted(tunings []string) error {
	switch {
	case len(tunings) > 0 && !o.tune:
		return usagef("%s: settings of the machine are changed only with --%s\nhint: --%s permits it: they are changed for "+
			"each run, verified, and put back after it", strings.Join(tunings, ", "), flagTune, flagTune)
	case len(tunings) == 0 && o.tune:
		return usagef("--%s permits that settings of the machine are changed, and none is named\nhint: --set "+
			"tune.thp=never, or --vary tune.scheduler=%s,none; plimsoll list WORKLOAD has all of them", flagTune, record.AsFound)
	}
	return nil
}

// stillPermitted asks for the permission again when a plan is resumed: its file may come from anywhere.
func (o runOptions) stillPermitted(p record.Plan, path string) error {
	if o.tidies || o.tune {
		return nil
	}
	for _, c := range p.Cells {
		if c.Params.Tuned() {
			return usagef("the plan in %s changes settings of the machine\nhint: --%s permits it again", path, flagTune)
		}
	}
	return nil
}

// mayTune asks each host whether it can have the settings of the machine that a plan names, once for equal ones.
func (a *app) mayTune(ctx context.Context, p record.Plan, via agent.Hosts) error {
	asked, said := map[string]bool{}, map[string]bool{}
	for _, c := range p.Cells {
		for _, host := range append([]string{c.Host}, c.Cluster...) {
			key := fmt.Sprint(host, " ", c.Workload, " ", tunedIn(c.Params))
			if !c.Params.Tuned() || asked[key] {
				continue
			}
			asked[key] = true
			remarks, err := via.On(host).Tunable(ctx, record.Side{Workload: c.Workload, Params: c.Params}, true)
			if err != nil {
				return err
			}
			for _, text := range remarks {
				if !said[host+text] {
					said[host+text] = true
					a.remark(host, text)
				}
			}
		}
	}
	return nil
}

// tunedIn returns what the answer of a host may depend on: the settings, and what may place the data.
func tunedIn(p record.Params) []string {
	var out []string
	for name, value := range p {
		if !slices.Contains(record.LoadParams(), name) {
			out = append(out, name+"="+value)
		}
	}
	slices.Sort(out)
	return out
}
