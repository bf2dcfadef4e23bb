package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/run"
	"plimsoll/internal/workload"
)

type runOptions struct {
	output, resume   string
	trust            string
	duration, warmup string
	set, vary, sweep []string
	labels           []string
	on, generators   []string
	replicates       int
	seed             uint64
	quick            bool
	limit            int
	margin, alpha    float64
	claim, pilot     string
	metric, price    []string
	line, sweepLoad  bool
	safeRate         bool
	maxCPUs          int
	profile          bool
	slo              []string
	destroy          []string
	dry              bool
}

// The flags of a run that go with one another; all others make its plan.
const (
	flagResume  = "resume"
	flagDestroy = "destroy-data"
	flagTrust   = "trust-plan"
)

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
	f.StringVar(&o.resume, flagResume, "", "go on with the plan of this session file")
	f.StringVar(&o.trust, flagTrust, "", "with --resume of a plan that was not begun here: the first digits of its digest, which --resume says beside what it would run")
	f.StringArrayVar(&o.labels, "label", nil, "NAME=VALUE: what this is called where sessions are compared, such as build=main; may be given again")
	f.StringVar(&o.duration, "for", "", "measure each trial this long, such as 30s")
	f.StringVar(&o.warmup, "warmup", "", "load each trial this long before measuring")
	f.StringArrayVar(&o.set, "set", nil, "WORKLOAD.NAME=VALUE: set a parameter")
	f.StringArrayVar(&o.vary, "vary", nil, `WORKLOAD.NAME=A,B: vary a factor, its levels side by side in time (a comma in a value is written \,)`)
	f.StringArrayVar(&o.sweep, "sweep", nil, "WORKLOAD.NAME=1,2,4: measure at each of these values")
	f.BoolVar(&o.line, "load-line", false, "seek the highest load whose latency is at most twice that below 20 % CPU; a search is one replicate")
	f.IntVar(&o.maxCPUs, "max-cpus", 0, "load at most this many CPUs, also where all are asked for, so that machines of unlike size meet on equal terms")
	f.BoolVar(&o.sweepLoad, "load-sweep", false, "measure at rates from 5 to 100 % of what a closed load carries")
	f.BoolVar(&o.safeRate, "safe-rate", false, "verify the rate at which a disk is not held back: after each trial at full load one at 95 % of it and one at 105 %")
	f.BoolVar(&o.profile, "profile", false, "sample stacks: after each trial one more of the same, profiled, which counts in no estimate")
	f.StringArrayVar(&o.slo, "slo", nil, "seek the highest load within this latency instead, such as p99=10ms; may be given again for p50")
	f.StringArrayVar(&o.on, "on", nil, "[NAME=]COMMAND: a command that reaches a target, such as 'ssh m6gd', and what to call that machine; plimsoll must be in its PATH there")
	f.StringArrayVar(&o.generators, "generator", nil, "a command that reaches a host which makes the load of servers on the targets, such as 'ssh gen1'; several share it")
	f.IntVar(&o.replicates, "replicates", 0, "independent repetitions of every trial; default 5, and as many pairs as decide where something is compared")
	f.IntVar(&o.limit, "max-replicates", 0, "the most pairs of a comparison that ends when it is decided; default 30")
	f.Float64Var(&o.margin, "margin", 0, "differences up to this count as equivalent; default 0.02")
	f.Float64Var(&o.alpha, "alpha", 0, "two-sided error rate of a verdict, 0.01, 0.05 or 0.1; default 0.05")
	f.StringVar(&o.claim, "claim", "", "what verdicts are to hold for: machine (this box) or type (the instance type)")
	f.StringVar(&o.pilot, "pilot", "", "measure a first pair this long, which chooses how long the others warm up and measure; 0s: none; default 60s where --for and --warmup are not given")
	f.StringArrayVar(&o.metric, "metric", nil, "WORKLOAD.NAME: the primary metric, which gets the verdicts; default the workload's first")
	f.StringArrayVar(&o.price, "price", nil, "register what a machine or instance type costs, NAME=1.808 in USD per hour, for figures per dollar; may be given again")
	f.Uint64Var(&o.seed, "seed", 0, "of all random choices; default random, and recorded")
	f.StringArrayVar(&o.destroy, flagDestroy, nil, "the device at disk.path may be overwritten: --destroy-data=/dev/NAME, or without a name to type it on the terminal")
	f.Lookup(flagDestroy).NoOptDefVal = asked
	f.BoolVar(&o.quick, "quick", false, "trials of a few seconds; never gives an EQUIVALENT")
	f.BoolVar(&o.dry, "dry-run", false, "say what would be measured, for how long and with how many bytes, and measure nothing")
	return cmd
}

func (a *app) run(ctx context.Context, o runOptions, args []string, cmd *cobra.Command) error {
	// Progress may go to a program that does not read it to the end, which must
	// not end a measurement.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program, which runs the trials: %w", err)
	}
	if o.trust != "" && o.resume == "" {
		return usagef("--%s goes with --%s: a plan of the command line is yours", flagTrust, flagResume)
	}
	if o.dry && o.resume == "" {
		return a.dryRun(ctx, o, args, cmd, self)
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

func (a *app) loop(e *experiment) *run.Loop {
	tty := false
	if f, ok := a.terminal.(*os.File); ok {
		tty = term.IsTerminal(int(f.Fd()))
	}
	progress := render.NewProgress(a.terminal, tty, render.NewStyle(a.terminal, a.env))
	if e.writer != nil { // what is measured for a projection is written nowhere
		e.writer.Note = progress.Note
	}
	return &run.Loop{
		Plan: e.plan, Machines: e.machines, Agents: e.agents, Session: e.writer,
		Progress: progress,
		Figure:   figure,
		Keeps:    a.keeps(e.plan),
		Secrets:  e.secrets,
	}
}

// keeps are the hosts of a plan on which trials keep something for each other.
func (a *app) keeps(p record.Plan) []string {
	var out []string
	for _, c := range p.Cells {
		keeps := slices.ContainsFunc(a.agent.Workloads, func(s workload.Spec) bool { return s.Name == c.Workload && s.Keeps })
		if keeps && !slices.Contains(out, c.Host) {
			out = append(out, c.Host)
		}
	}
	return out
}

// figure is a trial's primary value, for the progress line.
func figure(t record.Trial) string {
	if len(t.Values) == 0 {
		return ""
	}
	return render.Quantity(t.Values[0].Value, t.Values[0].Unit)
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
