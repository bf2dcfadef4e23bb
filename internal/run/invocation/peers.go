package invocation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/workload"
)

// UnknownFlag returns the error for a flag that `run` does not have. Its hint is the whole line if each flag of another
// tool has a form here. Otherwise it is the counterpart of this flag, the nearest flag, or the command that lists the
// flags. It is nil for an error of another kind.
func UnknownFlag(t Typed, err error, specs []workload.Spec) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	args := t.Flags.Args()
	s, one := workloadOf(args, specs)
	name, typed := unknown.GetSpecifiedName(), "-"+unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() == "" {
		typed = "--" + name
	}
	hint := cmp.Or(counterpart(name, gone()), t.line(s, specs), t.ofCommand(s, specs), peer(name, args, specs))
	misspelt := len(name) > 1 && peer(name, nil, specs) == "" // and not another tool's, without a form for the workload
	if near := nearest.Of(typed, FlagsOf(t.Flags, s, one)); hint == "" && near != "" && misspelt {
		hint = "did you mean " + near + "?"
	}
	if hint == "" {
		hint = nearPeer(name, args, specs)
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
func (t Typed) ofCommand(s workload.Spec, specs []workload.Spec) string {
	if len(t.Words) == 0 {
		return ""
	}
	if hint, ok := t.guess(specs); ok && s.Name == "" {
		return hint
	}
	words := t.Words[1:]
	if !s.Command.Greedy || t.Words[0] != s.Name || len(words) == 0 || !isProgram(words[0]) {
		return ""
	}
	return "plimsoll run " + shellquote.Join(s.Name, shellquote.Join(words...))
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
	return usage.With(err, hint)
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
		{Flags: []string{"duration", "time", "runtime", "timelimit", "time-limit", "T"},
			Use: "--for 10s measures for that long in each run", As: "--for {value}"},
		{Flags: []string{"runs", "repeat", "repetitions", "iterations", "trials", "min-runs", "count"},
			Use: "--replicates N measures N runs", As: "--replicates {value}"},
		{Flags: []string{"p50", "p90", "p95", "p99", "p999"},
			Use: "--slo p99=20ms searches for the highest load within this latency", As: "--slo {flag}={value}"},
		{Flags: []string{"latency", "percentile", "percentiles", "max-latency"},
			Use: "--slo p99=20ms searches for the highest load within this latency"},
		{Flags: []string{"max-load", "find-max", "max-rate", "max-throughput", "saturate", "capacity", "search"},
			Use: "--load-line searches for the max load, --slo p99=20ms for the highest within this latency"},
		{Flags: []string{"compare", "baseline", "against", "ab", "matrix"},
			Use: "--vary NAME=A,B compares two values, and plimsoll compare OLD NEW two sessions"},
		{Flags: []string{"out", "outfile", "output-file", "save", "log"}, Use: "-o FILE", As: "-o {value}"},
		{Flags: []string{"format", "csv", "html", "markdown", "export"},
			Use: "-o FILE names the session; plimsoll export and plimsoll report convert it"},
		{Flags: []string{"host", "remote", "ssh", "target"}, Use: "--on 'ssh HOST' measures on that host"},
		{Flags: []string{"verify", "check", "fail-if", "threshold"},
			Use: "plimsoll compare OLD NEW --fail-if 'time > 5%' exits with code 4 if it applies"},
		{Flags: []string{"list", "workloads"}, Use: "plimsoll list shows workloads and suites"},
		{Flags: []string{"max-runs"}, Use: "--max-replicates N limits the pairs of a comparison",
			As: "--max-replicates {value}"},
		{Flags: []string{"requests", "num-requests", "num-records", "transactions", "n"},
			Use: "--for 10s: a run has a duration, not a number of operations"},
		{Flags: []string{"concurrency", "vus", "workers", "users", "conns", "parallel"}, Use: "--clients N, or -c N",
			As: "--clients {value}"},
		{Flags: []string{"threads", "thread", "num-threads", "procs", "jobs", "j", "t"}, Use: "--cpus N loads N CPUs",
			As: "--cpus {value}"},
		{Flags: []string{"qps", "rps", "R", "throughput", "arrival-rate"},
			Use: "--rate N makes an open loop of N operations per second", As: "--rate {value}"},
		{Flags: []string{"ramp-time", "rampup", "warm-up"},
			Use: "--warmup 5s warms up for that long in each run before measuring", As: "--warmup {value}"},
		{Flags: []string{"instance", "instance-type", "machine-type", "type", "cost"},
			Use: "--price NAME=USD sets a price per hour of a machine or type; a machine's type is detected"},
	}
}

// peer returns the counterpart of a flag of another tool, without hyphens, for the workload among the arguments, or for
// any workload if none is among them; "" if none is known.
func peer(flag string, args []string, specs []workload.Spec) string {
	return counterpart(flag, rows(args, specs))
}

// rows returns the counterparts of flags for the workload among the arguments, or for any workload if none is among
// them. Those that begin with a parameter that the workload lacks are left out.
func rows(args []string, specs []workload.Spec) []workload.Peer {
	s, ok := workloadOf(args, specs)
	if !ok {
		var all []workload.Peer
		for _, s := range specs {
			all = append(all, s.Command.Peers...)
		}
		return append(all, general()...)
	}
	return slices.DeleteFunc(slices.Concat(s.Command.Peers, general()), func(p workload.Peer) bool {
		name := begins(p.As)
		has := func(s workload.Spec) bool { return ParamOf(s, name) != "" }
		return !has(s) && slices.ContainsFunc(specs, has)
	})
}

// nearPeer is peer for a misspelt flag of another tool.
func nearPeer(flag string, args []string, specs []workload.Spec) string {
	var known []string
	for _, p := range rows(args, specs) {
		known = append(known, slices.DeleteFunc(slices.Clone(p.Flags), func(f string) bool { return len(f) < 4 })...)
	}
	if near := nearest.Of(flag, known); len(flag) > 3 && near != "" {
		return peer(near, args, specs)
	}
	return ""
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

// counterpart returns what to use in place of a flag; "" if no row explains it.
func counterpart(flag string, peers []workload.Peer) string {
	i := slices.IndexFunc(peers, func(p workload.Peer) bool { return p.Use != "" && slices.Contains(p.Flags, flag) })
	if i < 0 {
		return ""
	}
	return peers[i].Use
}
