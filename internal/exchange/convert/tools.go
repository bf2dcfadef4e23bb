package convert

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// tools returns the tools whose output is parsed as a whole. To add one, write a file of reader, and add its Tool here.
func tools() []reader.Tool {
	return []reader.Tool{reader.FioTool(), reader.PgbenchTool(), reader.SysbenchTool(), reader.WrkTool(),
		reader.RdkafkaTool(), reader.ProducerPerfTool(),
		reader.K6Tool(), reader.OhaTool(), reader.VegetaTool(), reader.YCSBTool(), reader.RedisBenchmarkTool(),
		reader.JMHTool(), reader.CriterionTool(), reader.Iperf3Tool(), reader.AbTool(), reader.AutocannonTool(),
		reader.HeyTool(), reader.H2loadTool(), reader.LocustTool(), reader.JMeterTool(), reader.MemtierTool(),
		reader.GoogleBenchmarkTool(),
		reader.PhoronixTool()}
}

func toolOf(format string) (reader.Tool, bool) {
	all := tools()
	at := slices.IndexFunc(all, func(t reader.Tool) bool { return t.Name == format })
	if at < 0 {
		return reader.Tool{}, false
	}
	return all[at], true
}

// Whole returns the formats that Parse parses as a whole, with several values per output.
func Whole() []string {
	var out []string
	for _, t := range tools() {
		out = append(out, t.Name)
	}
	return out
}

// formatOf returns the format of a tool's output.
func formatOf(t reader.Tool) Format { return formatWithin(t, reader.Limits()) }

// formatWithin returns the format of a tool's outputs within bounds.
func formatWithin(t reader.Tool, b reader.Bounds) Format {
	return Format{Name: t.Name, Doc: t.Doc, Marks: t.Marks, Read: trialsOf(t, b)}
}

// trialsOf returns a function that emits a trial for each run.
func trialsOf(t reader.Tool, b reader.Bounds) func(io.Reader, Options, func(Result) error) error {
	return func(r io.Reader, o Options, emit func(Result) error) error {
		if cmp.Or(o.Machine, o.Folder) == "" && !t.Places {
			return o.unnamed(t.Name + " output does not name the machine")
		}
		text, err := io.ReadAll(io.LimitReader(r, int64(b.Bytes)+1))
		if err != nil {
			return err
		}
		if len(text) > b.Bytes {
			return fmt.Errorf("it is longer than %d MiB", b.Bytes>>20)
		}
		runs, missed, err := t.ReadAll(text, b)
		o.unread = missed.Told(t.Name)
		if err != nil {
			return withUnread(err, o.unread)
		}
		if err := o.oneMachine(runs); err != nil {
			return err
		}
		for i, run := range runs {
			if err := emitRun(t, run, o, emit); err != nil {
				return fmt.Errorf("run %d: %w", i+1, err)
			}
		}
		return nil
	}
}

// oneMachine returns an error if a machine is given for runs of several.
func (o Options) oneMachine(runs []reader.Run) error {
	machine := ""
	for _, run := range runs {
		of, ok := run.(reader.Placed)
		if !ok || o.Machine == "" {
			return nil
		}
		if machine != "" && of.Machine() != machine {
			return fmt.Errorf("--machine is %s, and the file has %s and %s\nhint: leave it out", reader.Brief(o.Machine),
				reader.Brief(machine), reader.Brief(of.Machine()))
		}
		machine = of.Machine()
	}
	return nil
}

// machineOf returns the machine of a run: the one given, else the one that the output names, else that of the folder.
func (o Options) machineOf(t reader.Tool, run reader.Run) (string, error) {
	named := ""
	if of, ok := run.(reader.Placed); ok {
		named = of.Machine()
	}
	machine := cmp.Or(o.Machine, named, o.Folder)
	if machine == "" {
		return "", o.unnamed(t.Name + " output does not name the machine")
	}
	return machine, nil
}

// emitRun emits the trial of one run.
func emitRun(t reader.Tool, run reader.Run, o Options, emit func(Result) error) error {
	var err error
	if o.Machine, err = o.machineOf(t, run); err != nil {
		return err
	}
	if of, ok := run.(reader.Intending); ok {
		run = of.Intending(o.IntendedErrors, o.isTPCC())
	}
	values, err := run.Values()
	if err != nil {
		return withUnread(err, o.unread)
	}
	n := run.Outcomes()
	account, err := accountOf(run)
	if err != nil && !fails(account, n) {
		return err
	}
	load, err := run.Load()
	if err == nil {
		err = o.contradicts(load)
	} else if errors.Is(err, reader.ErrNoLoad) {
		if given, ok := o.given(); ok {
			load, err = given, nil
		} else if t.Assumed.Kind != "" {
			load, err = t.Assumed, nil
		}
	}
	if err != nil {
		return err
	}
	params := run.Params()
	workload, err := workloadOf(t, run, o, params)
	if err != nil {
		return err
	}
	maps.Copy(params, o.Params)
	out := Result{Trial: record.Trial{Keys: newKeys(t.Name, o.Machine, workload, params, load),
		Load: load, Slot: record.Slot{Replicate: o.Replicate}, Values: values}}
	if n.Done+n.Errors > 0 {
		out.Generator = &n
	}
	if of, ok := run.(reader.Summarized); ok {
		out.Moments = of.Moments()
	}
	if err := out.addTimeline(run); err != nil {
		return err
	}
	out.Void = failure(account, out.Trial)
	out.Doubts, out.Unread = append(out.Doubts, doubts(account, load)...), o.unread
	return emit(out)
}

// withUnread adds to an error about missing figures what was not read: they may be there.
func withUnread(err error, unread []string) error {
	if len(unread) == 0 {
		return err
	}
	cause, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s\nhint: keep the output as the tool prints it, with LC_ALL=C if it has decimal commas", cause,
		unread[0])
}

// workloadOf returns the name of what ran: the tool's, with the benchmark's if it has several. If the user gave a name,
// the benchmark is a parameter: two of them are no repetitions.
func workloadOf(t reader.Tool, run reader.Run, o Options, params record.Params) (string, error) {
	of, ok := run.(reader.Several)
	if !ok {
		return cmp.Or(o.Workload, t.Name), nil
	}
	name, err := of.Benchmark(cmp.Or(o.Name, filepath.Base(o.File)))
	switch {
	case o.Workload != "" && name != "":
		params["test"] = name
		return o.Workload, nil
	case o.Workload != "":
		return o.Workload, nil
	case err != nil || name == "":
		return t.Name, err
	}
	return t.Name + "-" + name, nil
}

// oneRun returns the values of an output that must hold one run, what it says against itself, and what of it was not
// read.
func oneRun(t reader.Tool, out []byte) (values []record.Value, told []string, err error) {
	runs, missed, err := t.ReadAll(out, reader.Limits())
	if err != nil {
		return nil, nil, withUnread(err, missed.Told(t.Name))
	}
	if len(runs) > 1 {
		return nil, nil, fmt.Errorf("the output has %d runs of %s\nhint: a run must have one", len(runs), t.Name)
	}
	account, err := accountOf(runs[0])
	if err != nil {
		return nil, nil, err
	}
	if values, err = runs[0].Values(); err != nil {
		return nil, nil, err
	}
	n := runs[0].Outcomes()
	if why := failure(account, record.Trial{Values: values, Generator: &n}); why != "" {
		return nil, nil, errors.New(why)
	}
	load, _ := runs[0].Load() // of none that is known nothing is said
	return values, append(slices.Clone(doubts(account, load)), missed.Told(t.Name)...), nil
}

func (r *Result) addTimeline(run reader.Run) error {
	of, ok := run.(reader.Timed)
	if !ok {
		return nil
	}
	t := of.Timeline()
	r.DurationS = t.DurationS
	if t.Doubt != "" {
		r.Doubts = append(r.Doubts, t.Doubt)
	}
	for _, s := range t.Series {
		data, err := session.EncodeWindows(s.Counts)
		if err != nil {
			return err
		}
		r.Series = append(r.Series, record.Series{Name: s.Name, Unit: s.Unit, StepNs: t.StepNs, Enc: record.EncWindows,
			Data: data})
	}
	return nil
}

// asCSV is what can be done about the output of a tool that is not read.
const asCSV = "write its figures as CSV, a value for each row: docs/import.md; plimsoll import --help lists what is " +
	"read"

// otherBytes is how much of a file is searched for the marks of tools that are not read.
const otherBytes = 64 << 10

// OtherTool returns what a file is that is not read, such as "the output of siege", and what can be done about it; ""
// if it is none that is known.
func OtherTool(head []byte) (what, hint string) {
	head = input.Unmarked(head)
	head = head[:min(len(head), otherBytes)]
	for _, t := range []struct{ name, looks, hint string }{
		{"a job file of fio", `(?m)^\[(?:global|[^\]\n]+)\]\s*$(?s:.*)^(?:ioengine|rw|readwrite|iodepth) *= *\S`,
			"run it with fio --output-format=json+ and import what that prints"},
		{"bombardier", `(?m)^Bombarding \S+|^Statistics +Avg +Stdev +Max`, ""},
		{"a history, failures or exceptions of Locust",
			`(?m)^Timestamp,User Count,Type,Name,|^"?Method"?,"?Name"?,"?Error"?,|` +
				`^"?Count"?,"?Message"?,"?Traceback"?`, "import the file whose name ends in _stats.csv, which stands beside it"},
		{"a test plan of JMeter", `(?m)^<jmeterTestPlan `, "run it with jmeter -n -l results.jtl and import that"},
		{"kafka-consumer-perf-test", `(?m)^start\.time, end\.time, data\.consumed\.in\.MB`, ""},
		{"siege", `(?m)^Lifting the server siege|^Longest transaction:`, ""},
		{"the text of autocannon", `(?m)^Running [0-9]+s test @ \S+\n[0-9]+ connections\b(?s:.*)│ Stat`,
			"run it with autocannon --json and import that"},
		{"Gatling", `(?m)^---- Global Information -----`, ""},
		{"Artillery", `(?m)^http\.response_time:\s*$|"aggregate"\s*:\s*\{(?s:.*)"counters"`, ""},
		{"the output of iperf 2", `(?m)^(?:Client connecting to .*|Server listening on) (?:TCP|UDP) port [0-9]`,
			"measure with iperf3, which is read"},
		{"netperf", `(?m)^MIGRATED (?:TCP|UDP) `, ""},
		{"stress-ng", `(?m)^stress-ng: (?:info|metrc):`, ""},
		{"pytest-benchmark", `"machine_info"\s*:(?s:.*)"benchmarks"\s*:`, ""},
		{"BenchmarkDotNet", `(?m)^BenchmarkDotNet[ =]|"HostEnvironmentInfo"`, ""},
		{"HammerDB", `(?m)System achieved [0-9]+ NOPM`, ""},
		{"mysqlslap", `(?m)^\s*Average number of seconds to run all queries:`, ""},
		{"dd", `(?m)^[0-9]+ bytes .*copied, [0-9.e-]+ s, `, ""},
		{"UnixBench", `(?m)^System Benchmarks Index Score`, ""},
		{"STREAM", `(?m)^Function +Best Rate MB/s`, ""},
		{"CoreMark", `(?m)^CoreMark 1\.0 : `, ""},
		{"openssl speed", `(?m)^The 'numbers' are in 1000s of bytes per second processed`, ""},
	} {
		if regexp.MustCompile(t.looks).Match(head) {
			if t.hint != "" {
				return t.name, t.hint
			}
			return "the output of " + t.name, asCSV
		}
	}
	return "", ""
}
