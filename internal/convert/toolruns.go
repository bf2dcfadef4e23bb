package convert

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// tool is a tool whose output is parsed as a whole: it has one or more runs.
type tool struct {
	name, doc string
	read      func([]byte) ([]toolRun, error)
	assumed   record.LoadPoint // for runs that do not state their load; without a kind the user must set it
}

// tools returns the tools. To add one, write a file with its read, and add it here.
func tools() []tool {
	return []tool{fioTool(), pgbenchTool(), sysbenchTool(), wrkTool(), rdkafkaTool(), producerPerfTool()}
}

func toolOf(format string) (tool, bool) {
	at := slices.IndexFunc(tools(), func(t tool) bool { return t.name == format })
	if at < 0 {
		return tool{}, false
	}
	return tools()[at], true
}

// Whole returns the formats that Parse parses as a whole, with several values per output.
func Whole() []string {
	var out []string
	for _, t := range tools() {
		out = append(out, t.name)
	}
	return out
}

// toolRun is one run of a tool.
type toolRun interface {
	values() ([]record.Value, error)
	params() record.Params           // parameters that distinguish runs
	load() (record.LoadPoint, error) // errNoLoad if the output does not state it
	outcomes() record.LoadUse        // operations done and failed; zero if the tool does not count them
}

// runsOf adapts a parser of one kind of run to a tool.
func runsOf[R toolRun](read func([]byte) ([]R, error)) func([]byte) ([]toolRun, error) {
	return func(text []byte) ([]toolRun, error) {
		runs, err := read(text)
		var out []toolRun
		for _, r := range runs {
			out = append(out, r)
		}
		return out, err
	}
}

func (t tool) format() Format {
	return Format{Name: t.name, Doc: t.doc + "; requires --machine", Read: t.trials}
}

// maxOutput is enough for days of one line a second.
const maxOutput = 64 << 20

// trials emits a trial for each run.
func (t tool) trials(r io.Reader, o Options, emit func(Result) error) error {
	if o.Machine == "" {
		return fmt.Errorf("%s output does not name the machine\nhint: set it with --machine NAME", t.name)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxOutput+1))
	if err != nil {
		return err
	}
	if len(text) > maxOutput {
		return fmt.Errorf("it is longer than %d MiB", maxOutput>>20)
	}
	runs, err := t.read(text)
	if err != nil {
		return err
	}
	for i, run := range runs {
		if err := t.emit(run, o, emit); err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
	}
	return nil
}

func (t tool) emit(run toolRun, o Options, emit func(Result) error) error {
	values, err := run.values()
	if err != nil {
		return err
	}
	load, err := run.load()
	if errors.Is(err, errNoLoad) && (o.Load.Kind != "" || t.assumed.Kind != "") {
		load, err = t.assumed, nil
	} else if err == nil {
		err = o.contradicts(load)
	}
	if err != nil {
		return err
	}
	if o.Load.Kind != "" {
		load = o.Load
	}
	params := run.params()
	maps.Copy(params, o.Params)
	out := Result{Trial: record.Trial{Keys: newKeys(t.name, o.Machine, cmp.Or(o.Workload, t.name), params, load), Load: load, Replicate: o.Replicate, Values: values}}
	if n := run.outcomes(); n.Done+n.Errors > 0 {
		out.Generator = &n
	}
	if err := out.addTimeline(run); err != nil {
		return err
	}
	return emit(out)
}

func (t tool) one(out []byte) ([]record.Value, error) {
	runs, err := t.read(out)
	if err != nil {
		return nil, err
	}
	if len(runs) > 1 {
		return nil, fmt.Errorf("the output has %d runs of %s\nhint: a run must have one", len(runs), t.name)
	}
	return runs[0].values()
}

// splitRuns parses the runs of an output line by line: each starts at a line recognised by begins, and lines before the
// first are ignored.
func splitRuns[R any](out []byte, begins func(line string) (R, bool), take func(run *R, line string)) []R {
	var runs []R
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, " \r\n")
		if run, ok := begins(line); ok {
			runs = append(runs, run)
		} else if len(runs) > 0 {
			take(&runs[len(runs)-1], line)
		}
	}
	return runs
}

// carried returns a rate and its latencies, the primary metric first: the latencies if the rate was requested. better
// is the direction of anything proportional to the rate.
func carried(rate float64, asked bool, latencies []record.Value) (out positive, better record.Better) {
	if asked {
		out.addAll(latencies)
		out.add(record.Throughput, "op/s", record.Neutral, rate)
		return out, record.Neutral
	}
	out.add(record.Throughput, "op/s", record.Higher, rate)
	out.addAll(latencies)
	return out, record.Higher
}

// outcomes returns a tool's counts: operations done, and failures by class.
func outcomes(done float64, failed map[string]float64) record.LoadUse {
	out := record.LoadUse{Done: operations(done)}
	for class, n := range failed {
		if operations(n) == 0 {
			continue
		}
		if out.ErrorsBy == nil {
			out.ErrorsBy = map[string]int64{}
		}
		out.ErrorsBy[class] = operations(n)
		out.Errors += operations(n)
	}
	return out
}

// operations converts a tool's number of operations; 0 if it is invalid.
func operations(n float64) int64 {
	if n > 0 && n < mostOperations {
		return int64(n)
	}
	return 0
}

// mostOperations exceeds any real count, and is small enough for sums.
const mostOperations = 1e17

// failedShare returns the share of attempts that failed, %.
func failedShare(n record.LoadUse) float64 {
	if n.Errors == 0 {
		return 0
	}
	return 100 * float64(n.Errors) / float64(n.Done+n.Errors)
}

// clientsLoad returns the load of so many clients, as printed by a tool.
func clientsLoad(printed string) (record.LoadPoint, error) {
	n, err := number(printed)
	if err != nil || n < 1 || n > mostClients {
		return record.LoadPoint{}, errNoLoad
	}
	return counted(n, record.ParamClients, false)
}

// mostClients exceeds the clients of any tool.
const mostClients = 1e9

// timeline is a run's activity over time.
type timeline struct {
	durationS float64 // 0: unknown
	stepNs    int64   // of the series
	series    []stepSeries
	doubt     string // why an expected series is missing
}

// stepSeries has one value per step.
type stepSeries struct {
	name, unit string
	counts     []int64
}

// timed is a run with a timeline: its seconds are parts of one trial, not replicates.
type timed interface{ timeline() timeline }

func (r *Result) addTimeline(run toolRun) error {
	of, ok := run.(timed)
	if !ok {
		return nil
	}
	t := of.timeline()
	r.DurationS = t.durationS
	if t.doubt != "" {
		r.Doubts = append(r.Doubts, t.doubt)
	}
	for _, s := range t.series {
		data, err := session.EncodeWindows(s.counts)
		if err != nil {
			return err
		}
		r.Series = append(r.Series, record.Series{Name: s.name, Unit: s.unit, StepNs: t.stepNs, Enc: record.EncWindows, Data: data})
	}
	return nil
}
