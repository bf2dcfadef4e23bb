package main

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"plimsoll/internal/input"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/secret"
	"plimsoll/internal/usage"
	"plimsoll/suites"
)

// request builds the request from arguments and flags.
func (a *app) request(o runOptions, args []string, cmd *cobra.Command) (req plan.Request, secrets secret.Values, err error) {
	if req, err = a.gather(args); err != nil {
		return req, nil, err
	}
	if err := o.apply(&req, cmd); err != nil {
		return req, nil, err
	}
	if err := o.edit(&req, a.declarations()); err != nil {
		return req, nil, err
	}
	if err := a.consent(cmd.Context(), o, &req); err != nil {
		return req, nil, err
	}
	if secrets, err = a.secrets(&req); err != nil {
		return req, nil, err
	}
	if err := a.inline(&req); err != nil {
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

// gather merges the suites, files and workloads named as arguments.
func (a *app) gather(args []string) (plan.Request, error) {
	if len(args) == 0 {
		args = []string{suites.Default}
	}
	var all plan.Request
	var names []string
	for i, arg := range args {
		req, err := a.named(arg)
		if err != nil {
			return all, err
		}
		if len(args) == 1 {
			return req, nil
		}
		if i > 0 && numbersOf(req) != numbersOf(all) {
			return all, usagef("%s and %s ask for different replicates, times, margins or claims, and one run has one of each\nhint: run them one by one; files can be concatenated", args[0], arg)
		}
		names = append(names, req.Name)
		if i == 0 {
			all = req
			continue
		}
		all.Measure = append(all.Measure, req.Measure...)
		all.Factors = append(all.Factors, req.Factors...)
		all.Profile = all.Profile || req.Profile
		if all.Primary, err = merged("primary metric", all.Primary, req.Primary); err != nil {
			return all, err
		}
		if all.Prices, err = merged("price", all.Prices, req.Prices); err != nil {
			return all, err
		}
	}
	all.Name = strings.Join(names, "+")
	return all, nil
}

// merged merges the registrations of two suites, which must not contradict each other.
func merged[V comparable](what string, a, b map[string]V) (map[string]V, error) {
	if len(b) == 0 {
		return a, nil
	}
	out := maps.Clone(b)
	for name, v := range a {
		if other, ok := b[name]; ok && other != v {
			return nil, usagef("two suites register a different %s of %s: %v and %v\nhint: run them one by one; files can be concatenated", what, name, v, other)
		}
		out[name] = v
	}
	return out, nil
}

// numbers are the settings common to all trials of a run.
type numbers struct {
	replicates, limit       int
	warmup, duration, pilot float64
	margin, alpha           float64
	claim                   string
	quick                   bool
}

func numbersOf(r plan.Request) numbers {
	return numbers{r.Replicates, r.Limit, r.WarmupS, r.DurationS, r.PilotS, r.Margin, r.Alpha, r.Claim, r.Quick}
}

// named resolves one argument: a file, an embedded suite, or a workload.
func (a *app) named(arg string) (plan.Request, error) {
	if strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml") {
		text, err := input.ReadFile(arg, plan.MaxSuite)
		if usage.Is(err) {
			return plan.Request{}, err
		}
		if err != nil {
			return plan.Request{}, usagef("reading the suite: %v", err)
		}
		return plan.ParseSuite(arg, text)
	}
	if req, ok, err := suites.Find(arg); ok {
		return req, err
	}
	known := suites.Names()
	for _, d := range a.declarations() {
		if d.Name == arg {
			return plan.Request{Name: arg, WarmupS: -1, Measure: []plan.Ask{{Workload: arg}}}, nil
		}
		known = append(known, d.Name)
	}
	return plan.Request{}, usage.Unknown("workload or suite", arg, known)
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
	}
	if changed("warmup") {
		if req.WarmupS, err = record.ParseDuration(o.warmup); err != nil || req.WarmupS < 0 {
			return usagef("--warmup %s: must be a time of 0s or more, such as 5s", o.warmup)
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
	if changed("margin") {
		if req.Margin = o.margin; !(o.margin > 0) {
			return usagef("--margin %g: must be between 0 and 1 (2 %% is 0.02)", o.margin)
		}
	}
	if changed("alpha") {
		if req.Alpha = o.alpha; !(o.alpha > 0) {
			return usagef("--alpha %g: must be 0.01, 0.05 or 0.1", o.alpha)
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
			return usagef("--max-replicates %d: must be 1 or more, and goes without --replicates, which fixes their number", o.limit)
		}
	}
	if changed("max-cpus") && o.maxCPUs < 1 {
		return usagef("--max-cpus %d: at least 1 is needed", o.maxCPUs)
	}
	req.MaxCPUs = o.maxCPUs
	req.Seed, req.Generators = o.seed, o.generators
	if req.Hosts, req.Names, err = hostsOf(o.on); err != nil {
		return err
	}
	req.Labels, err = labels(o.labels)
	return errors.Join(err, shownCommands("on", req.Hosts), shownCommands("generator", req.Generators))
}

// Limits of labels in a trial's line.
const (
	maxLabels     = 8
	maxLabelBytes = 64
)

// labels parses --label NAME=VALUE.
func labels(texts []string) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch _, twice := out[name]; {
		case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(name) || value == "" || strings.ContainsFunc(value, unicode.IsControl):
			return nil, usagef("--label %q: must be NAME=VALUE, such as build=main; a name is made of letters, digits, '.', '-' and '_'", text)
		case len(name) > maxLabelBytes || len(value) > maxLabelBytes:
			return nil, usagef("--label %q: name and value have at most %d bytes each", text, maxLabelBytes)
		case twice:
			return nil, usagef("--label %s is given twice", name)
		}
		out[name] = value
	}
	if len(out) > maxLabels {
		return nil, usagef("%d labels: at most %d are kept with each run", len(out), maxLabels)
	}
	return out, nil
}

func positive(flag, text string) (float64, error) {
	s, err := record.ParseDuration(text)
	if err != nil || s <= 0 {
		return 0, usagef("--%s %s: must be a time over 0s, such as 30s", flag, text)
	}
	return s, nil
}

// edit applies --set, --sweep and --vary.
func (o runOptions) edit(req *plan.Request, decls []record.Workload) error {
	given := map[string]string{}
	for _, text := range o.set {
		key, value, err := assignment("set", text)
		if err != nil {
			return err
		}
		key = plan.InFull(key, decls)
		if before, ok := given[key]; ok && plan.HasLines(key, decls) {
			value = before + "\n" + value
		}
		given[key] = value
		if err := req.Set(key, value, decls); err != nil {
			return err
		}
	}
	if err := o.search(req, decls); err != nil {
		return err
	}
	for _, text := range o.sweep {
		key, value, err := assignment("sweep", text)
		if err != nil {
			return err
		}
		key = plan.InFull(key, decls)
		if err := req.Sweep(key, values(value), decls); err != nil {
			return err
		}
	}
	for _, text := range o.vary {
		key, value, err := assignment("vary", text)
		if err != nil {
			return err
		}
		key = plan.InFull(key, decls)
		req.Factors = append(req.Factors, plan.Vary(key, values(value)))
	}
	return nil
}

func assignment(flag, text string) (key, value string, err error) {
	key, value, ok := strings.Cut(text, "=")
	if !ok || key == "" {
		return "", "", usagef("--%s %q: must be WORKLOAD.NAME=VALUE", flag, text)
	}
	return key, value, nil
}

// values splits at commas; write a literal comma as \,
func values(text string) []string {
	const kept = "\x00"
	parts := strings.Split(strings.ReplaceAll(text, `\,`, kept), ",")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], kept, ",")
	}
	return parts
}
