package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/invocation"
	"plimsoll/internal/workload"
)

// experiment is a plan with its hosts and its session.
type experiment struct {
	path     string
	plan     record.Plan
	machines map[string]record.Machine
	agents   map[string]run.Doer
	secrets  secret.Values
	via      agent.Hosts // that are sent the secrets
	writer   *session.Writer
	done     []record.Trial
	lost     []record.Event // hosts of the session that are lost
	budget   plan.Budget
	goesOn   string   // what --resume takes to go on; "": path
	missing  []string // engines that are not set up; only of a dry run
	noSpace  []string // data that do not fit; only of a dry run
}

// thisHost stands for the local host, which needs no command.
const thisHost = ""

// started resolves a new plan and opens its session. Nothing is written before
// every host has answered and every cell has been checked.
func (a *app) started(ctx context.Context, o runOptions, args []string, cmd *cobra.Command,
	via agent.Hosts) (*experiment, error) {
	e, err := a.planned(ctx, o, args, cmd, via)
	if err != nil {
		return nil, err
	}
	for _, d := range e.plan.Designs {
		fmt.Fprintf(a.stderr, "plimsoll: design of %s\n", d)
	}
	if err := a.afford(ctx, o, e); err != nil {
		return nil, err
	}
	a.rememberPlan(e.plan) // first: a session that is cut short here could not be resumed
	if err := e.create(); err != nil {
		return nil, err
	}
	return e, nil
}

// pay sets an experiment's budget: its machines' prices, and the limit if there is one.
func (a *app) pay(o runOptions, e *experiment) error {
	v, err := a.valuerAt(nil, "", &session.Log{Plans: []record.PlanLine{{Plan: e.plan}}})
	if err != nil {
		return err
	}
	e.budget = o.budget
	hosts := slices.Concat(e.plan.Hosts, e.plan.Generators)
	for i, b := range v.Each(e.plan, e.machines) {
		if err := e.budget.Pay(e.machines[hosts[i]].Name, b.PricePerHour, b.Priced()); err != nil {
			return err
		}
		if !b.Priced() {
			e.budget = plan.Budget{}
			break
		}
	}
	return nil
}

// afford says what an experiment will cost if its machines have prices, and returns an error if that is over its
// budget.
func (a *app) afford(ctx context.Context, o runOptions, e *experiment) error {
	if err := a.pay(o, e); err != nil || e.budget.PerHour == 0 {
		return err
	}
	f, err := run.Forecast(ctx, e.plan, workload.CostsOf(a.agent.Workloads, e.plan, e.machines), e.via)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "plimsoll: about %s\n", render.Bill(f, e.budget.PerHour))
	return e.budget.Allows(f.Least)
}

// planned resolves a new plan without writing anything.
func (a *app) planned(ctx context.Context, o runOptions, args []string, cmd *cobra.Command,
	via agent.Hosts) (*experiment, error) {
	req, secrets, err := a.request(o, args, cmd)
	if err != nil {
		return nil, err
	}
	e := &experiment{path: o.output, secrets: secrets, via: via.With(secrets)}
	hosts := req.Hosts
	if len(hosts) == 0 {
		hosts = []string{thisHost}
	}
	if err := e.reach(ctx, hosts, req.Generators, req.Names); err != nil {
		return nil, err
	}
	a.typeMachines(e, req.Types)
	run.Clustered(e.machines, req.Clusters, req.Zones)
	var gone error
	check := a.preflights(ctx, e.via, e.machines, &gone)
	if o.dry || o.lacking {
		check = withoutEngines(check, &e.missing)
	}
	targets := a.targets(e.machines, check, secrets, req.Generators)
	if err := a.addTypes(targets, e.machines); err != nil {
		return nil, err
	}
	if o.dry {
		for host, t := range targets {
			t.Passes = passesFull(&e.noSpace)
			targets[host] = t
		}
	}
	e.plan, err = plan.Resolve(req, a.declarations(), targets)
	if err = cmp.Or(gone, err); err != nil {
		return nil, err
	}
	keys := o.settings(a.declarations()).Keys(req, a.agent.Workloads)
	if err := cmp.Or(invocation.Idle(e.plan, cmd.Flags().Changed, o.warmup, keys, a.declarations()),
		invocation.Apart(e.plan, a.agent.Workloads)); err != nil {
		return nil, err
	}
	if err := mayProfile(ctx, e.plan, e.via); err != nil {
		return nil, err
	}
	if err := mayMeter(ctx, e.plan, e.via); err != nil {
		return nil, err
	}
	if err := a.mayTune(ctx, e.plan, e.via); err != nil {
		return nil, err
	}
	if e.plan.Devices, err = devicesOf(ctx, e.plan, e.via); err != nil {
		return nil, err
	}
	for _, l := range e.plan.LeftOut {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", l)
	}
	if req.Aside != "" {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", req.Aside)
	}
	for _, text := range o.settings(a.declarations()).Unsaid(req, a.agent.Workloads) {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", text)
	}
	for _, text := range e.remarks(a.agent.Workloads) {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", text)
	}
	return e, nil
}

// remarks returns the workloads' sentences about the plan's values, each once.
func (e *experiment) remarks(specs []workload.Spec) []string {
	var out []string
	for _, c := range e.plan.Cells {
		spec, _ := workload.Find(specs, c.Workload)
		if spec.Remarks == nil {
			continue
		}
		for _, text := range spec.Remarks(workload.NewParams(spec.Workload, c.Params).With(e.secrets)) {
			if text = block.Clean(text); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// resumed returns the plan and the trials of an interrupted session.
func (a *app) resumed(ctx context.Context, o runOptions, via agent.Hosts) (e *experiment, err error) {
	w, log, err := session.ResumeContext(ctx, o.resume)
	if err != nil {
		return nil, invocation.Instead(err, []string{o.resume}, a.agent.Workloads)
	}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	e = &experiment{path: o.resume, writer: w, done: log.Trials}
	for _, p := range log.Problems {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", p)
	}
	// Imports were not planned here, so nothing of them is missing.
	plans := slices.DeleteFunc(slices.Clone(log.Plans), func(p record.PlanLine) bool { return p.Plan.Imported != nil })
	if len(plans) == 0 {
		return nil, usagef("%s has no plan to continue\nhint: plimsoll run -o FILE starts a new one", o.resume)
	}
	e.plan = plans[len(plans)-1].Plan
	if err := plan.CheckParams(e.plan, a.declarations()); err != nil && !o.tidies {
		return nil, fmt.Errorf("the plan in %s cannot be continued by this version: %w", o.resume, err)
	}
	if err := a.mayResume(o, e.plan, o.resume); err != nil {
		return nil, err
	}
	if err := cmp.Or(o.stillConsented(e.plan, o.resume), o.stillPermitted(e.plan, o.resume)); err != nil {
		return nil, err
	}
	if e.secrets, err = a.secretsAgain(e.plan, o.resume); err != nil {
		return nil, err
	}
	e.via = via.With(e.secrets)
	for _, note := range changedSecrets(e.plan, e.done, e.secrets) {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", note)
	}
	e.lost = run.LostIn(log.Events, plan.Hash(e.plan))
	if err := e.reach(ctx, e.plan.Hosts, e.plan.Generators, e.plan.Names); err != nil {
		return nil, err
	}
	for _, l := range e.lost {
		fmt.Fprintf(a.stderr, "plimsoll: %s is still lost: the session continues without it\n", l.Machine)
	}
	if err := e.sameMachines(log.Machines); err != nil {
		return nil, err
	}
	if err := sameDevices(ctx, e.plan, e.path, e.via); err != nil {
		return nil, err
	}
	return e, a.pay(o, e)
}

// planning returns a flag that defines a plan; "" if none was set.
func planning(flags *pflag.FlagSet) string {
	name := ""
	flags.Visit(func(f *pflag.Flag) {
		if name == "" && !slices.Contains(besideResume(), f.Name) {
			name = f.Name
		}
	})
	return name
}

// targets returns the machines as seen by planning, and loaded by generators if there are any.
func (a *app) targets(machines map[string]record.Machine, preflight preflights, secrets secret.Values,
	generators []string) map[string]plan.Target {
	out := map[string]plan.Target{}
	for host, m := range machines {
		out[host] = plan.Target{Joins: invocation.Joins(a.agent.Workloads), CPUs: len(m.CPU.Allowed),
			SocketCPUs: len(m.CPU.OneSocket()), Cores: len(m.UsableCores()), Machine: apart(m),
			Refuses: func(name string, p record.Params) error {
				if err := a.refuses(m, name, p, secrets, len(generators) > 0); err != nil {
					text, hint := usage.Parts(err)
					return &usage.Error{Text: secrets.Mask(text), Hint: secrets.Mask(hint), Cause: err}
				}
				for _, h := range a.connecting(host, generators, name, p, secrets) {
					if err := preflight(h, name, p); err != nil {
						return err
					}
				}
				return nil
			}}
	}
	return out
}

// addTypes adds the machines' instance types to targets.
func (a *app) addTypes(targets map[string]plan.Target, machines map[string]record.Machine) error {
	v, err := a.valuerAt(nil, "", &session.Log{})
	if err != nil {
		return err
	}
	for host, t := range targets {
		t.Type = v.Basis(machines[host]).Type
		targets[host] = t
	}
	return nil
}

// connecting returns the hosts with the prerequisites of a workload's values: the target, or, of a server that nobody
// starts, the generators that connect to it.
func (a *app) connecting(target string, generators []string, name string, p record.Params,
	secrets secret.Values) []string {
	if len(generators) == 0 {
		return []string{target}
	}
	if s, _ := workload.Find(a.agent.Workloads, name); s.Serve == nil || s.Runs == nil ||
		s.Runs(workload.NewParams(s.Workload, p).With(secrets)) != workload.External {
		return []string{target}
	}
	return generators
}

// apart tells machines apart that can be loaded at once: those of one boot share a
// kernel, as containers do, and one machine may go by several names.
func apart(m record.Machine) string {
	if m.State.Boot != "" {
		return m.State.Boot
	}
	return m.ID
}

// maxParams leaves room for values in a trial's line of 8 KiB.
const maxParams = 2 << 10

func paramsBytes(p record.Params) int {
	n := 0
	for name, v := range p {
		n += len(name) + len(v)
	}
	return n
}

// refuses returns an error if a workload cannot run with these values on a machine.
func (a *app) refuses(m record.Machine, name string, p record.Params, secrets secret.Values, remote bool) error {
	if n := paramsBytes(p); n > maxParams {
		return fmt.Errorf("%s: its parameters take %d bytes, and a run's line holds %d\nhint: put a long command into a "+
			"file and run that", name, n, maxParams)
	}
	s, _ := workload.Find(a.agent.Workloads, name)
	params := workload.NewParams(s.Workload, p).With(secrets)
	if remote && s.CheckServe != nil {
		if err := s.CheckServe(params); err != nil {
			return err
		}
	}
	if s.Check == nil {
		return nil
	}
	return s.Check(params, m)
}

func (e *experiment) create() error {
	w, err := e.open()
	if err != nil {
		return err
	}
	e.writer = w
	if err := e.register(); err != nil {
		// Without its plan the file is useless, and in the way.
		_ = w.Discard()
		return fmt.Errorf("write the plan to %s: %w\nhint: make room there, or write elsewhere with -o FILE", e.path,
			cause(err))
	}
	return nil
}

// open creates the session's file.
func (e *experiment) open() (w *session.Writer, err error) {
	if e.path != "" {
		return session.Create(e.path)
	}
	w, e.path, err = session.CreateNamed(e.machines[e.plan.Hosts[0]].Name, time.Now())
	return w, err
}

// cause returns the system's error alone: the session's message explains how to resume.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// register writes everything known before the first trial.
func (e *experiment) register() error {
	for _, h := range slices.Concat(e.plan.Hosts, e.plan.Generators) {
		if err := e.writer.Machine(e.machines[h]); err != nil {
			return err
		}
	}
	return e.writer.Plan(record.PlanLine{Hash: plan.Hash(e.plan), Plan: e.plan})
}
