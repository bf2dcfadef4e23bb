package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plimsoll/internal/agent"
	"plimsoll/internal/judge"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/run"
	"plimsoll/internal/session"
	"plimsoll/internal/workload"
)

type runOptions struct {
	output, resume   string
	duration, warmup string
	set, vary, sweep []string
	on               []string
	replicates       int
	seed             uint64
	quick            bool
}

func (a *app) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [WORKLOAD|SUITE|FILE.yaml ...]",
		Short: "measure; with no argument, the embedded quick set",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), o, args, cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "the session file to write; default HOST-UTC.plimsoll.jsonl")
	f.StringVar(&o.resume, "resume", "", "go on with the plan of this session file")
	f.StringVar(&o.duration, "for", "", "measure each trial this long, such as 30s")
	f.StringVar(&o.warmup, "warmup", "", "load each trial this long before measuring")
	f.StringArrayVar(&o.set, "set", nil, "WORKLOAD.NAME=VALUE: set a parameter")
	f.StringArrayVar(&o.vary, "vary", nil, `WORKLOAD.NAME=A,B: vary a factor, its levels side by side in time (a comma in a value is written \,)`)
	f.StringArrayVar(&o.sweep, "sweep", nil, "WORKLOAD.NAME=1,2,4: measure at each of these values")
	f.StringArrayVar(&o.on, "on", nil, "a command that reaches a target, such as 'ssh m6gd'; plimsoll must be in its PATH there")
	f.IntVar(&o.replicates, "replicates", 0, "independent repetitions of every trial; an interval needs 3")
	f.Uint64Var(&o.seed, "seed", 0, "of all random choices; default random, and recorded")
	f.BoolVar(&o.quick, "quick", false, "trials of a few seconds; never gives an EQUIVALENT")
	return cmd
}

func (a *app) run(ctx context.Context, o runOptions, args []string, cmd *cobra.Command) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program, which runs the trials: %w", err)
	}
	var e *experiment
	if o.resume != "" {
		e, err = a.resumed(ctx, o, args, cmd, self)
	} else {
		e, err = a.started(ctx, o, args, cmd, self)
	}
	if err != nil {
		return err
	}
	defer e.writer.Close()
	trials, err := a.loop(e).Run(ctx, e.done)
	return a.conclude(e, trials, err)
}

// experiment is a plan, where it runs and where it is written.
type experiment struct {
	path     string
	plan     record.Plan
	machines map[string]record.Machine
	agents   map[string]run.Doer
	writer   *session.Writer
	done     []record.Trial
}

// started resolves a new plan and opens its session. Nothing is written before
// every host has answered and every cell has been checked.
func (a *app) started(ctx context.Context, o runOptions, args []string, cmd *cobra.Command, self string) (*experiment, error) {
	req, err := a.request(o, args, cmd)
	if err != nil {
		return nil, err
	}
	e := &experiment{path: o.output}
	hosts := req.Hosts
	if len(hosts) == 0 {
		hosts = []string{""}
	}
	if err := e.reach(ctx, hosts, self); err != nil {
		return nil, err
	}
	if e.plan, err = plan.Resolve(req, a.declarations(), cpuCounts(e.machines)); err != nil {
		return nil, err
	}
	if err := a.check(e); err != nil {
		return nil, err
	}
	return e, e.create()
}

// resumed takes the plan and the trials of a session that was cut short.
func (a *app) resumed(ctx context.Context, o runOptions, args []string, cmd *cobra.Command, self string) (*experiment, error) {
	for _, name := range []string{"output", "for", "warmup", "set", "vary", "sweep", "on", "replicates", "seed", "quick"} {
		if cmd.Flags().Changed(name) {
			return nil, usagef("--%s cannot go with --resume: the plan in %s is fixed\nhint: plimsoll run -o FILE starts a new one", name, o.resume)
		}
	}
	if len(args) > 0 {
		return nil, usagef("%q cannot go with --resume: the plan in %s is fixed", args[0], o.resume)
	}
	w, log, err := session.Resume(o.resume)
	if err != nil {
		return nil, err
	}
	e := &experiment{path: o.resume, writer: w, done: log.Trials}
	for _, p := range log.Problems {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", p)
	}
	if len(log.Plans) == 0 {
		w.Close()
		return nil, usagef("%s holds no plan to go on with\nhint: plimsoll run -o FILE starts a new one", o.resume)
	}
	e.plan = log.Plans[len(log.Plans)-1].Plan
	if err := e.reach(ctx, e.plan.Hosts, self); err != nil {
		w.Close()
		return nil, err
	}
	if err := e.sameMachines(log.Machines); err != nil {
		w.Close()
		return nil, err
	}
	return e, nil
}

// sameMachines refuses to go on with a session on another machine, and keeps
// the names that the session gave.
func (e *experiment) sameMachines(recorded []record.Machine) error {
	known := map[string]string{}
	for _, m := range recorded {
		known[m.ID] = m.Name
	}
	for host, m := range e.machines {
		name, ok := known[m.ID]
		if !ok {
			return usagef("%s was measured on another machine than %s\nhint: plimsoll run -o FILE starts a session here; files can be concatenated", e.path, m.Name)
		}
		m.Name = name
		e.machines[host] = m
	}
	return nil
}

// reach starts an agent on every host and asks what machine it is on.
func (e *experiment) reach(ctx context.Context, hosts []string, self string) error {
	e.machines, e.agents = map[string]record.Machine{}, map[string]run.Doer{}
	names := map[string]int{}
	for _, h := range hosts {
		c := agent.Client{On: h, Self: self}
		m, err := c.Describe(ctx)
		if err != nil {
			return err
		}
		if names[m.Name]++; names[m.Name] > 1 {
			m.Name = fmt.Sprintf("%s-%d", m.Name, names[m.Name])
		}
		e.machines[h], e.agents[h] = m, c
	}
	return nil
}

func cpuCounts(machines map[string]record.Machine) map[string]int {
	out := map[string]int{}
	for h, m := range machines {
		out[h] = len(m.CPU.Allowed)
	}
	return out
}

// check asks each workload whether it can run each of its cells.
func (a *app) check(e *experiment) error {
	for _, c := range e.plan.Cells {
		for _, s := range a.agent.Workloads {
			if s.Name != c.Workload || s.Check == nil {
				continue
			}
			if err := s.Check(workload.NewParams(s.Workload, c.Params), e.machines[c.Host]); err != nil {
				return usageError{err.Error()}
			}
		}
	}
	return nil
}

func (e *experiment) create() error {
	if e.path == "" {
		e.path = fmt.Sprintf("%s-%s.plimsoll.jsonl", e.machines[e.plan.Hosts[0]].Name, time.Now().UTC().Format("20060102T150405Z"))
	}
	w, err := session.Create(e.path)
	if err != nil {
		return err
	}
	e.writer = w
	for _, h := range e.plan.Hosts {
		if err := w.Machine(e.machines[h]); err != nil {
			return err
		}
	}
	return w.Plan(record.PlanLine{Hash: plan.Hash(e.plan), Plan: e.plan})
}

func (a *app) loop(e *experiment) *run.Loop {
	tty := false
	if f, ok := a.stderr.(*os.File); ok {
		tty = term.IsTerminal(int(f.Fd()))
	}
	return &run.Loop{
		Plan: e.plan, Machines: e.machines, Agents: e.agents, Session: e.writer,
		Progress: render.NewProgress(a.stderr, tty, render.NewStyle(a.stderr, a.env)),
		Figure:   figure,
	}
}

// figure is a trial's primary value, for the progress line.
func figure(t record.Trial) string {
	if len(t.Values) == 0 {
		return ""
	}
	return render.Quantity(t.Values[0].Value, t.Values[0].Unit)
}

// conclude prints what was found, also when the run was cut short, and what to
// type next.
func (a *app) conclude(e *experiment, trials []record.Trial, err error) error {
	var mine []record.Trial
	hash := plan.Hash(e.plan)
	for _, t := range trials {
		if t.Plan == hash {
			mine = append(mine, t)
		}
	}
	if len(mine) > 0 {
		var machines []record.Machine
		for _, h := range e.plan.Hosts {
			machines = append(machines, e.machines[h])
		}
		plans := []record.PlanLine{{Hash: hash, Plan: e.plan}}
		if werr := render.Show(a.stdout, a.style(), judge.Show(mine, machines, plans)); err == nil {
			err = werr
		}
	}
	if err != nil {
		return fmt.Errorf("%w\n%d finished trials are safe in %s\nhint: plimsoll run --resume %s goes on from there", err, len(mine), e.path, e.path)
	}
	a.next(e)
	return empty(e.plan, mine)
}

// next says what to type next.
func (a *app) next(e *experiment) {
	fmt.Fprintf(a.stdout, "\nsaved in %s\n", e.path)
	fmt.Fprintf(a.stdout, "next: plimsoll show %s\n", e.path)
	for _, f := range e.plan.Factors {
		fmt.Fprintf(a.stdout, "      plimsoll compare %s --by %s\n", e.path, f.Name)
	}
	if len(e.plan.Hosts) > 1 {
		fmt.Fprintf(a.stdout, "      plimsoll compare %s\n", e.path)
	} else if len(e.plan.Factors) == 0 {
		fmt.Fprintf(a.stdout, "      plimsoll compare %s OTHER-MACHINE.plimsoll.jsonl\n", e.path)
	}
	fmt.Fprintf(a.stdout, "      plimsoll report %s -o report.html\n", e.path)
}

// empty is the error for cells that have no valid trial.
func empty(p record.Plan, trials []record.Trial) error {
	valid := map[int]bool{}
	why := map[int]string{}
	for _, t := range trials {
		if t.Void == "" {
			valid[t.Cell] = true
		} else {
			why[t.Cell] = t.Void
		}
	}
	var msgs []string
	for i, c := range p.Cells {
		if !valid[i] {
			msgs = append(msgs, fmt.Sprintf("no valid trial of %s at %s: %s", c.Workload, c.Load.Key(), why[i]))
		}
	}
	if len(msgs) == 0 {
		return nil
	}
	return noTrialError{strings.Join(msgs, "\n")}
}

func randomSeed() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, fmt.Errorf("drawing a seed: %w", err)
	}
	// 53 bits, so that every JSON reader keeps it exactly.
	return binary.LittleEndian.Uint64(b[:]) >> 11, nil
}

func randomName() (string, error) {
	var b [6]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", errors.Join(errors.New("naming the session"), err)
	}
	return hex.EncodeToString(b[:]), nil
}
