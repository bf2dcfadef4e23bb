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
	xterm "golang.org/x/term"

	"plimsoll/internal/plan"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/run"
	"plimsoll/internal/run/invocation"
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

	flagCarry    = "deploy" // carry, in earlier versions
	flagBinaries = "binaries"

	binariesUsage = "with --deploy: directory with a release's plimsoll-linux-amd64 and plimsoll-linux-arm64; `DIR` " +
		"(default this program's)"
)

// runGroups are the groups of the flags in the help of run.
const runGroups = `Load: set sweep load-line slo load-sweep safe-rate max-cpus
Repetition: for warmup replicates max-replicates max-time pilot quick budget
Comparison: vary name metric margin alpha claim label
Hosts: on hosts generator max-outage deploy binaries cluster equal-cost
Output: output verbose all dry-run json price help
Advanced: profile energy resume trust-plan tune destroy-data seed`

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
		Short: "measure workloads, suites or plans",
		Long: `Measures workloads, suites or plans in YAML; without an argument, the quick set.
plimsoll list shows workloads and suites.

A workload's parameters are flags too: --clients 8 is --set clients=8.

plimsoll run WORKLOAD --help shows them. --clients N and --rate N set the load.`,
		Example: `  plimsoll run http http://127.0.0.1:8080/ -H 'Authorization: Bearer ${TOKEN}'
  plimsoll run exec './old input.csv' './new input.csv'
  plimsoll run pgbench my.sql --dsn postgres://app@db/shop --clients 32
  plimsoll run disk /mnt/data --rw randread --block 4k`,
		Annotations: map[string]string{manual.GroupsKey: runGroups},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.meant(cmd, a.run(cmd.Context(), o, args, cmd))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "session `FILE` to write (default HOST-UTC.plimsoll.jsonl)")
	f.StringVar(&o.resume, flagResume, "", "continue an interrupted run: the plan of this session file, or those of the "+
		"sessions in a directory; `PATH`")
	f.StringVar(&o.trust, flagTrust, "", "resume a plan that was started elsewhere: confirm it by the first digits of "+
		"the `DIGEST` that --resume prints")
	f.StringArrayVar(&o.labels, "label", nil,
		"label the session, such as build=main, for comparisons between sessions; `NAME=VALUE`, repeatable")
	f.StringVar(&o.duration, "for", "", "measure for this `TIME` in each run, such as 30s")
	f.StringVar(&o.warmup, "warmup", "", "warm up for this `TIME` in each run before measuring")
	f.StringArrayVar(&o.set, "set", nil, "set a parameter; `[WORKLOAD.]NAME=VALUE`, repeatable")
	f.StringArrayVar(&o.vary, "vary", nil, "compare values of a parameter, interleaved in time; `[WORKLOAD.]NAME=A,B` "+
		`(write a comma in a value as \,), repeatable`)
	f.StringArrayVar(&o.sweep, "sweep", nil, "measure at each of these values; `[WORKLOAD.]NAME=1,2,4`, repeatable")
	f.BoolVar(&o.line, "load-line", false, "search for the max load: the highest load within the latency target, by "+
		"default twice the latency at low load; each search is a run")
	f.IntVar(&o.maxCPUs, "max-cpus", 0, "load at most `N` CPUs, even for all, to compare machines of different sizes")
	f.BoolVar(&o.sweepLoad, "load-sweep", false,
		"measure an open loop at rates from 5 to 100% of a closed loop's throughput")
	f.BoolVar(&o.safeRate, "safe-rate", false, "verify the rate at which a disk isn't throttled: follow each run at full "+
		"load with one at 95% and one at 105% of that rate")
	f.StringVar(&o.energy, "energy", "", "measure energy by this `COMMAND`, which prints joules or watts, such as 85.5 W")
	f.BoolVar(&o.profile, "profile", false, "follow each run with a profiled one, which estimates exclude")
	f.StringArrayVar(&o.slo, "slo", nil, "latency target of the search for the max load, such as p99=10ms; any "+
		"percentile; `PERCENTILE=TIME`, repeatable")
	f.StringArrayVar(&o.on, "on", nil, "measure on the host that this command reaches, such as 'ssh m6gd', with "+
		"plimsoll in its PATH; `[NAME=]COMMAND`, repeatable")
	f.StringVar(&o.hostList, "hosts", "", "measure on the hosts in this `FILE`, as plimsoll hosts prints them (NAME TYPE "+
		"ZONE COMMAND); - is standard input")
	f.StringArrayVar(&o.generators, "generator", nil, "generate the load of servers on the host that this `COMMAND` "+
		"reaches, such as 'ssh gen1'; several share the load")
	f.StringVar(&o.outage, flagOutage, defaultOutage, "wait this `TIME` for an unreachable host, then continue without "+
		"it; the last target and the load generator can't be missed")
	f.BoolVar(&o.carry, flagCarry, false, "copy this program to hosts that lack it, verified by its SHA-256")
	f.StringVar(&o.binaries, flagBinaries, "", binariesUsage)
	f.StringArrayVar(&o.clusters, "cluster", nil, "start a cluster with a server on each of these hosts of --on or "+
		"--hosts, such as r5=a,b,c; `NAME=HOST,HOST`, repeatable")
	f.StringVar(&o.equalCost, "equal-cost", "", "start clusters of this many nodes on the machines of these names, such "+
		"as r5=3,r6g=4, for compare --equal-cost; `NAME=NODES,…`")
	f.IntVar(&o.replicates, "replicates", 0, "measure `N` runs of every benchmark (default 5, for comparisons as many "+
		"pairs as a verdict takes)")
	f.IntVar(&o.limit, "max-replicates", 0, "end an undecided comparison after `N` pairs (default 30)")
	f.StringVar(&o.longest, "max-time", "", "begin no further pair after this `TIME`, such as 5m")
	f.Float64Var(&o.margin, "margin", 0, "equivalence margin: differences up to this `SHARE` count as equal (default "+
		"0.02, which is 2%)")
	f.Float64Var(&o.alpha, "alpha", 0, "two-sided error `RATE` of a verdict: 0.01, 0.05 or 0.1 (default 0.05)")
	f.StringVar(&o.claim, "claim", "", "`SCOPE` of verdicts: machine (this one) or type (its instance type)")
	f.StringVar(&o.pilot, "pilot", "", "measure a pilot pair for this `TIME`, which chooses warm-up and duration of the "+
		"others (default none)")
	f.StringArrayVar(&o.metric, "metric", nil, "primary metric, which gets the verdicts; `WORKLOAD.NAME`, repeatable "+
		"(default the workload's first)")
	f.StringArrayVar(&o.price, "price", nil, "price of a machine or instance type in USD per hour; `NAME=1.808`, "+
		"repeatable")
	f.Uint64Var(&o.seed, "seed", 0, "`SEED` of all random choices (default random, and recorded)")
	f.StringArrayVar(&o.destroy, flagDestroy, nil, "permit overwriting the `DEVICE` at disk.path, such as /dev/nvme1n1; "+
		"without a name, type it on the terminal")
	f.Lookup(flagDestroy).NoOptDefVal = asked
	f.BoolVar(&o.tune, flagTune, false, "permit changing the settings of the machine that tune.… parameters name; each "+
		"run sets, verifies and restores them")
	f.BoolVar(&o.quick, "quick", false, "short runs of a few seconds, which can't prove EQUIVALENT")
	f.Var(&o.budget, "budget", "stop when the machines have cost this much, by --price or the catalogue; --resume "+
		"continues; `USD`")
	f.BoolVar(&o.dry, "dry-run", false, "print the plan, its duration, disk space and price; measure only the hosts' "+
		"speed")
	f.BoolVar(&o.json, "json", false, "with --dry-run: print the forecast as JSON")
	addDepth(f, &o.depth)
	f.StringArrayVar(&o.names, "name", nil, "`NAME` of a variant, one for each of several arguments, in their order; "+
		"repeatable")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cmp.Or(invocation.UnknownFlag(a.commandLine(cmd), err, a.agent.Workloads), flagError(cmd, err))
	})
	cmd.SetHelpFunc(a.helpOfRun(printHelp))
	invocation.AddFlags(f, &o.params, a.agent.Workloads)
	f.SetNormalizeFunc(flagName)
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
		return a.runArticles(ctx, o, cmd, via)
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
		return a.dryRun(ctx, o, args, cmd, via)
	}
	var e *experiment
	if o.resume != "" {
		e, err = a.resumed(ctx, o, via)
	} else {
		e, err = a.started(ctx, o, args, cmd, via)
	}
	if err != nil {
		return err
	}
	defer e.writer.Close()
	if err := a.measure(ctx, o, e); err != nil || !e.quickHere() {
		return err
	}
	return a.fitness(ctx, e.machines[thisHost])
}

// meant adds to a usage error the command line that its words may have meant.
func (a *app) meant(cmd *cobra.Command, err error) error {
	return invocation.Unquoted(a.commandLine(cmd), invocation.UnknownParam(err, a.agent.Workloads), a.agent.Workloads)
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
	text := figure.Quantity(v.Value, figure.UnitOf(figure.Counted(of, params), v.Unit))
	if strings.HasPrefix(v.Name, "latency_") {
		return figure.MetricName(v.Name) + " " + text
	}
	return text
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
