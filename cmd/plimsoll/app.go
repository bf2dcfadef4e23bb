package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/build"
	"plimsoll/internal/base/heap"
	"plimsoll/internal/base/input"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/detached"
	"plimsoll/internal/run/invocation"
)

// app is the environment of every verb.
type app struct {
	stdin        io.Reader
	stdout       io.Writer // for documents, which have no control characters, and data
	said, stderr io.Writer // for sentences: without characters that control a terminal
	terminal     io.Writer // unfiltered standard error, for the progress bar only
	env          func(string) string
	agent        agent.Agent
	open         session.Opener          // nil: by path
	problems     func([]session.Problem) // what becomes of those of sessions; nil: they are printed
	simulations  int                     // of selftest, for tests; 0: as many as its flags say
	words        []string                // of the command line, after "plimsoll"
}

// The exit codes: docs/README.md.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = usage.ExitCode
	exitNoTrial = 3
	exitHolds   = 4
)

func usagef(format string, args ...any) error { return usage.Errorf(format, args...) }

// noTrialError reports that no valid trial remains for a request.
type noTrialError struct{ msg string }

func (e noTrialError) Error() string { return e.msg }

func (a *app) root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plimsoll",
		Short: "measure a machine's capacity and its cost per unit of work",
		Long: `Plimsoll measures how much load a machine can handle and the cost of a unit of work on it.
plimsoll help terms explains benchmark, max load, 95% CI and other terms.`,
		Example: `  plimsoll run http http://127.0.0.1:8080/items --clients 32
  plimsoll run exec './old input.csv' './new input.csv'
  plimsoll compare m6i.plimsoll.jsonl m7g.plimsoll.jsonl
  plimsoll help http`,
		Version:       a.agent.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.help(cmd)
		}
		return a.unknownVerb(cmd, args)
	}
	cmd.PersistentPreRunE = noEmptyFlag
	cmd.CompletionOptions.DisableDefaultCmd = true // ours: completionCommand
	cmd.SetVersionTemplate(build.Of(version).String())
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if !cmd.HasParent() && len(a.words) > 0 && !strings.HasPrefix(a.words[0], "-") {
			return a.unknownVerb(cmd, a.words) // flags behind a name in place of a verb
		}
		return flagError(cmd, err)
	})
	cmd.SetHelpCommand(a.helpCommand())
	cmd.SetHelpFunc(printHelp)
	cmd.SetGlobalNormalizationFunc(flagName)
	cmd.AddCommand(a.detachedCommands()...)
	cmd.AddCommand(stoppable(a.runCommand()), a.showCommand(), a.compareCommand(), a.reportCommand(), a.historyCommand(),
		stoppable(a.machineCommand()), a.listCommand(), stoppable(a.setupCommand()),
		stoppable(a.hostsCommand()), a.portCommand(),
		a.pricesCommand(), a.claimsCommand(), a.selftestCommand(), a.importCommand(), a.exportCommand(),
		stoppable(a.serveCommand()), a.completionCommand(), a.manCommand(), a.versionCommand())
	return cmd
}

// unknownVerb suggests run for a workload, a suite or their arguments, and the present verb for a verb of earlier
// versions.
func (a *app) unknownVerb(cmd *cobra.Command, args []string) error {
	if args[0] == "attach" {
		return usagef("unknown command %q\nhint: journalctl --user -f -u UNIT or tmux attach shows a run's output, and "+
			"plimsoll status FILE its progress: see docs/hosts.md", args[0])
	}
	typed := a.commandLine(cmd)
	if len(typed.Words) == 0 || strings.HasPrefix(typed.Words[0], "-") {
		typed.Words = args
	}
	if line := invocation.Meant(typed, a.agent.Workloads); line != "" {
		return usagef("unknown command %q\nhint: %s", args[0], line)
	}
	hint := cmp.Or(readBy(args), verbMeant(args[0]))
	if near := nearest.Of(args[0], verbs(cmd)); hint == "" && near != "" && !invocation.IsTool(typed) {
		hint = "did you mean " + near + "?"
	}
	hint = cmp.Or(hint, invocation.MeantTool(typed, a.agent.Workloads), "plimsoll help lists the commands, plimsoll list "+
		"all that can be measured")
	return usagef("unknown command %q\nhint: %s", args[0], hint)
}

// readBy returns the command that reads the files named in place of a verb: sessions, or results of other tools; ""
// for other files.
func readBy(paths []string) string {
	if strings.HasSuffix(paths[0], session.Suffix) {
		return "plimsoll show " + quoted(paths[0])
	}
	if formats := formatsOf(paths[:1]); len(formats) > 0 {
		return importing("show", paths[:1], formats)
	}
	return ""
}

// commandLine returns the words of the command line, those after run if it has one.
func (a *app) commandLine(cmd *cobra.Command) invocation.Typed {
	t := invocation.Typed{Words: a.words}
	if len(t.Words) > 0 && t.Words[0] == "run" {
		t.Words = t.Words[1:]
	}
	if run, _, err := cmd.Root().Find([]string{"run"}); err == nil {
		t.Flags = run.Flags()
	}
	return t
}

// verbMeant returns the command for a verb that other tools have, or that our pages use as a word; "" if none is known.
func verbMeant(verb string) string {
	for _, m := range []struct {
		verbs []string
		use   string
	}{
		{[]string{"explain", "why", "cause", "diagnose"},
			"did you mean compare? plimsoll compare A B shows why they differ, " +
				"and more after run --profile; plimsoll show FILE names the bottleneck"},
		{[]string{"bench", "benchmark", "measure", "load", "start", "stress", "test"}, "did you mean run? plimsoll run " +
			"WORKLOAD, or plimsoll run exec 'COMMAND'"},
		{[]string{"diff", "benchstat", "cmp", "versus", "vs"}, "did you mean compare? plimsoll compare A B"},
		{[]string{"gate", "check", "assert", "ci"},
			"plimsoll compare A B --fail-if 'time > 5%' exits with code 4 if it applies"},
		{[]string{"profile", "flamegraph", "record"}, "plimsoll run … --profile adds a profiled run after each run"},
		{[]string{"view", "open", "print", "cat", "results", "summary", "analyze", "analyse", "stats"},
			"did you mean show? plimsoll " +
				"show FILE"},
		{[]string{"html", "page", "plot", "chart", "graph"}, "did you mean report? plimsoll report FILE -o FILE.html"},
		{[]string{"ui", "web", "dashboard", "browse"}, "did you mean serve? plimsoll serve DIR"},
		{[]string{"trend", "nights", "track"}, "did you mean history? plimsoll history DIR"},
		{[]string{"info", "host", "doctor", "fingerprint", "system"}, "did you mean machine?"},
		{[]string{"workloads", "suites", "ls", "benchmarks"}, "did you mean list?"},
		{[]string{"price", "cost", "costs", "instances", "instance", "types", "cloud", "aws", "ec2", "catalog", "catalogue",
			"pricing"}, "did you mean prices? plimsoll prices list, or plimsoll prices compare m7g m6i"},
		{[]string{"cheapest", "fleet", "size", "sizing", "capacity", "recommend", "demand"},
			"plimsoll compare A B --demand 50k recommends machines for 50,000 operations per second"},
		{[]string{"tune", "tuning"}, "plimsoll run … --tune permits changing settings of the machine"},
		{[]string{"install", "get"}, "did you mean setup? plimsoll setup ENGINE"},
		{[]string{"convert", "read"}, "did you mean import? plimsoll import FILE... reads other tools' results"},
		{[]string{"merge", "join", "combine"}, "plimsoll show A B and plimsoll compare A B read several sessions"},
		{[]string{"stop", "kill", "cancel"}, "Ctrl-C or kill ends a run; plimsoll status FILE shows its progress"},
		{[]string{"csv", "json"}, "did you mean export? plimsoll export FILE --format csv"},
		{[]string{"clean", "cleanup", "restore", "undo"}, "did you mean tidy? plimsoll tidy FILE"},
		{[]string{"continue", "resume"}, "plimsoll run --resume FILE continues an interrupted run"},
	} {
		if slices.Contains(m.verbs, verb) {
			return m.use
		}
	}
	return ""
}

// help prints a command's help and returns write errors, which cobra ignores.
func (a *app) help(cmd *cobra.Command) error {
	var text bytes.Buffer
	cmd.SetOut(&text)
	if err := cmd.Help(); err != nil {
		return err
	}
	_, err := text.WriteTo(a.stdout)
	return err
}

func verbs(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			out = append(out, c.Name())
		}
	}
	return out
}

// exit prints an error and returns its exit code.
func (a *app) exit(err error) int {
	if err == nil {
		return exitDone
	}
	if there := (detached.Elsewhere{}); errors.As(err, &there) {
		return there.Code // the program that carried it out has printed why
	}
	fmt.Fprintf(a.stderr, "plimsoll: %v\n", err)
	switch {
	case is[holdsError](err): // also if a side has no valid run: a condition on it must not pass
		return exitHolds
	case is[noTrialError](err), is[compare.NoValid](err):
		return exitNoTrial
	case usage.Is(err):
		return exitUsage
	}
	return exitFailed
}

// is reports whether an error of type E is among the causes of err.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// Analyses of files of together more than largeFiles bytes keep within mostMemory bytes, if that can be done at
// little cost: a million values take half a gigabyte, and by Go's default as much garbage.
const (
	largeFiles = 64 << 20
	mostMemory = 850 << 20
)

// read reads sessions and prints their problems.
func (a *app) read(ctx context.Context, paths []string) (*session.Log, error) {
	if input.SizeOf(paths) > largeFiles {
		heap.Limit(mostMemory)
	}
	log, err := session.ReadBy(ctx, a.open, paths...)
	if err != nil {
		return nil, a.otherwise(invocation.Instead(err, paths, a.agent.Workloads), paths)
	}
	if a.problems != nil {
		a.problems(log.Problems)
	} else {
		for _, p := range log.Problems {
			fmt.Fprintf(a.stderr, "plimsoll: %s\n", p)
		}
	}
	if len(log.Trials) == 0 {
		return nil,
			noTrialError{fmt.Sprintf("no run in %s\nhint: plimsoll run -o FILE measures; plimsoll run --resume FILE continues "+
				"an interrupted run", strings.Join(paths, ", "))}
	}
	trialset.VoidImports(log.Trials)
	return log, nil
}

// needFiles validates the arguments of verbs that read sessions.
func needFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("%s needs a session file\nhint: %s", cmd.Name(), sessionFor(cmd))
	}
	return nil
}

// sessionFor returns the command with the last session of this directory, or how to make one.
func sessionFor(cmd *cobra.Command) string {
	all := session.In(".")
	example, rest := cmd.CommandPath()+" ", ""
	if cmd.Name() == "fetch" {
		rest = " --on 'ssh host'"
	}
	if len(all) == 0 || rest != "" { // there, not here
		return "plimsoll run -o FILE makes one, then " + example + "FILE" + rest
	}
	return example + quoted(all[len(all)-1]) + rest
}

// needFile validates the arguments of verbs that take one session.
func needFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes one session file, got %d\nhint: one at a time: plimsoll %s %s", cmd.Name(), len(args),
			cmd.Name(), args[0])
	}
	return needFiles(cmd, args)
}

// noArgs validates the arguments of verbs without any.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument, got %q\nhint: %s --help", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}

// declarations returns the workloads of this build.
func (a *app) declarations() []record.Workload {
	var out []record.Workload
	for _, s := range a.agent.Workloads {
		out = append(out, s.Workload)
	}
	return out
}
