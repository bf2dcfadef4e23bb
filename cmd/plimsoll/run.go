package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	xterm "golang.org/x/term"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/invocation"
	"plimsoll/internal/media/term"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

type runOptions struct {
	output, resume   string
	trust            string
	tidies           bool // what a killed run has left, and runs nothing
	lacking          bool // notes engines that are not set up, as a dry run does
	duration, warmup string
	longest          string
	set, vary, sweep []string
	params           []invocation.Setting
	names            []string
	labels           []string
	on, generators   []string
	outage           string
	hostList         string
	stdin            io.Reader // of a list of hosts
	carry            bool
	binaries         string
	equalCost        string
	clusters         []string
	replicates       int
	seed             uint64
	quick            bool
	limit            int
	margin, alpha    float64
	claim, pilot     string
	metric, price    []string
	budget           plan.Budget
	line, sweepLoad  bool
	safeRate         bool
	maxCPUs          int
	profile          bool
	energy           string
	slo              []string
	destroy          []string
	tune             bool
	dry              bool
	json             bool
	depth            block.Depth
}

// defaultOutage is longer than a reboot, a re-connected network, or a laptop that changes its place.
const defaultOutage = "10m"

// Flags that define no plan.
const (
	flagResume  = "resume"
	flagDestroy = "destroy-data"
	flagTune    = "tune"
	flagTrust   = "trust-plan"
	flagOutage  = "max-outage"

	flagCarry    = "carry"
	flagBinaries = "binaries"

	binariesUsage = "with --carry: directory with plimsoll-linux-amd64 and plimsoll-linux-arm64 of a release; default " +
		"that of this program"
)

// besideResume returns the flags that go with --resume: consents that no session stores, what is shown, and how hosts
// are reached; all others define the plan.
func besideResume() []string {
	return []string{flagResume, "budget", flagDestroy, flagTune, flagTrust, flagVerbose, flagAll, flagOutage, flagCarry,
		flagBinaries}
}

func (a *app) runCommand() *cobra.Command {
	cmd, _ := a.runWith()
	return cmd
}

// runWith returns the command with the options that its flags set.
func (a *app) runWith() (*cobra.Command, *runOptions) {
	o := runOptions{stdin: a.stdin}
	cmd := &cobra.Command{
		Use:   "run [WORKLOAD|SUITE|FILE.yaml ...] | WORKLOAD ARGUMENT...",
		Short: "measure; with no argument, the embedded quick set",
		Long: `Measures workloads, suites or plans in YAML; with no argument, the embedded quick set.
plimsoll list has the workloads and suites; plimsoll run WORKLOAD --help has a workload's arguments
and parameters, each of which is a flag as well: --clients 8 is --set clients=8.`,
		Example: `  plimsoll run http http://127.0.0.1:8080/items -H 'Authorization: Bearer ${TOKEN}'
  plimsoll run exec './old input.csv' './new input.csv'
  plimsoll run pgbench my.sql --dsn postgres://app@db/shop --clients 32
  plimsoll run disk /mnt/data --rw randread --block 4k`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), o, args, cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "session file to write; default HOST-UTC.plimsoll.jsonl")
	f.StringVar(&o.resume, flagResume, "", "continue the plan of this session file, or those of a "+
		"directory's sessions")
	f.StringVar(&o.trust, flagTrust, "", "with --resume of a plan that was not begun here: the first digits of its "+
		"digest, which --resume prints with the plan's commands")
	f.StringArrayVar(&o.labels, "label", nil,
		"NAME=VALUE: label for comparisons between sessions, such as build=main; repeatable")
	f.StringVar(&o.duration, "for", "", "measure this long in each run, such as 30s")
	f.StringVar(&o.warmup, "warmup", "", "warm up this long in each run before measuring")
	f.StringArrayVar(&o.set, "set", nil, "WORKLOAD.NAME=VALUE: set a parameter")
	f.StringArrayVar(&o.vary, "vary", nil,
		`WORKLOAD.NAME=A,B: vary a factor, its levels side by side in time (a comma in a value is written \,)`)
	f.StringArrayVar(&o.sweep, "sweep", nil, "WORKLOAD.NAME=1,2,4: measure at each of these values")
	f.BoolVar(&o.line, "load-line", false, "search for the load line: the highest load whose latency is at most twice "+
		"that below 20% CPU; one search is one run")
	f.IntVar(&o.maxCPUs, "max-cpus", 0,
		"load at most this many CPUs, even for all, to compare machines of different sizes on equal terms")
	f.BoolVar(&o.sweepLoad, "load-sweep", false,
		"measure an open loop at rates from 5 to 100% of the throughput of a closed loop")
	f.BoolVar(&o.safeRate, "safe-rate", false,
		"verify the rate at which a disk is not throttled: after each run at full load, one at 95% and one at 105% of it")
	f.StringVar(&o.energy, "energy", "", "`COMMAND` that prints the machine's joules or watts, such as 85.5 W")
	f.BoolVar(&o.profile, "profile", false, "add a profiled run after each run, excluded from estimates")
	f.StringArrayVar(&o.slo, "slo", nil,
		"search for the highest load within this latency instead, such as p99=10ms; any percentile; repeatable")
	f.StringArrayVar(&o.on, "on", nil, "[NAME=]COMMAND: command that reaches a target, such as 'ssh m6gd', and a name "+
		"for that machine; plimsoll must be in its PATH there; repeatable")
	f.StringVar(&o.hostList, "hosts", "",
		"file of targets, a line NAME TYPE ZONE COMMAND for each, as plimsoll hosts prints it; - is standard input")
	f.StringArrayVar(&o.generators, "generator", nil, "command that reaches a host that generates the load of servers "+
		"on the targets, such as 'ssh gen1'; several share the load")
	f.StringVar(&o.outage, flagOutage, defaultOutage, "how long a host of --on or --generator may be away in mid-run; "+
		"after that it is lost: the others go on without it, unless it was the last or generated the load")
	f.BoolVar(&o.carry, flagCarry, false,
		"bring this program to hosts that lack an equal one, by their architecture, and verify it there by its SHA-256")
	f.StringVar(&o.binaries, flagBinaries, "", binariesUsage)
	f.StringArrayVar(&o.clusters, "cluster", nil, "NAME=HOST,HOST: a cluster with a server on each of these hosts, by "+
		"their names in --on or --hosts, such as r5=a,b,c; repeatable")
	f.StringVar(&o.equalCost, "equal-cost", "", "NAME=NODES,NAME=NODES: clusters of so many nodes on the machines of "+
		"these names, such as r5=3,r6g=4, for compare --equal-cost")
	f.IntVar(&o.replicates, "replicates", 0,
		"independent runs of every cell; default 5, or for comparisons as many pairs as it takes to decide")
	f.IntVar(&o.limit, "max-replicates", 0, "maximum pairs of a comparison that ends once it is decided; default 30")
	f.StringVar(&o.longest, "max-time", "", "begin no further pair after this time, such as 5m; a comparison that "+
		"decides earlier ends earlier")
	f.Float64Var(&o.margin, "margin", 0, "differences up to this count as equivalent; default 0.02")
	f.Float64Var(&o.alpha, "alpha", 0, "two-sided error rate of a verdict, 0.01, 0.05 or 0.1; default 0.05")
	f.StringVar(&o.claim, "claim", "", "scope of verdicts: machine (this box) or type (the instance type)")
	f.StringVar(&o.pilot, "pilot", "", "measure a pilot pair this long, which chooses warm-up and duration of the "+
		"others; 0s: none; default 60s without --for and --warmup")
	f.StringArrayVar(&o.metric, "metric", nil,
		"WORKLOAD.NAME: the primary metric, which gets the verdicts; default the workload's first")
	f.StringArrayVar(&o.price, "price", nil,
		"preregister the price of a machine or instance type, NAME=1.808 in USD per hour, for price-performance; repeatable")
	f.Uint64Var(&o.seed, "seed", 0, "seed of all random choices; default random, and recorded")
	f.StringArrayVar(&o.destroy, flagDestroy, nil,
		"permit overwriting the device at disk.path: --destroy-data=/dev/NAME, or without a name to type it on the terminal")
	f.Lookup(flagDestroy).NoOptDefVal = asked
	f.BoolVar(&o.tune, flagTune, false,
		"permit that settings of the machine named by tune.… are changed: for each run, verified, and put back after it")
	f.BoolVar(&o.quick, "quick", false, "short runs of a few seconds; no verdict is EQUIVALENT")
	f.Var(&o.budget, "budget", "end the run when its machines have cost this much, by --price or the catalogue; what "+
		"has been measured counts, and --resume goes on")
	f.BoolVar(&o.dry, "dry-run", false,
		"print the plan with its forecast duration, disk space and price, and measure nothing but the hosts' speed")
	f.BoolVar(&o.json, "json", false, "with --dry-run: print the forecast as JSON")
	addDepth(f, &o.depth)
	f.StringArrayVar(&o.names, "name", nil,
		"name of a side, for each of two or more arguments in their order, such as of commands; repeatable")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cmp.Or(invocation.UnknownFlag(cmd.Flags(), err, a.agent.Workloads), flagError(cmd, err))
	})
	cmd.SetHelpFunc(a.helpOfRun(cmd.HelpFunc()))
	invocation.AddFlags(f, &o.params, a.agent.Workloads)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	return cmd, &o
}

func (a *app) run(ctx context.Context, o runOptions, args []string, cmd *cobra.Command) error {
	// Progress may go to a program that does not read it to the end, which must
	// not end a measurement.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	via, err := a.reachable(o.carry, o.binaries)
	if err != nil {
		return err
	}
	if o.trust != "" && o.resume == "" {
		return usagef("--%s goes with --%s: a plan from the command line is your own", flagTrust, flagResume)
	}
	if _, err := o.longestOutage(); err != nil {
		return err
	}
	if o.json && !o.dry {
		return usagef("--json goes with --dry-run: a session is JSON already\nhint: plimsoll show FILE --json " +
			"prints its results")
	}
	if len(args) == 1 && args[0] == suites.Articles && o.resume == "" {
		return invocation.UnknownParam(a.runArticles(ctx, o, cmd, via), a.agent.Workloads)
	}
	if o.resume != "" {
		if err := onlyResumes(o, args, cmd); err != nil {
			return err
		}
		if info, err := os.Stat(o.resume); err == nil && info.IsDir() {
			if cmd.Flags().Changed("budget") {
				return usagef("--budget is of one session, and %s may hold several\nhint: --resume FILE", o.resume)
			}
			return a.resumeAll(ctx, o, o.resume, via)
		}
	}
	if o.dry && o.resume == "" {
		return invocation.UnknownParam(a.dryRun(ctx, o, args, cmd, via), a.agent.Workloads)
	}
	var e *experiment
	if o.resume != "" {
		e, err = a.resumed(ctx, o, via)
	} else {
		e, err = a.started(ctx, o, args, cmd, via)
	}
	if err != nil {
		return invocation.UnknownParam(err, a.agent.Workloads)
	}
	defer e.writer.Close()
	if err := a.measure(ctx, o, e); err != nil || !e.quickHere() {
		return err
	}
	return a.fitness(ctx, e.machines[thisHost])
}

// measure carries out what is left of an experiment, and prints its findings.
func (a *app) measure(ctx context.Context, o runOptions, e *experiment) error {
	loop := a.loop(e)
	loop.Tune = o.tune
	var err error
	if loop.MaxOutage, err = o.longestOutage(); err != nil {
		return err
	}
	loop.Lost = e.lost
	within, cancel := run.Within(ctx, e.budget)
	defer cancel()
	trials, err := loop.Run(within, e.done)
	e.lost = loop.Lost
	return a.conclude(e, trials, o.depth, err)
}

// longestOutage returns how long a host may be away.
func (o runOptions) longestOutage() (time.Duration, error) {
	s, err := record.ParseDuration(o.outage)
	if err != nil || s < 0 {
		return 0, usagef("--%s %q: must be a time of 0s or more, such as %s", flagOutage, o.outage, defaultOutage)
	}
	return time.Duration(s * float64(time.Second)), nil
}

// onlyResumes rejects what would change the plan of a session that is continued.
func onlyResumes(o runOptions, args []string, cmd *cobra.Command) error {
	if name := planning(cmd.Flags()); name != "" {
		return usagef("--%s cannot go with --resume: the plan in %s is fixed\nhint: plimsoll run -o FILE "+
			"starts a new one", name, o.resume)
	}
	if len(args) > 0 {
		return usagef("%q cannot go with --resume: the plan in %s is fixed", args[0], o.resume)
	}
	return nil
}

func (a *app) loop(e *experiment) *run.Loop {
	tty := false
	if f, ok := a.terminal.(*os.File); ok {
		tty = xterm.IsTerminal(int(f.Fd()))
	}
	progress := term.NewProgress(a.terminal, tty, term.NewStyle(a.terminal, a.env))
	if e.writer != nil { // a projection is not written anywhere
		e.writer.Note = progress.Note
	}
	return &run.Loop{
		Plan: e.plan, Machines: e.machines, Agents: e.agents, Session: e.writer,
		Progress: run.Spending(progress, e.budget),
		Figure:   figureText,
		Keeps:    a.keeps(e.plan),
		Secrets:  e.secrets,
	}
}

// keeps returns the hosts on which trials of a plan share a directory, or leave what they have finished.
func (a *app) keeps(p record.Plan) []string {
	var out []string
	for _, c := range p.Cells {
		spec, _ := workload.Find(a.agent.Workloads, c.Workload)
		for _, host := range append([]string{c.Host}, c.Cluster...) {
			if (spec.Keeps || host != thisHost || c.Params.Tuned()) && !slices.Contains(out, host) {
				out = append(out, host)
			}
		}
	}
	return out
}

// figureText formats a trial's primary value for the progress line.
func figureText(t record.Trial) string {
	if len(t.Values) == 0 {
		return ""
	}
	of := t.Keys[record.KeyWorkload]
	params := map[string]string{}
	for name, value := range t.Keys {
		if own, ok := strings.CutPrefix(name, of+"."); ok {
			params[own] = value
		}
	}
	v := t.Values[0]
	return figure.Quantity(v.Value, figure.UnitOf(figure.Counted(of, params), v.Unit))
}

func randomSeed() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, fmt.Errorf("drawing a seed: %w", err)
	}
	// 53 bits, so that every JSON reader preserves it exactly.
	return binary.LittleEndian.Uint64(b[:]) >> 11, nil
}

func randomName() (string, error) {
	var b [6]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", errors.Join(errors.New("naming the session"), err)
	}
	return hex.EncodeToString(b[:]), nil
}
