package reader

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Memtier is the format of memtier_benchmark's output, as text and as JSON.
const Memtier = "memtier"

// MemtierTool returns memtier_benchmark.
func MemtierTool() Tool {
	return Tool{Name: Memtier, Doc: "output of memtier_benchmark, as text or --json-out-file", Read: runsOf(readMemtier),
		Fails: `^connection (?:error: |dropped)`,
		Marks: either(lineLike("a header `Type  Ops/sec  Hits/sec`", `^Type +Ops/sec `),
			jsonLike("JSON with `ALL STATS`", `\{`, "configuration", "run information"))}
}

// memtierLoad is why an output has no load.
const memtierLoad = "memtier's threads and connections are missing here\nhint: keep its lines `Threads` and " +
	"`Connections " +
	"per thread`, or set their product with --load N"

// memtierSums are the parts of a run that sum several up, of -x.
const memtierSums = "best, worst and average of several runs of memtier (-x)"

// memtierKinds are the operations whose rates add up.
func memtierKinds() []string { return []string{"Sets", "Gets", "Waits", "Arbitrary Commands"} }

func readMemtier(out []byte, b Bounds) ([]loadRun, error) {
	return jsonOrText(out, b, readMemtierJSON, readMemtierText, "results of memtier_benchmark",
		"keep its table `ALL STATS`, or use --json-out-file")
}

// memtierRun is a table while it is read.
type memtierRun struct {
	loadRun
	columns []string
	sum     float64 // of the rates of its operations
	summary bool    // of several runs
}

func readMemtierText(out []byte, b Bounds) ([]loadRun, error) {
	about := regexp.MustCompile(`^([0-9]+) +(Threads|Connections per thread)$`)
	title := regexp.MustCompile(`^(ALL STATS|RUN #[0-9]+ RESULTS|BEST RUN RESULTS|WORST RUN RESULTS|AGGREGATED AVERAGE ` +
		`RESULTS \([0-9]+ runs\))$`)
	row := regexp.MustCompile(`^([A-Z][A-Za-z ]*?) +((?:[0-9.]+|---)(?: +(?:[0-9.]+|---|-?nan))*)$`)
	refused := regexp.MustCompile(`handle error response: (.*)$`)
	threads, connections, refusal := 0.0, 0.0, ""
	runs, err := splitRuns(b, out, `^(?:Totals|Sets|Gets|Waits) +[0-9.]`, func(line string) (memtierRun, bool) {
		if m := about.FindStringSubmatch(line); m != nil && m[2] == "Threads" {
			threads = stated(m[1])
		} else if m != nil {
			connections = stated(m[1])
		}
		if m := refused.FindStringSubmatch(line); m != nil {
			refusal = cmp.Or(refusal, m[1])
		} else if strings.HasPrefix(line, "[RUN #1] Preparing") { // of another output
			refusal = ""
		}
		m := title.FindStringSubmatch(line)
		if m == nil {
			return memtierRun{}, false
		}
		r := memtierRun{loadRun: loadRun{tool: Memtier, load: memtierLoad, count: 0}}
		if refusal != "" { // its operations count as done
			r.account.Broken = "the server answered with errors: " + Brief(refusal)
		}
		r.summary = m[1] != "ALL STATS" && !strings.HasPrefix(m[1], "RUN ")
		if n := threads * connections; n > 0 {
			r.clients = fmt.Sprint(n)
		}
		return r, true
	}, func(r *memtierRun, line string) bool { return r.row(row, line) })
	if err != nil {
		return nil, err
	}
	return memtierWhole(runs, b)
}

// memtierWhole returns the runs of tables, without sums of several.
func memtierWhole(runs []memtierRun, b Bounds) ([]loadRun, error) {
	var out []loadRun
	for _, r := range runs {
		if r.summary {
			continue
		}
		r.account.Means = append(r.account.Means, Meant{Of: "the operations a second", Stated: r.rate, Follows: r.sum,
			Unit: "op/s", Slack: 0.01})
		out = append(out, r.loadRun)
	}
	switch {
	case len(out) == 0 && len(runs) > 0:
		return nil, errors.New("there are only " + memtierSums + "\nhint: --print-all-runs adds the runs, which are read")
	case len(out) < len(runs):
		b.leave("left out: " + memtierSums)
	}
	return out, nil
}

// row takes a row of a table, or its header; false if it is neither.
func (r *memtierRun) row(row *regexp.Regexp, line string) bool {
	if strings.HasPrefix(line, "Type ") && strings.Contains(line, "Ops/sec") {
		r.columns = nil
		for _, name := range strings.Split(line, "  ")[1:] {
			if name = strings.TrimSpace(name); name != "" {
				r.columns = append(r.columns, name)
			}
		}
		return true
	}
	m := row.FindStringSubmatch(line)
	if m == nil || r.columns == nil {
		return strings.Trim(line, "=") == "" || strings.Trim(line, "-") == ""
	}
	cells := strings.Fields(m[2])
	if len(cells) != len(r.columns) {
		return false
	}
	if m[1] != "Totals" {
		r.sum += stated(cells[0])
		return true
	}
	for i, name := range r.columns {
		r.column(name, stated(cells[i]))
	}
	return true
}

// column takes a figure of the totals.
func (r *loadRun) column(name string, v float64) {
	switch {
	case name == "Ops/sec":
		r.rate = v
	case name == "Avg. Latency", name == "Latency": // before 1.4
		r.latencies.set("avg", v*1e-3)
	case strings.HasPrefix(name, "p") && strings.HasSuffix(name, " Latency"):
		r.latencies.set(strings.TrimSuffix(name, " Latency"), v*1e-3)
	case name == "KB/sec":
		r.more.add("moved", "B/s", record.Higher, v*(1<<10))
	case name == "MOVED/sec", name == "ASK/sec":
		r.more.count(strings.ToLower(strings.TrimSuffix(name, "/sec")), "op/s", v, true)
	}
}

// memtierJSON is the part of the JSON that we use.
type memtierJSON struct {
	Configuration map[string]any `json:"configuration"`
	Run           struct {
		Threads     float64 `json:"Threads"`
		Connections float64 `json:"Connections per thread"`
	} `json:"run information"`
	Parts map[string]json.RawMessage `json:"-"`
}

// memtierStats is a table.
type memtierStats struct {
	Runtime struct {
		Total       float64 `json:"Total duration"`
		Unit        string  `json:"Time unit"`
		Interrupted string  `json:"Interrupted"`
	}
	rows map[string]memtierRow
}

// memtierRow is a row of a table. Latencies are in ms.
type memtierRow struct {
	Count       float64        `json:"Count"`
	Rate        float64        `json:"Ops/sec"`
	Errors      float64        `json:"Connection Errors"`
	Mean        float64        `json:"Average Latency"`
	Before      float64        `json:"Latency"` // the mean, before 1.4
	Least       float64        `json:"Min Latency"`
	Most        float64        `json:"Max Latency"`
	Kibibytes   float64        `json:"KB/sec"`
	Percentiles map[string]any `json:"Percentile Latencies"`
}

func readMemtierJSON(out []byte, b Bounds) ([]loadRun, error) {
	var runs []memtierRun
	err := parts(out, func(part []byte) error {
		if err := sparse(part, b.Times); err != nil {
			return err
		}
		var d memtierJSON
		if err := json.Unmarshal(part, &d); err != nil {
			return notJSON(err, out)
		}
		if err := json.Unmarshal(part, &d.Parts); err != nil {
			return notJSON(err, out)
		}
		got, err := d.runs()
		runs = append(runs, got...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return memtierWhole(runs, b)
}

// runs returns the tables of a document.
func (d memtierJSON) runs() ([]memtierRun, error) {
	var out []memtierRun
	for name, text := range d.Parts {
		single := name == "ALL STATS" || regexp.MustCompile(`^RUN #[0-9]+ RESULTS$`).MatchString(name)
		if !single && !regexp.MustCompile(`^(?:BEST|WORST) RUN RESULTS$|^AGGREGATED AVERAGE RESULTS`).MatchString(name) {
			continue
		}
		var s memtierStats
		rows := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &rows); err != nil {
			return nil, notJSON(err, text)
		}
		s.rows = map[string]memtierRow{}
		for _, row := range append(memtierKinds(), "Totals") {
			var v memtierRow
			if rows[row] != nil {
				if err := json.Unmarshal(rows[row], &v); err != nil {
					return nil, fmt.Errorf("%s of memtier: %w", row, notJSON(err, rows[row]))
				}
			}
			s.rows[row] = v
		}
		if rows["Runtime"] != nil {
			if err := json.Unmarshal(rows["Runtime"], &s.Runtime); err != nil {
				return nil, notJSON(err, text)
			}
		}
		r := d.run(s)
		r.summary = !single
		r.columns = []string{name}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b memtierRun) int { return strings.Compare(a.columns[0], b.columns[0]) })
	return out, nil
}

func (d memtierJSON) run(s memtierStats) memtierRun {
	all := s.rows["Totals"]
	r := memtierRun{loadRun: loadRun{tool: Memtier, load: memtierLoad, rate: all.Rate, count: all.Count,
		params: record.Params{}, failed: map[string]float64{"socket": all.Errors}}}
	for _, kind := range memtierKinds() {
		r.sum += s.rows[kind].Rate
	}
	if s.Runtime.Unit == "MILLISECONDS" {
		r.seconds = s.Runtime.Total * 1e-3
	}
	r.slack = rounded(r.seconds, 2e-3, 0.02)
	r.latencies = latencies{mean: cmp.Or(all.Mean, all.Before) * 1e-3, least: all.Least * 1e-3, most: all.Most * 1e-3}
	for _, name := range sortedNames(all.Percentiles) {
		if v, ok := all.Percentiles[name].(float64); ok {
			r.latencies.set(strings.TrimSuffix(strings.TrimRight(name, "0"), "."), v*1e-3)
		}
	}
	r.more.add("moved", "B/s", record.Higher, all.Kibibytes*(1<<10))
	if n := d.Run.Threads * d.Run.Connections; n > 0 {
		r.clients = fmt.Sprint(n)
	}
	for _, name := range []string{"protocol", "ratio", "pipeline", "data_size", "key_pattern"} {
		if v, ok := d.Configuration[name]; ok && v != nil {
			r.params[name] = fmt.Sprint(v)
		}
	}
	clients := d.Run.Threads * d.Run.Connections
	if limit, ok := d.Configuration["rate_limit"].(float64); ok && limit > 0 {
		r.params["rate_limit"], r.paced = fmt.Sprint(limit), true
		r.account.Asked = limit * clients // each connection has it
	}
	lasts, _ := d.Configuration["test_time"].(float64)
	if each, ok := d.Configuration["requests"].(float64); ok && lasts == 0 && operations(each*clients) > 0 {
		r.account.Offered, r.account.Handled = each*clients, all.Count
	}
	if s.Runtime.Interrupted == "true" {
		r.account.Doubts = append(r.account.Doubts, "the run was interrupted")
	}
	return r
}
