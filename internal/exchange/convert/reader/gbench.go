package reader

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// GoogleBenchmark is the format of Google Benchmark: its table, JSON and CSV.
const GoogleBenchmark = "google-benchmark"

// GoogleBenchmarkTool returns Google Benchmark.
func GoogleBenchmarkTool() Tool {
	return Tool{Name: GoogleBenchmark, Doc: "output of Google Benchmark: its table, --benchmark_format=json or csv",
		Read: runsOf(readGoogleBenchmark), Marks: either(
			lineLike("a header `Benchmark  Time  CPU  Iterations`", `^Benchmark +Time +CPU +Iterations`),
			jsonLike("JSON with `context` and `benchmarks`, whose entries have `real_time`", `\{`, "context", "benchmarks",
				"real_time"),
			lineLike("CSV with `name,iterations,real_time,cpu_time`", `^name,iterations,real_time,cpu_time,`))}
}

// gbenchRun is one repetition of a benchmark, or a summary of several. Times are per iteration, in s.
type gbenchRun struct {
	bare
	name             string
	real, cpu        float64
	items, bytes     float64 // per second
	counters         map[string]float64
	aggregate        string // "mean" and the like; "": a repetition
	n, sd            float64
	left             []string // counters that are not kept
	failed, doubtful string
	skipped          bool // failed has the reason for which the benchmark skipped itself
}

// gbenchJSON is the part of an entry that we use; its counters are keys of their own.
type gbenchJSON struct {
	Name      string  `json:"name"`
	RunName   string  `json:"run_name"`
	Aggregate string  `json:"aggregate_name"`
	Kind      string  `json:"run_type"`
	Real      float64 `json:"real_time"`
	CPU       float64 `json:"cpu_time"`
	Unit      string  `json:"time_unit"`
	Items     float64 `json:"items_per_second"`
	Bytes     float64 `json:"bytes_per_second"`
	Count     float64 `json:"iterations"`
	Failed    bool    `json:"error_occurred"`
	Why       string  `json:"error_message"`
	Skipped   bool    `json:"skipped"`
	WhySkip   string  `json:"skip_message"`
}

func readGoogleBenchmark(out []byte, b Bounds) (runs []gbenchRun, err error) {
	switch head := bytes.TrimSpace(out); {
	case bytes.HasPrefix(head, []byte("{")):
		runs, err = readGbenchJSON(out, b)
	case regexp.MustCompile(`(?m)^name,iterations,real_time,`).Match(head[:min(len(head), 1<<16)]):
		runs, err = readGbenchCSV(out, b)
	default:
		runs, err = readGbenchTable(out, b)
	}
	if err != nil {
		return nil, err
	}
	gbenchSums(runs)
	return gbenchKept(runs, b)
}

// gbenchSums finds the summaries of repetitions, which a table marks only by their names. X_mean is a summary if
// X_stddev follows it with as many repetitions, and so are the other names that begin with X_ between and behind them.
// Another benchmark may be named X_mean too.
func gbenchSums(runs []gbenchRun) {
	searched := map[string]int{} // where the names of a base end among which there is no deviation
	for i := range runs {
		base, is := strings.CutSuffix(runs[i].name, "_mean")
		if !is || runs[i].aggregate != "" || i < searched[base] {
			continue
		}
		end, deviates := i, false
		for end < len(runs) && strings.HasPrefix(runs[end].name, base+"_") && runs[end].n == runs[i].n {
			deviates = deviates || runs[end].name == base+"_stddev"
			end++
		}
		if !deviates {
			searched[base] = end
		}
		for at := i; deviates && at < end; at++ {
			runs[at].aggregate, runs[at].name = strings.TrimPrefix(runs[at].name, base+"_"), base
		}
	}
}

// gbenchKept returns the repetitions or, for a benchmark without any, its mean with the deviation.
func gbenchKept(runs []gbenchRun, b Bounds) ([]gbenchRun, error) {
	repeated, deviation := map[string]bool{}, map[string]float64{}
	for _, r := range runs {
		switch {
		case r.skipped:
			b.leave(fmt.Sprintf("%s was skipped and is left out: %s", Brief(r.name), Brief(strings.TrimSpace(r.failed))))
		case r.failed != "":
			b.leave(fmt.Sprintf("%s failed and is left out: %s", Brief(r.name), Brief(strings.TrimSpace(r.failed))))
		case r.aggregate == "":
			repeated[r.name] = true
			if len(r.left) > 0 {
				b.leave(fmt.Sprintf("left out counters of %s, such as %s (%d in all): a run can have %d, without the names of "+
					"other figures", Brief(r.name), Brief(r.left[0]), len(r.left), mostCounters))
			}
		case r.aggregate == "stddev":
			deviation[r.name] = r.real
		}
	}
	var out []gbenchRun
	for _, r := range runs {
		if r.failed != "" || r.aggregate != "" && (r.aggregate != "mean" || repeated[r.name]) {
			continue
		}
		r.sd = deviation[r.name]
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, errors.New("no result of Google Benchmark: the output lacks them, or all benchmarks failed\n" +
			"hint: use its table, or --benchmark_format=json")
	}
	return nonzero(b, out, func(r gbenchRun) float64 { return r.real },
		func(r gbenchRun) string { return tooShort(r.name) }), nil
}

func readGbenchJSON(out []byte, b Bounds) ([]gbenchRun, error) {
	type document struct {
		Context struct {
			Build string `json:"library_build_type"`
		} `json:"context"`
		Benchmarks []json.RawMessage `json:"benchmarks"`
	}
	var bad error
	runs, err := documents(b, out, b.Items, func(d document) []gbenchRun {
		var of []gbenchRun
		for _, text := range d.Benchmarks {
			r, err := gbenchEntry(text)
			if err != nil && bad == nil {
				bad = err
			}
			if d.Context.Build == "debug" {
				r.doubtful = gbenchDebug
			}
			of = append(of, r)
		}
		return of
	})
	if err == nil {
		err = bad
	}
	return runs, err
}

// gbenchDebug is a doubt about the times of a run.
const gbenchDebug = "Google Benchmark's library was built as debug: timings may be affected"

func gbenchEntry(text []byte) (gbenchRun, error) {
	var e gbenchJSON
	all := map[string]any{}
	if err := json.Unmarshal(text, &e); err != nil {
		return gbenchRun{}, notJSON(err, text)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return gbenchRun{}, notJSON(err, text)
	}
	r := gbenchRun{name: e.Name, items: e.Items, bytes: e.Bytes, n: e.Count}
	if e.RunName != "" {
		r.name = e.RunName
	}
	if e.Kind == "aggregate" {
		r.aggregate = e.Aggregate
	} else if _, counted := all["iterations"]; !counted {
		r.aggregate = gbenchFit
	}
	if e.Failed || e.Skipped {
		r.failed, r.skipped = e.Why+e.WhySkip+" ", e.Skipped
		return r, nil
	}
	if err := r.times(e.Real, e.CPU, e.Unit); err != nil {
		return r, err
	}
	for _, name := range sortedNames(all) {
		v, ok := all[name].(float64)
		if ok && !slices.Contains(gbenchKeys(), name) {
			r.count(name, v)
		}
	}
	return r, nil
}

// gbenchKeys are the numbers of an entry that aren't counters.
func gbenchKeys() []string {
	return []string{"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads",
		"iterations", "real_time", "cpu_time", "items_per_second", "bytes_per_second"}
}

// gbenchFit is a fit of the complexity (BigO, RMS), which has no iterations.
const gbenchFit = "fit"

// mostCounters bounds the counters of a run.
const mostCounters = 12

// count adds a counter of the user's, whose better direction is unknown. It may be 0 or negative.
func (r *gbenchRun) count(name string, v float64) {
	if r.counters == nil {
		r.counters = map[string]float64{}
	}
	if len(r.counters) == mostCounters ||
		slices.Contains([]string{record.Elapsed, record.Throughput, "moved", record.CPUTime}, name) {
		r.left = append(r.left, name)
		return
	}
	r.counters[name] = v
}

// times sets the times of an iteration.
func (r *gbenchRun) times(real, cpu float64, unit string) error {
	factor := inSeconds("1", unit)
	if factor == 0 {
		return fmt.Errorf("%s of Google Benchmark has an unknown unit of time, %s\nhint: the units are ns, us, ms and s",
			Brief(r.name), Brief(unit))
	}
	r.real, r.cpu = real*factor, cpu*factor
	return nil
}

func readGbenchCSV(out []byte, b Bounds) ([]gbenchRun, error) {
	if err := sparse(out, 8*b.Items); err != nil {
		return nil, err
	}
	if err := few(out, "\n", b.Lines, "lines"); err != nil {
		return nil, err
	}
	at := bytes.Index(out, []byte("name,iterations,"))
	rows := csv.NewReader(bytes.NewReader(out[max(0, at):]))
	rows.FieldsPerRecord = -1
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("not a CSV of Google Benchmark: %w", err)
	}
	var runs []gbenchRun
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return runs, b.enough(len(runs))
		}
		if err != nil {
			return nil, fmt.Errorf("CSV of Google Benchmark: %w", err)
		}
		if len(row) != len(header) {
			return nil, fmt.Errorf("the row %s has %d cells, and the header has %d", Brief(strings.Join(row, ",")), len(row),
				len(header))
		}
		r, err := gbenchRow(header, row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
}

func gbenchRow(header, row []string) (gbenchRun, error) {
	cell := map[string]string{}
	for i, name := range header {
		cell[name] = row[i]
	}
	r := gbenchRun{name: cell["name"], items: stated(cell["items_per_second"]), bytes: stated(cell["bytes_per_second"]),
		n: stated(cell["iterations"])}
	if cell["error_occurred"] == "true" {
		r.failed = cell["error_message"] + " "
		return r, nil
	}
	for i, name := range header {
		if i <= slices.Index(header, "error_message") || row[i] == "" {
			continue
		}
		if v, err := Number(row[i]); err == nil {
			r.count(strings.Trim(name, `"`), v)
		}
	}
	if cell["iterations"] == "" {
		r.aggregate = gbenchFit
	}
	if r.aggregate != "" || cell["time_unit"] == "" { // the coefficient of variation has no unit
		return r, nil
	}
	return r, r.times(stated(cell["real_time"]), stated(cell["cpu_time"]), cell["time_unit"])
}

func readGbenchTable(out []byte, b Bounds) ([]gbenchRun, error) {
	row := regexp.MustCompile(`^(\S+) +([0-9.e+-]+) (ns|us|ms|s|%) +([0-9.e+-]+) (ns|us|ms|s|%) +([0-9]+)( .*)?$`)
	failed := regexp.MustCompile(`^(\S+) +(ERROR OCCURRED|SKIPPED): '(.*)'$`)
	counter := regexp.MustCompile(`(\S+?)=([0-9.e+-]+)([` + gbenchPrefixes + `]?)(i?)(/s)?(?: |$)`)
	old := regexp.MustCompile(` ([0-9.]+)([kMGT]?)(B| items)/s(?: |$)`) // until 1.4
	var runs []gbenchRun
	doubtful := ""
	err := b.scan(out, `^\S+ +[0-9.e+-]+ (?:ns|us|ms|s) +[0-9.e+-]+ (?:ns|us|ms|s) `, func(line string) bool {
		if strings.Contains(line, "Library was built as DEBUG") {
			doubtful = gbenchDebug
		}
		if m := failed.FindStringSubmatch(line); m != nil {
			runs = append(runs, gbenchRun{name: m[1], failed: m[3] + " ", skipped: m[2] == "SKIPPED"})
			return true
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		r := gbenchRun{name: m[1], doubtful: doubtful, n: stated(m[6])}
		if m[3] != "%" {
			if r.times(stated(m[2]), stated(m[4]), m[3]) != nil {
				return false
			}
			r.cpu = inSeconds(m[4], m[5])
		}
		for _, c := range counter.FindAllStringSubmatch(m[7], -1) {
			r.printed(c[1], stated(c[2]), c[3], c[4] == "i")
		}
		for _, c := range old.FindAllStringSubmatch(m[7], -1) {
			r.printed(map[string]string{"B": "bytes_per_second", " items": "items_per_second"}[c[3]], stated(c[1]), c[2], false)
		}
		runs = append(runs, r)
		return true
	})
	return runs, err
}

// gbenchPrefixes are the prefixes of counters, eight of large and eight of small ones.
const gbenchPrefixes = "kMGTPEZYmunpfazy"

// printed takes a counter of the table. Bytes have prefixes of 1024, which versions before 1.8 print without an i.
func (r *gbenchRun) printed(name string, v float64, prefix string, binary bool) {
	base := 1000.
	if binary || name == "bytes_per_second" {
		base = 1024
	}
	if power := strings.Index(gbenchPrefixes, prefix) + 1; prefix != "" && power > len(gbenchPrefixes)/2 {
		v /= math.Pow(base, float64(power-len(gbenchPrefixes)/2))
	} else if prefix != "" {
		v *= math.Pow(base, float64(power))
	}
	switch name {
	case "items_per_second":
		r.items = v
	case "bytes_per_second":
		r.bytes = v
	default:
		r.count(name, v)
	}
}

// Values returns items and bytes a second, if the benchmark states them, and the times of an iteration.
func (r gbenchRun) Values() ([]record.Value, error) {
	if !(r.real > 0) || r.real > largest {
		return nil, fmt.Errorf("time of %s is %g s", Brief(r.name), r.real)
	}
	out := Values{}
	out.add(record.Throughput, "op/s", record.Higher, r.items)
	out.add("moved", "B/s", record.Higher, r.bytes)
	out.add("time", "s", record.Lower, r.real)
	out.add(record.CPUTime, "s", record.Lower, r.cpu)
	for _, name := range sortedKeys(r.counters) {
		out = append(out, record.Value{Metric: record.Metric{Name: name, Better: record.Neutral}, Value: r.counters[name]})
	}
	return out, nil
}

// mostRepetitions exceeds the repetitions of any benchmark: versions before 1.5 print the iterations of a run instead.
const mostRepetitions = 1000

// Moments returns the deviation of the repetitions if the run is their mean.
func (r gbenchRun) Moments() map[string]record.Moments {
	if r.aggregate != "mean" || !(r.n >= 2) || !(r.sd > 0) || r.n > mostRepetitions {
		return nil
	}
	return map[string]record.Moments{"time": {N: int(r.n), SD: r.sd}}
}

// Account returns the doubt about a build.
func (r gbenchRun) Account() Account {
	if r.doubtful == "" {
		return Account{}
	}
	return Account{Doubts: []string{r.doubtful}}
}

// Params returns the name of the benchmark without its threads and repetitions.
func (r gbenchRun) Params() record.Params {
	var parts []string
	for part := range strings.SplitSeq(r.name, "/") {
		if !strings.HasPrefix(part, "threads:") && !strings.HasPrefix(part, "repeats:") {
			parts = append(parts, part)
		}
	}
	return record.Params{"benchmark": strings.Join(parts, "/")}
}

// Load returns the threads in the name, and 1 for a name without them.
func (r gbenchRun) Load() (record.LoadPoint, error) {
	threads := "1"
	if _, behind, ok := strings.Cut(r.name, "/threads:"); ok {
		threads, _, _ = strings.Cut(behind, "/")
	}
	n, err := Number(threads)
	if err != nil || n < 1 || n > mostClients {
		return record.LoadPoint{}, ErrNoLoad
	}
	return Counted(n, record.ParamCPUs, false)
}
