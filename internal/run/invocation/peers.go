package invocation

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/workload"
)

// UnknownFlag returns the error for a flag that `run` does not have, with its counterpart if it is another tool's, else
// with the nearest one of the named workload, else with the command that lists them; nil for an error of another kind.
func UnknownFlag(flags *pflag.FlagSet, err error, specs []workload.Spec) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	s, one := workloadOf(flags.Args(), specs)
	name, typed, hint := unknown.GetSpecifiedName(), "-"+unknown.GetSpecifiedName(), ""
	if unknown.GetSpecifiedShortnames() == "" {
		typed = "--" + name
		if near := nearest.Of(typed, FlagsOf(flags, s, one)); near != "" {
			hint = "did you mean " + near + "?"
		}
	}
	if use := peer(name, flags.Args(), specs); use != "" {
		hint = use
	}
	if use := ofCommand(flags.Args(), s); use != "" {
		hint = use
	}
	if use := counterpart(name, gone()); use != "" {
		hint = use
	}
	switch {
	case hint == "" && one:
		hint = "plimsoll run " + s.Name + " --help"
	case hint == "":
		hint = "plimsoll run --help"
	}
	return &usage.Error{Text: fmt.Sprintf("unknown flag %q", typed), Hint: hint, Cause: err}
}

// ofCommand returns the hint for an unknown flag that belongs to a program, named where a workload belongs or as a
// command without quotes; "" if neither is.
func ofCommand(args []string, s workload.Spec) string {
	if len(args) == 0 {
		return ""
	}
	if hint, ok := guess(args[:1]); ok && s.Name == "" {
		return hint
	}
	if words := args[1:]; s.Command.Greedy && args[0] == s.Name && len(words) == 1 && isProgram(words[0]) {
		return "plimsoll run " + s.Name + " '" + words[0] + " …': a command with its options is one argument"
	}
	return ""
}

// UnknownParam returns the error for a parameter that its workload does not have with what it is called here, if it is
// another tool's; and err itself otherwise.
func UnknownParam(err error, specs []workload.Spec) error {
	var unknown *plan.UnknownParam
	if !errors.As(err, &unknown) {
		return err
	}
	s, _ := workload.Find(specs, unknown.Workload)
	hint := peer(unknown.Name, []string{unknown.Workload}, specs)
	for _, f := range s.Command.Flags {
		if f.Param != "" && (f.Name == unknown.Name || f.Short == unknown.Name) {
			hint = "did you mean " + s.Name + "." + f.Param + "?"
		}
	}
	if hint == "" {
		return err
	}
	text, _ := usage.Parts(err)
	return &usage.Error{Text: text, Hint: hint, Cause: err}
}

// FlagsOf returns the flags of `run`, with those of one workload's parameters or of all.
func FlagsOf(flags *pflag.FlagSet, s workload.Spec, one bool) []string {
	var out []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden || !one || ParamOf(s, f.Name) != "" {
			out = append(out, "--"+f.Name)
		}
	})
	return out
}

// general returns the counterparts of flags that tools for any kind of load have, or that `run` had itself.
func general() []workload.Peer {
	return []workload.Peer{
		{Flags: []string{"duration", "time", "runtime", "timelimit", "T"},
			Use: "--for 10s measures for that long in each run"},
		{Flags: []string{"runs", "repeat", "repetitions", "iterations", "trials", "min-runs", "count"},
			Use: "--replicates N measures so many runs"},
		{Flags: []string{"p50", "p90", "p95", "p99", "p999", "latency", "percentile", "percentiles", "max-latency"},
			Use: "--slo p99=20ms searches for the highest load within this latency"},
		{Flags: []string{"compare", "baseline", "against", "ab", "matrix"},
			Use: "--vary NAME=A,B compares two values, and plimsoll compare OLD NEW two sessions"},
		{Flags: []string{"out", "outfile", "output-file", "save", "log"}, Use: "-o FILE"},
		{Flags: []string{"format", "csv", "html", "markdown", "export"},
			Use: "-o FILE names the session; plimsoll export and plimsoll report convert it"},
		{Flags: []string{"host", "remote", "ssh", "target"}, Use: "--on 'ssh HOST' measures on that host"},
		{Flags: []string{"verify", "check", "fail-if", "threshold"},
			Use: "plimsoll compare OLD NEW --fail-if 'time > 5%' exits with code 4 if it applies"},
		{Flags: []string{"max-runs"}, Use: "--max-replicates N limits the pairs of a comparison"},
		{Flags: []string{"requests", "num-requests", "num-records", "transactions", "n"},
			Use: "--for 10s: a run lasts for a time, not for a number of operations"},
		{Flags: []string{"concurrency", "vus", "workers", "users", "conns", "parallel"}, Use: "--clients N, or -c N"},
		{Flags: []string{"qps", "rps", "R", "throughput", "arrival-rate"},
			Use: "--rate N makes an open loop of so many operations per second"},
		{Flags: []string{"ramp-time", "rampup", "warm-up"},
			Use: "--warmup 5s warms up for that long in each run before measuring"},
	}
}

// peer returns the counterpart of a flag of another tool, without hyphens, for the workload among the arguments, or for
// any workload if none is among them; "" if none is known.
func peer(flag string, args []string, specs []workload.Spec) string {
	s, ok := workloadOf(args, specs)
	if ok {
		specs = []workload.Spec{s}
	}
	for _, s := range specs {
		if use := counterpart(flag, s.Command.Peers); use != "" {
			return use
		}
	}
	return counterpart(flag, general())
}

// gone returns the flags that `run` had once, with what to do instead.
func gone() []workload.Peer {
	return []workload.Peer{
		{Flags: []string{"detach"}, Use: "systemd-run --user plimsoll run …, tmux or nohup: see docs/hosts.md"},
	}
}

// workloadOf returns the first workload that the arguments name, and false if they name none.
func workloadOf(args []string, specs []workload.Spec) (workload.Spec, bool) {
	for _, arg := range args {
		if s, ok := workload.Find(specs, arg); ok {
			return s, true
		}
	}
	return workload.Spec{}, false
}

func counterpart(flag string, peers []workload.Peer) string {
	i := slices.IndexFunc(peers, func(p workload.Peer) bool { return slices.Contains(p.Flags, flag) })
	if i < 0 {
		return ""
	}
	return peers[i].Use
}
