package reader

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// JMH is the format of the Java Microbenchmark Harness: -rf json, -rf csv and its table.
const JMH = "jmh"

// JMHTool returns the tool.
func JMHTool() Tool {
	return Tool{Name: JMH, Doc: "output of JMH: -rf json (best: one replicate per fork), -rf csv, or its table",
		Read: readJMH, Marks: either(
			jsonLike("JSON with `jmhVersion`", `\[`, "jmhVersion", "primaryMetric"),
			lineLike("a header `Benchmark … Mode  Cnt  Score  Error  Units` or the same as CSV",
				`^(?:Benchmark +(?:\([^)\n]*\) +)*Mode +(?:Cnt +)?Score|"Benchmark","Mode","Threads","Samples","Score")`),
		)}
}

// jmhRun is one fork of a benchmark, or all of them together.
type jmhRun struct {
	bare
	name, mode, threads string
	params              map[string]string
	score               float64
	unit                string
	percentiles         latencies      // of operations, in the unit
	moments             record.Moments // of the score over iterations; zero if it is not known
	parts               []jmhPart      // of a group's threads, or counters of their own
	stated, iterated    float64        // score of all forks, and the mean of their iterations; 0: not stated
}

// jmhPart is the score of one method of a group, or of a counter, in the unit of the whole.
type jmhPart struct {
	name  string
	score float64
}

// readJMH reads the benchmarks of an output.
func readJMH(out []byte, b Bounds) (runs []Run, err error) {
	var got []jmhRun
	switch head := bytes.TrimSpace(bytes.TrimPrefix(out, []byte("\ufeff"))); {
	case bytes.HasPrefix(head, []byte("[")):
		var lacks jmhLacks
		got, err = documents(b, head, b.Times, func(r jmhResult) []jmhRun {
			lacks.add(r.lacks())
			return r.runs()
		})
		lacks.tell(b)
	case bytes.HasPrefix(head, []byte(`"Benchmark"`)):
		got, err = readJMHCSV(head, b)
	default:
		got, err = readJMHTable(out, b)
	}
	got = slices.DeleteFunc(got, func(r jmhRun) bool {
		if math.IsNaN(r.score) {
			b.leave(fmt.Sprintf("%s has a fork without a score (NaN), which is left out", Brief(r.name)))
		}
		return math.IsNaN(r.score)
	})
	got = nonzero(b, got, func(r jmhRun) float64 { return r.score }, func(r jmhRun) string {
		return fmt.Sprintf("%s is left out: its score is 0 %s, too small for the digits that are printed", Brief(r.name),
			Brief(r.unit))
	})
	got, err = some(got, err, out, "JMH results", "use the file of -rf json or -rf csv, or the table at the end of its "+
		"output")
	for _, r := range got {
		runs = append(runs, r)
	}
	return runs, err
}

// jmhResult is the part of a benchmark's JSON that we use.
type jmhResult struct {
	Benchmark string            `json:"benchmark"`
	Mode      string            `json:"mode"`
	Threads   json.Number       `json:"threads"`
	Forks     int               `json:"forks"`                 // as configured; 0: within the process of JMH
	Measured  int               `json:"measurementIterations"` // as configured, of each fork
	Params    map[string]string `json:"params"`
	Primary   struct {
		Score       jmhNumber            `json:"score"`
		Percentiles map[string]jmhNumber `json:"scorePercentiles"`
		Unit        string               `json:"scoreUnit"`
		Raw         [][]jmhNumber        `json:"rawData"` // iterations of each fork
		// Of mode sample: for each fork, the samples of its iterations.
		Sampled [][]json.RawMessage `json:"rawDataHistogram"`
	} `json:"primaryMetric"`
	Secondary map[string]struct {
		Score jmhNumber     `json:"score"`
		Unit  string        `json:"scoreUnit"`
		Raw   [][]jmhNumber `json:"rawData"`
	} `json:"secondaryMetrics"`
}

// jmhNumber is a figure, of which JMH writes "NaN" if there is none.
type jmhNumber float64

// UnmarshalJSON reads a number, or "NaN" and the like.
func (n *jmhNumber) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = jmhNumber(math.NaN())
		return nil
	}
	f, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*n = jmhNumber(f)
	return err
}

// jmhMean returns the mean of figures; NaN of none.
func jmhMean(of []jmhNumber) float64 {
	total := 0.0
	for _, v := range of {
		total += float64(v)
	}
	return total / float64(len(of))
}

// partNames returns the names of methods and counters in their order.
func (r jmhResult) partNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.Secondary)), func(name string) bool {
		return !jmhIsPart(name, r.Secondary[name].Unit, r.Primary.Unit)
	})
}

// parts returns what a fork's methods and counters did, by their names; of all forks if it is -1.
func (r jmhResult) parts(names []string, fork int) []jmhPart {
	var out []jmhPart
	for _, name := range names {
		s := r.Secondary[name]
		if fork >= 0 && fork < len(s.Raw) && len(s.Raw[fork]) > 0 {
			s.Score = jmhNumber(jmhMean(s.Raw[fork]))
		}
		out = append(out, jmhPart{name, float64(s.Score)})
	}
	return out
}

// jmhIsPart reports whether a second metric is a method of a group or a counter, which have the unit of the whole.
// Those of profilers have others, or dots in their names.
func jmhIsPart(name, unit, of string) bool {
	strange := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '$')
	}
	return unit == of && name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, strange)
}

// runs returns a run of each fork: forks are processes of their own, and iterations of one are not independent. A
// single fork is one run with the spread of its iterations.
func (r jmhResult) runs() []jmhRun {
	one := jmhRun{name: r.Benchmark, mode: r.Mode, threads: r.Threads.String(), params: r.Params,
		score: float64(r.Primary.Score), unit: r.Primary.Unit}
	if r.Mode == jmhSample {
		for _, name := range sortedNames(r.Primary.Percentiles) {
			one.percentile(name, float64(r.Primary.Percentiles[name]))
		}
		return []jmhRun{one}
	}
	if iterations := slices.Concat(r.Primary.Raw...); len(iterations) > 0 {
		one.stated, one.iterated = one.score, jmhMean(iterations)
	}
	parts := r.partNames()
	if len(r.Primary.Raw) < 2 {
		one.parts = r.parts(parts, -1)
		for _, iterations := range r.Primary.Raw {
			one.moments = momentsOf(iterations)
		}
		return []jmhRun{one}
	}
	var out []jmhRun
	for i, iterations := range r.Primary.Raw {
		fork := one
		fork.parts = r.parts(parts, i)
		fork.score = jmhMean(iterations)
		if out = append(out, fork); len(parts) > mostParts {
			break // no run has room for them: the first is refused, before all forks have taken theirs
		}
	}
	return out
}

// mostParts exceeds the methods and counters for which a run has room, which is 4096 bytes.
const mostParts = 1000

// momentsOf returns the spread of a run's parts.
func momentsOf(iterations []jmhNumber) record.Moments {
	if len(iterations) < 2 {
		return record.Moments{}
	}
	values := make([]float64, len(iterations))
	for i, v := range iterations {
		values[i] = float64(v)
	}
	return record.Moments{N: len(values), SD: stat.SD(values), Within: true}
}

// jmhSample is the mode that samples the times of operations.
const jmhSample = "sample"

// percentile sets a percentile of sampled operations by its number, 0 to 100.
func (r *jmhRun) percentile(number string, v float64) {
	switch p := stated(number); p {
	case 0:
		r.percentiles.least = v
	case 100:
		r.percentiles.most = v
	default:
		r.percentiles.set(number, v)
	}
}

func readJMHCSV(text []byte, b Bounds) ([]jmhRun, error) {
	if err := sparse(text, b.Items); err != nil {
		return nil, err
	}
	in := csv.NewReader(bytes.NewReader(text))
	header, err := in.Read()
	var t jmhTable
	for err == nil {
		var cells []string
		if cells, err = in.Read(); err == nil {
			if err := t.add(jmhCells(header, cells)); err != nil {
				return nil, err
			}
		}
	}
	if errors.Is(err, csv.ErrFieldCount) {
		return nil, fmt.Errorf("invalid JMH CSV: %w: its figures may have decimal commas"+jmhComma, err)
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("invalid JMH CSV: %w", err)
	}
	return t.read(b)
}

// jmhCells returns a row of CSV by the names of its columns.
func jmhCells(header, cells []string) jmhRow {
	r := jmhRow{params: map[string]string{}}
	for i, column := range header {
		if param, ok := strings.CutPrefix(column, "Param: "); ok && cells[i] != "" {
			r.params[param] = cells[i]
		}
		switch column {
		case "Benchmark":
			r.name = cells[i]
		case "Mode":
			r.mode = cells[i]
		case "Threads":
			r.threads = cells[i]
		case "Samples":
			r.count = cells[i]
		case "Score":
			r.score = cells[i]
		case "Score Error (99.9%)":
			r.failure = cells[i]
		case "Unit":
			r.unit = cells[i]
		}
	}
	return r
}

// jmhRow is a row of a table, verbatim.
type jmhRow struct {
	name, mode, threads, count, score, failure, unit string
	params                                           map[string]string
}

// jmhTable collects rows.
type jmhTable struct {
	runs  []jmhRun
	small []string // sentences about rows whose scores are too small for their unit
}

// read returns the runs, and leaves a sentence about each row without a score. If there are no others it is an error.
func (t jmhTable) read(b Bounds) ([]jmhRun, error) {
	const hint = "\nhint: use a smaller unit with -tu ns, or the file of -rf json"
	if len(t.runs) == 0 && len(t.small) > 0 {
		return nil, errors.New(t.small[0] + hint)
	}
	for _, said := range t.small {
		b.leave(said + ", and it is left out" + hint)
	}
	return t.runs, nil
}

// add adds a row: a benchmark, or a percentile of the one above. What profilers add is passed over.
func (t *jmhTable) add(r jmhRow) error {
	name, secondary, isSecondary := strings.Cut(r.name, ":")
	score, err := Number(r.score)
	if isSecondary {
		last := len(t.runs) - 1
		if percent, ok := strings.CutPrefix(secondary, "p"); ok && err == nil && last >= 0 &&
			t.runs[last].mode == jmhSample && t.runs[last].name == name {
			t.runs[last].percentile(fmt.Sprintf("%.6g", 100*stated(percent)), score)
		} else if err == nil && last >= 0 && t.runs[last].name == name && jmhIsPart(secondary, r.unit, t.runs[last].unit) {
			t.runs[last].parts = append(t.runs[last].parts, jmhPart{secondary, score})
		}
		return nil
	}
	if err != nil && strings.Count(r.score, ",") == 1 {
		return fmt.Errorf("score of %s: %s has a decimal comma"+jmhComma, Brief(name), Brief(r.score))
	}
	if err != nil && strings.HasPrefix(r.score, "≈") {
		t.small = append(t.small,
			fmt.Sprintf("JMH prints the score of %s as a power of ten, %s", Brief(name), Brief(r.score)))
		return nil
	}
	if err != nil {
		return fmt.Errorf("score of %s: %s is not a number\nhint: use the file of -rf json", Brief(name), Brief(r.score))
	}
	run := jmhRun{name: name, mode: r.mode, threads: r.threads, params: r.params, score: score, unit: r.unit}
	if n := operations(stated(r.count)); n > 1 && n < maxIterations && r.mode != jmhSample {
		// The error is half of a 99.9 % interval by Student's t.
		run.moments = record.Moments{N: int(n), SD: stat.SDBehind(stated(r.failure), 0.001, int(n)), Within: true}
	}
	t.runs = append(t.runs, run)
	return nil
}

// jmhComma is the hint for figures as some languages write them.
const jmhComma = "\nhint: run java with -Duser.language=en, or use the file of -rf json, whose numbers are " +
	"the same in " +
	"every language"

// maxIterations exceeds the iterations of any benchmark.
const maxIterations = 1 << 20

func jmhModes() []string { return []string{"thrpt", "avgt", jmhSample, "ss"} }

// jmhLacks collects what benchmarks lack of the forks and iterations that they were configured to have.
type jmhLacks struct{ said []string }

func (l *jmhLacks) add(said string) {
	if said != "" && !slices.Contains(l.said, said) {
		l.said = append(l.said, said)
	}
}

// tell tells it as what was not read.
func (l *jmhLacks) tell(b Bounds) {
	if len(l.said) == 0 {
		return
	}
	more := ""
	if n := len(l.said) - mostMissed; n > 0 {
		more = fmt.Sprintf("; and %d more", n)
	}
	b.leave("JMH was configured to measure more than there is: " +
		strings.Join(l.said[:min(len(l.said), mostMissed)], "; ") + more)
}

// jmhLack says what a benchmark has of the forks and iterations that it was configured to have; "" if it has all.
func jmhLack(name string, forks, ofForks, iterations, ofEach int) string {
	switch of := max(ofForks, 1) * ofEach; {
	case forks < ofForks:
		return fmt.Sprintf("%s has %d of %d forks", Brief(name), forks, ofForks)
	case iterations < of:
		return fmt.Sprintf("%s has %d of %d iterations", Brief(name), iterations, of)
	}
	return ""
}

// lacks says what a benchmark's JSON lacks of its own configuration.
func (r jmhResult) lacks() string {
	forks, iterations := len(r.Primary.Raw), 0
	for _, each := range r.Primary.Raw {
		iterations += len(each)
	}
	if forks == 0 {
		forks = len(r.Primary.Sampled)
		for _, each := range r.Primary.Sampled {
			iterations += len(each)
		}
	}
	if forks == 0 {
		return "" // an output whose raw data were taken out
	}
	return jmhLack(r.Benchmark, forks, r.Forks, iterations, r.Measured)
}

// jmhLog follows what JMH prints while it measures: a block for each benchmark, with its configuration, its forks and
// their iterations.
type jmhLog struct {
	jmhLacks
	name                       string
	forks, ofForks             int
	iterations, ofEach         int
	fork, measured, configured *regexp.Regexp
}

func newJMHLog() *jmhLog {
	return &jmhLog{
		fork:       regexp.MustCompile(`^# Fork: [0-9]+ of ([0-9]+)`),
		measured:   regexp.MustCompile(`(?:^|\S)Iteration +[0-9]+: `), // a benchmark may have printed before it
		configured: regexp.MustCompile(`^# Measurement: ([0-9]+) iteration`)}
}

// line takes a line. A block begins with what is configured and ends with the next, or with the table.
func (l *jmhLog) line(line string) {
	if m := l.configured.FindStringSubmatch(line); m != nil {
		l.end()
		l.ofEach = operationsOf(m[1])
	} else if name, ok := strings.CutPrefix(line, "# Benchmark: "); ok {
		l.name = name
	} else if m := l.fork.FindStringSubmatch(line); m != nil {
		l.forks, l.ofForks = l.forks+1, operationsOf(m[1])
	} else if l.measured.MatchString(line) {
		l.iterations++
	}
}

func (l *jmhLog) end() {
	if l.name != "" {
		l.add(jmhLack(l.name, l.forks, l.ofForks, l.iterations, l.ofEach))
	}
	l.name, l.forks, l.ofForks, l.iterations, l.ofEach = "", 0, 0, 0, 0
}

// operationsOf returns a count of forks or iterations; 0 if there are more than any benchmark has.
func operationsOf(printed string) int {
	if n := operations(stated(printed)); n < maxIterations {
		return int(n)
	}
	return 0
}

func readJMHTable(out []byte, b Bounds) ([]jmhRun, error) {
	header := regexp.MustCompile(`^Benchmark +((?:\([^)]*\) +)*)Mode +(?:Cnt +)?Score`)
	threads := regexp.MustCompile(`^# Threads: ([0-9]+) thread`)
	var t jmhTable
	var names []string
	inside, stands := false, ""
	heading := regexp.MustCompile(`^# Benchmark: (\S+)$`)
	of := map[string]string{} // threads by benchmark
	var bad error
	log := newJMHLog()
	result := regexp.MustCompile(jmhRowLike)
	between := regexp.MustCompile(` {2,}`)
	err := b.scan(out, jmhRowLike, func(line string) bool {
		if m := threads.FindStringSubmatch(line); m != nil {
			stands = m[1]
		}
		if m := heading.FindStringSubmatch(line); m != nil && stands != "" {
			of[m[1]] = stands
		}
		log.line(line)
		if line == "<failure>" {
			b.leave("a benchmark of JMH failed (<failure>), and is not in its table or has fewer iterations")
		}
		if m := header.FindStringSubmatch(line); m != nil {
			names, inside = strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(m[1])), true
			return true
		}
		if !inside {
			return false
		}
		row, ok := jmhFields(jmhWords(line, len(names), between), names)
		if !ok {
			inside = result.MatchString(line) // a row that is not read does not end the table
			return false
		}
		row.threads = jmhThreads(of, row.name, stands)
		if bad == nil {
			bad = t.add(row)
		}
		return true
	})
	if err = cmp.Or(bad, err); err != nil {
		return nil, err
	}
	log.end()
	log.tell(b)
	return t.read(b)
}

// jmhRowLike matches lines that look like rows.
const jmhRowLike = ` (?:thrpt|avgt|sample|ss) .*(?:ops/|/op$)`

// jmhWords splits a row into its name, its parameters, and the words behind them. Two blanks are between columns (the
// pattern between), and a parameter may contain one.
func jmhWords(line string, params int, between *regexp.Regexp) []string {
	columns := between.Split(line, params+2)
	if len(columns) != params+2 {
		return strings.Fields(line)
	}
	words := append(columns[:params+1:params+1], strings.Fields(columns[params+1])...)
	if len(words) <= params+1 || !slices.Contains(jmhModes(), words[params+1]) {
		return strings.Fields(line)
	}
	return words
}

// jmhThreads returns the threads of a row, whose name is without the packages that all have in common; else those that
// stand above it.
func jmhThreads(of map[string]string, row, above string) string {
	row, _, _ = strings.Cut(row, ":")
	for _, full := range slices.Sorted(maps.Keys(of)) {
		if full == row || strings.HasSuffix(full, "."+row) {
			return of[full]
		}
	}
	return above
}

// jmhFields parses a row of the table: its name, parameters, mode, perhaps the count, the score, perhaps the error, and
// the unit.
func jmhFields(f, names []string) (jmhRow, bool) {
	at := 1 + len(names)
	if len(f) < at+3 || !slices.Contains(jmhModes(), f[at]) {
		return jmhRow{}, false
	}
	out := jmhRow{name: f[0], mode: f[at], unit: f[len(f)-1], params: map[string]string{}}
	for i, name := range names {
		if v := f[1+i]; v != "N/A" {
			out.params[name] = v
		}
	}
	figures := f[at+1 : len(f)-1]
	if with := slices.Index(figures, "±"); with >= 0 && with+1 < len(figures) {
		out.failure, figures = figures[with+1], figures[:with]
	}
	if len(figures) > 1 && figures[0] != "≈" {
		out.count, figures = figures[0], figures[1:]
	}
	out.score = strings.Join(figures, " ")
	return out, true
}

// Values returns the score of a benchmark: throughput, the time of an operation, or the latencies of sampled ones.
func (r jmhRun) Values() ([]record.Value, error) {
	unit, scale, rate := jmhUnit(r.unit)
	if !slices.Contains(jmhModes(), r.mode) {
		return nil, fmt.Errorf("mode of %s is %s\nhint: %s are read", Brief(r.name), Brief(r.mode),
			strings.Join(jmhModes(), ", "))
	}
	if scale == 0 || !(r.score > 0) || r.score > largest {
		return nil, fmt.Errorf("score of %s is %g %s\nhint: a unit is such as ops/s or ns/op", Brief(r.name), r.score,
			Brief(r.unit))
	}
	out := Values{}
	switch {
	case rate:
		out.add(record.Throughput, unit, record.Higher, r.score*scale)
	case r.mode == jmhSample:
		l := latencies{mean: r.score * scale, least: r.percentiles.least * scale, most: r.percentiles.most * scale}
		for _, p := range r.percentiles.percentiles {
			l.percentiles = append(l.percentiles, percentile{p.percent, p.s * scale})
		}
		out.addAll(l.values())
	default:
		out.add("time", unit, record.Lower, r.score*scale)
	}
	for _, p := range r.parts {
		name := map[bool]string{true: record.Throughput, false: "time"}[rate]
		out.add(p.name+"_"+name, unit, map[bool]record.Better{true: record.Higher, false: record.Lower}[rate], p.score*scale)
	}
	if len(out) == 0 {
		return nil, errors.New("a score that is too small or too large")
	}
	return out, nil
}

// jmhUnit returns the base unit of a score, the factor to it, and whether it is a rate; 0 if it is neither of "ops/us"
// nor "us/op" and the like.
func jmhUnit(printed string) (unit string, factor float64, rate bool) {
	if per, ok := strings.CutPrefix(printed, "ops/"); ok {
		if s := inSeconds("1", per); s > 0 {
			return "op/s", 1 / s, true
		}
	}
	per, _ := strings.CutSuffix(printed, "/op")
	return "s", inSeconds("1", per), false
}

// Moments returns the spread of the score, in its base unit.
func (r jmhRun) Moments() map[string]record.Moments {
	_, scale, rate := jmhUnit(r.unit)
	s := r.moments
	if s.SD *= scale; !(s.SD > 0) || s.SD > largest {
		return nil
	}
	if rate {
		return map[string]record.Moments{record.Throughput: s}
	}
	return map[string]record.Moments{"time": s}
}

// jmhSlack is by how much a score may differ from the mean of its iterations, which it is.
const jmhSlack = 0.01

// Account returns the score beside its iterations.
func (r jmhRun) Account() Account {
	return Account{Means: []Meant{
		{Of: Brief(r.name), Stated: r.stated, Follows: r.iterated, Unit: r.unit, Slack: jmhSlack}}}
}

// Params returns the benchmark, its mode and its parameters.
func (r jmhRun) Params() record.Params {
	out := record.Params{}
	for name, value := range r.params {
		out[name] = value
	}
	out["benchmark"], out["mode"] = r.name, r.mode
	return out
}

// Load returns the threads as CPUs, which they keep busy.
func (r jmhRun) Load() (record.LoadPoint, error) {
	if n := stated(r.threads); n >= 1 && n <= mostClients {
		return Counted(n, record.ParamCPUs, false)
	}
	return record.LoadPoint{},
		noLoad("JMH's table does not state its threads\nhint: set them with --load cpus=N (1 unless -t was given)")
}
