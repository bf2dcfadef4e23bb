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
)

// tool is one whose output is read as a whole: what it prints has one run, or several.
type tool struct {
	name, doc string
	read      func([]byte) ([]toolRun, error)
	assumed   record.LoadPoint // of runs that do not say their load; without a kind: somebody must say it
}

// tools are those. Adding one is a file with its read, and a line here.
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

// Whole lists the formats that Parse reads as a whole, which give several values of one output.
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
	params() record.Params           // what tells runs apart
	load() (record.LoadPoint, error) // errNoLoad where the output does not say it
	outcomes() record.LoadUse        // operations that were done and that failed; nothing where the tool does not count them
}

// runsOf is what reads runs of one kind as a tool's.
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
	return Format{Name: t.name, Doc: t.doc + "; it needs --machine", Read: t.trials}
}

// maxOutput is days of a line a second.
const maxOutput = 64 << 20

// trials makes a trial of each run.
func (t tool) trials(r io.Reader, o Options, emit func(Result) error) error {
	if o.Machine == "" {
		return fmt.Errorf("%s does not say which machine it loaded\nhint: --machine NAME says it", t.name)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxOutput+1))
	if err != nil {
		return err
	}
	if len(text) > maxOutput {
		return fmt.Errorf("it is over %d MiB long", maxOutput>>20)
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

// one gives the values of an output that must be that of one run.
func (t tool) one(out []byte) ([]record.Value, error) {
	runs, err := t.read(out)
	if err != nil {
		return nil, err
	}
	if len(runs) > 1 {
		return nil, fmt.Errorf("it is the output of %d runs of %s\nhint: a trial has one", len(runs), t.name)
	}
	return runs[0].values()
}

// splitRuns reads the runs of an output line by line: each begins with a line of its own, and what stands before the first is none's.
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

// carried are a rate and the latencies beside it, what is judged first: of a rate that was asked for, the latencies. better is that of whatever else goes
// with the rate.
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

// outcomes are what a tool counted: how much was done, and what failed by class.
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

// operations is a number of operations as a tool states it; 0 for what is none.
func operations(n float64) int64 {
	if n > 0 && n < mostOperations {
		return int64(n)
	}
	return 0
}

// mostOperations is more than any tool does, and small enough for sums of them.
const mostOperations = 1e17

// failedShare is how much of what was tried failed, %.
func failedShare(n record.LoadUse) float64 {
	if n.Errors == 0 {
		return 0
	}
	return 100 * float64(n.Errors) / float64(n.Done+n.Errors)
}

// clientsLoad is the load of so many clients, as a tool printed their number.
func clientsLoad(printed string) (record.LoadPoint, error) {
	n, err := number(printed)
	if err != nil || n < 1 || n > mostClients {
		return record.LoadPoint{}, errNoLoad
	}
	return counted(n, record.ParamClients, false)
}

// mostClients is more than any tool has.
const mostClients = 1e9
