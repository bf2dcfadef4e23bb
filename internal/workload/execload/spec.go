// Package execload is the workload "exec": any command of the user's. Run once, it is the trial, and its time or a
// number that it prints is the value. In a closed or open loop each operation is one run of it.
package execload

import (
	"plimsoll/internal/client/load"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "exec"

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramCommand = "command"
	paramShell   = "shell"
	paramDir     = "dir"
	paramParse   = "parse"
	paramPattern = "pattern"
	paramMetric  = "metric"
	paramUnit    = "unit"
	paramBetter  = "better"
	paramTimeout = "timeout"
	paramInput   = "input"
	paramPrepare = "prepare"
	paramCleanup = "cleanup"
	paramWarmups = "warmup_runs"

	paramAnyStatus = "any_status"

	paramLimit = "output_limit"
)

// betterByUnit is the value of better that leaves the direction to the metric's name and unit.
const betterByUnit = "unit"

// parseTime is the value of parse that ignores the output.
const parseTime = "time"

// The metrics beside the parsed one.
const (
	metricUser   = "user_s"
	metricSystem = "system_s"
	metricRSS    = "max_rss"
	metricShell  = "shell_start"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:    Name,
			Doc:     "runs any command; the value is its time, or a number that it prints",
			Params:  append(commandParams(), append(outputParams(), loadParams()...)...),
			Metrics: metrics(),
			Loads:   []record.LoadKind{record.Once, record.Closed, record.Open},
			Free:    true,
			Repeats: true,
			Presets: presets(),
		},
		Charge:    workload.Started,
		Split:     func(p workload.Params) bool { return p.Text(record.ParamCPUSets) == record.CPUsSplit },
		Check:     check,
		Preflight: preflight,
		Path:      func(workload.Params) (string, bool) { return "", false },
		Runs:      func(workload.Params) workload.Runs { return workload.Java },
		Cost:      cost,
		New:       newDriver,
		Command:   command(),
	}
}

func metrics() []record.Metric {
	return []record.Metric{
		{Name: record.Elapsed, Unit: "s", Better: record.Lower,
			Doc: "time from just before the command's start to its end"},
		{Name: record.CPUTime, Unit: "s", Better: record.Lower,
			Doc: "user and system CPU time of the command and of all processes it waited for: unlike time, it hardly " +
				"depends on what else the machine does"},
		{Name: metricUser, Unit: "s", Better: record.Lower,
			Doc: "user CPU time of the same; the kernel splits CPU time by samples, so that it is noisier than the sum"},
		{Name: metricSystem, Unit: "s", Better: record.Lower, Doc: "system CPU time of the same"},
		{Name: metricRSS, Unit: "B", Better: record.Lower,
			Doc: "largest resident set of any one process of the same; absent if below plimsoll's own, which hides it"},
		{Name: metricShell, Unit: "s", Better: record.Neutral,
			Doc: "for a command run by sh -c: startup overhead of the shell, included in every run's time (see shell)"},
	}
}

func commandParams() []record.Param {
	return []record.Param{
		{Name: record.ParamPreset, Minor: true, Kind: record.Enum, Default: presetNone, Choices: presetNames(),
			Phase: record.Load,
			Doc: "known tool: fio does the job of the workload disk, pgbench that of the workload of its name, wrk " +
				"that of http, the last two that of kafka, as a cross-check; its settings can be overridden"},
		{Name: paramCommand, Kind: record.Text, Secret: record.SecretEnviron, Phase: record.Load,
			Doc: "the command; ${NAME} is a variable of the environment here, which the command receives in its " +
				"own; {NAME} is replaced by any parameter's value, {load} by the clients or the rate, {scratch} by the " +
				"run's own directory, {engine.NAME} by an engine's path, and {{ by a brace"},
		{Name: paramShell, Minor: true, Kind: record.Bool, Default: "false", Derive: derivedShell, Phase: record.Load,
			Doc: "run through sh -c; otherwise the command is split into words as a shell does and run directly; " +
				"default true if the command contains shell syntax, such as |, >, *, or $NAME"},
		{Name: paramDir, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "working directory; default: plimsoll's own"},
		{Name: paramInput, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "file that is the command's standard input, from its start in each run, without a shell; relative to " +
				"plimsoll's own directory, on the host that runs the command; default: an empty one"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "600s", Min: 1e-3, Max: 7 * 86400,
			Phase: record.Load,
			Doc:   "time limit of one run, which then counts as failed"},
		{Name: paramPrepare, Minor: true, Kind: record.Text, Secret: record.SecretEnviron, Phase: record.Load,
			Doc: "shell command before each single run, or before a load of many; not measured"},
		{Name: paramCleanup, Minor: true, Kind: record.Text, Secret: record.SecretEnviron, Phase: record.Load,
			Doc: "the same after it, even if it failed"},
		{Name: paramWarmups, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load,
			Doc: "unmeasured runs before each single run"},
		{Name: paramAnyStatus, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load,
			Doc: "a run with an exit status other than 0 has not failed"},
	}
}

func outputParams() []record.Param {
	return append([]record.Param{
		{Name: paramParse, Minor: true, Kind: record.Enum, Default: parseTime,
			Choices: append([]string{parseTime, convert.Regexp, convert.JSON, convert.Go}, convert.Whole()...),
			Phase:   record.Load,
			Doc:     "the value: the command's time, or a number from its standard output"},
	}, record.Needing(record.Only{Param: paramParse, Not: []string{parseTime}, To: "a value in the command's output",
		Hint: "leave it out, or --parse regexp, json or go"}, []record.Param{
		{Name: paramPattern, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "location of the number: a regular expression with one group (the last match counts), a JSONPath, " +
				"or a regular expression for Go benchmarks' names; of several values named groups, or NAME=PATH; NAME=PATH"},
		{Name: paramMetric, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "name of the parsed value; default: throughput for a rate, time_per_op or such for an amount per " +
				"operation, else value"},
		{Name: paramUnit, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "unit of the command's output, such as MB/s, op/s or ms, of several values NAME=UNIT,NAME=UNIT; " +
				"values are kept in the base unit"},
		{Name: paramBetter, Minor: true, Kind: record.Text, Default: betterByUnit, Phase: record.Load,
			Doc: "better direction of the parsed value, higher or lower; default: that of its name and unit, which must " +
				"tell it; of several NAME=higher,NAME=lower"},
		{Name: paramLimit, Minor: true, Kind: record.Size, Default: "16MiB", Min: 1 << 10, Max: 1 << 30, Phase: record.Load,
			Doc: "maximum output kept for parsing; more is an error"},
	}...)...)
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Load,
			Doc: "closed loop: number of clients that run the command repeatedly; 0: it runs once"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e4, Phase: record.Load,
			Doc: "open loop: runs started per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load,
			Doc:   "spacing of an open loop's runs"},
		{Name: record.ParamPacing, Minor: true, Kind: record.Enum, Default: record.PacingSleep,
			Choices: []string{record.PacingSleep, record.PacingSpin}, Phase: record.Load,
			Doc: "how workers wait for the next run of an open loop: spin is accurate to a microsecond, takes a CPU " +
				"per worker, and so has half as many workers as CPUs"},
		workload.CPUSets(record.CPUsShared, "the command and the load generator"),
	}
}
