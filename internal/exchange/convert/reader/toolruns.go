package reader

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Tool is a tool whose output is parsed as a whole: it has one or more runs.
type Tool struct {
	Name, Doc string
	Read      func([]byte, Bounds) ([]Run, error)
	Assumed   record.LoadPoint // for runs that do not state their load; without a kind the user must set it
	Marks     Marks
	Places    bool // its output names the machines: its runs are Placed
	// Pattern of a line with an error that ends a run, or leaves clients out of it; "": not known.
	Fails string
}

// Marks tell a tool's output from other files.
type Marks struct {
	Looks string                 // in messages: the line or key that gives it away
	Match func(head []byte) bool // of the beginning of a file

	// Files of its folder that belong to one of its results and are read behind it.
	Beside []string
	// Home returns the folder of a result relative to the folder in which the tool keeps its results; nil: the same.
	Home func(result []byte) string
}

// lineLike returns marks by a pattern of a line.
func lineLike(looks, pattern string) Marks {
	match := AnyLine(pattern)
	return Marks{Looks: looks, Match: func(head []byte) bool { return match(colourless(head)) }}
}

// jsonLike returns marks of a document that begins as a pattern and has each of the keys.
func jsonLike(looks, begin string, keys ...string) Marks {
	return Marks{Looks: looks, Match: func(head []byte) bool {
		has := func(key string) bool { return bytes.Contains(head, []byte(`"`+key+`"`)) }
		return !slices.ContainsFunc(keys, func(k string) bool { return !has(k) }) &&
			regexp.MustCompile(`^(?:\x{feff})?\s*`+begin).Match(head)
	}}
}

// either returns marks of a tool with several formats.
func either(all ...Marks) Marks {
	var looks []string
	for _, m := range all {
		looks = append(looks, m.Looks)
	}
	return Marks{Looks: strings.Join(looks, " or "), Match: func(head []byte) bool {
		return slices.ContainsFunc(all, func(m Marks) bool { return m.Match(head) })
	}}
}

// without returns marks that files with a line of another tool do not have, which prints lines like this one's.
func (m Marks) without(line string) Marks {
	match, other := m.Match, AnyLine(line)
	m.Match = func(head []byte) bool { return match(head) && !other(colourless(head)) }
	return m
}

// Run is one run of a tool.
type Run interface {
	Values() ([]record.Value, error)
	Params() record.Params           // parameters that distinguish runs
	Load() (record.LoadPoint, error) // ErrNoLoad if the output does not state it
	Outcomes() record.LoadUse        // operations done and failed; zero if the tool does not count them
}

// bare gives a run the methods for which its tool has no figures.
type bare struct{}

// Params returns none.
func (bare) Params() record.Params { return record.Params{} }

// Load returns ErrNoLoad: the load is the benchmark's own, or not stated.
func (bare) Load() (record.LoadPoint, error) { return record.LoadPoint{}, ErrNoLoad }

// Outcomes returns none: a benchmark that fails has no result, or the tool counts no operations.
func (bare) Outcomes() record.LoadUse { return record.LoadUse{} }

// Several is a run of a tool that has several benchmarks, of which none is a repetition of another.
type Several interface {
	// Benchmark returns its name; "" if it is the one that the tool's name stands for. Names are those of its file and
	// folders, for outputs that do not tell. The error says so.
	Benchmark(names string) (string, error)
}

// Placed is a run of a tool whose output names the machines.
type Placed interface{ Machine() string }

// runsOf adapts a parser of one kind of run to a tool.
func runsOf[R Run](read func([]byte, Bounds) ([]R, error)) func([]byte, Bounds) ([]Run, error) {
	return func(text []byte, b Bounds) ([]Run, error) {
		runs, err := read(text, b)
		var out []Run
		for _, r := range runs {
			out = append(out, r)
		}
		return out, err
	}
}

// carried returns a rate and its latencies, the primary metric first: the latencies if the rate was requested. better
// is the direction of anything proportional to the rate.
func carried(rate float64, asked bool, latencies []record.Value) (out Values, better record.Better) {
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
	n, err := Number(printed)
	if err != nil || n < 1 || n > mostClients {
		return record.LoadPoint{}, ErrNoLoad
	}
	return Counted(n, record.ParamClients, false)
}

// mostClients exceeds the clients of any tool.
const mostClients = 1e9

// timeline is a run's activity over time.
type timeline struct {
	DurationS float64 // 0: unknown
	StepNs    int64   // of the series
	Series    []stepSeries
	Doubt     string // why an expected series is missing
}

// stepSeries has one value per step.
type stepSeries struct {
	Name, Unit string
	Counts     []int64
}

// Timed is a run with a timeline: its seconds are parts of one trial, not replicates.
type Timed interface{ Timeline() timeline }

// stated parses a number printed by a tool; 0 if it is none.
func stated(text string) float64 {
	f, err := Number(text)
	if err != nil {
		return 0
	}
	return f
}

// metricIngest is its name in the workload kafka too.
const metricIngest = "ingest"

// Latencies in addition to those of record.
const (
	latencyP95  = record.Latency + "_p95"
	latencyP999 = record.Latency + "_p999"
	LatencyMin  = record.Latency + "_min"
	LatencyMax  = record.Latency + "_max"
)

// Values is a list of measured values.
type Values []record.Value

// add adds a time, a rate or a size, of which a 0 was not stated, or is too small for the printed digits. Failures that
// a run does not state are 0 in comparisons.
func (p *Values) add(name, unit string, better record.Better, v float64) {
	if v > 0 && v <= largest {
		*p = append(*p, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: better}, Value: v})
	}
}

// count adds a count or a share of failures. A stated 0 is a figure too: its run would otherwise be missing from the
// mean.
func (p *Values) count(name, unit string, v float64, stated bool) {
	if stated && v >= 0 && v <= largest {
		*p = append(*p, record.Value{Metric: record.Metric{Name: name, Unit: unit, Better: record.Lower}, Value: v})
	}
}

func (p *Values) addAll(values []record.Value) { *p = append(*p, values...) }

// largest bounds any plausible value.
const largest = 1e300

// noLoad is the error for an output without its load, in a tool's own words.
type noLoad string

func (e noLoad) Error() string { return string(e) }

// Is reports whether the target is ErrNoLoad.
func (e noLoad) Is(target error) bool { return target == ErrNoLoad }

// sortedKeys returns the names of figures in order.
func sortedKeys(of map[string]float64) []string { return sortedNames(of) }

// sortedNames returns the names of anything in order.
func sortedNames[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
