package reader

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// YCSB is the format of the results of YCSB.
const YCSB = "ycsb"

// YCSBTool returns the tool.
func YCSBTool() Tool {
	return Tool{Name: YCSB, Doc: "output of YCSB, one or more runs per file", Read: runsOf(readYCSB),
		Marks: lineLike("a line `[OVERALL], Throughput(ops/sec), …`", `^\[OVERALL\], (?:RunTime|Throughput)`)}
}

// ycsbRun is one run: its command, and its figures by operation.
type ycsbRun struct {
	command string
	rate    float64
	seconds float64
	by      map[string]*ycsbOperation
}

// ycsbOperation is one kind of operation, such as READ. Times are in s.
type ycsbOperation struct {
	n, ok, failed float64
	latencies     latencies
}

// ycsbPrivate begins the names that are no operations of the workload.
func ycsbPrivate(name string) bool {
	return name == "OVERALL" || name == "CLEANUP" || strings.HasPrefix(name, "TOTAL_GC") ||
		strings.HasPrefix(name, "Intended-")
}

// readYCSB reads all runs of an output. A command may stand before the results, on standard error.
func readYCSB(out []byte, b Bounds) ([]ycsbRun, error) {
	row := regexp.MustCompile(`^\[([A-Za-z0-9_%-]+)\], ([^,]+), +([0-9.eE+-]+)$`)
	var runs []ycsbRun
	command := ""
	err := b.scan(out, `^\[[A-Z][A-Za-z0-9_%-]+\], `, func(line string) bool {
		if after, ok := strings.CutPrefix(line, "Command line: "); ok {
			command = after
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		if m[1] == "OVERALL" && (m[2] == "RunTime(ms)" || len(runs) == 0) {
			runs = append(runs, ycsbRun{command: command, by: map[string]*ycsbOperation{}})
			command = ""
		}
		return len(runs) > 0 && runs[len(runs)-1].row(m[1], m[2], stated(m[3]))
	})
	return some(runs, err, out, "YCSB results", "they begin with `[OVERALL], RunTime(ms)`")
}

// maxYCSB exceeds the kinds of operations of any workload.
const maxYCSB = 32

// row takes one figure; false if it is none that is known.
func (r *ycsbRun) row(name, figure string, v float64) bool {
	switch {
	case name == "OVERALL" && figure == "Throughput(ops/sec)":
		r.rate = v
	case name == "OVERALL" && figure == "RunTime(ms)":
		r.seconds = v * 1e-3
	case name == "OVERALL":
		return false
	}
	if ycsbPrivate(name) {
		return true
	}
	name, failed := strings.CutSuffix(name, "-FAILED")
	if r.by[name] == nil {
		if len(r.by) == maxYCSB {
			return false
		}
		r.by[name] = &ycsbOperation{}
	}
	return r.by[name].figure(figure, v, failed)
}

// figure takes one figure of an operation, or of those of it that failed; false if it is none that is known.
func (o *ycsbOperation) figure(name string, v float64, failed bool) bool {
	status, isStatus := strings.CutPrefix(name, "Return=")
	switch unit := 1e-6; {
	case isStatus && ycsbDone(status) && !failed:
		o.ok += v
	case isStatus && !failed:
		o.failed += v
	case failed:
	case name == "Operations":
		o.n = v
	default:
		statistic, inUs := strings.CutSuffix(name, "(us)")
		if !inUs {
			var inMs bool
			if statistic, inMs = strings.CutSuffix(name, "(ms)"); !inMs {
				return false
			}
			unit = 1e-3
		}
		return o.latency(statistic, v*unit)
	}
	return true
}

// latency sets a latency by its name, such as AverageLatency or 99.9PercentileLatency. Other names are other
// quantities: rows of a histogram (`[READ], 50, 3`) are numbers of operations, those of a time series means.
func (o *ycsbOperation) latency(statistic string, s float64) bool {
	switch name, ok := strings.CutSuffix(statistic, "Latency"); {
	case !ok:
		return false
	case slices.Contains([]string{"Average", "Min", "Max"}, name):
		o.latencies.set(strings.ToLower(name), s)
		return true
	default:
		percent, ok := strings.CutSuffix(name, "Percentile")
		percent = strings.TrimRight(percent, "stndrh") // 1st, 2nd, 3rd, 95th
		if _, is := percentileOf(percent); !ok || !is {
			return false
		}
		o.latencies.set(percent, s)
		return true
	}
}

// ycsbDone reports whether a status says that the operation was done; versions before 0.2 state numbers, of which 0 is
// that.
func ycsbDone(status string) bool { return status == "OK" || status == "BATCHED_OK" || status == "0" }

// ycsbSlack is by how much the operations of a run may differ from those of its rate: some count a batch, or what was
// tried again.
const ycsbSlack = 0.2

// Account returns the rate and the operations that were asked for, and the operations in their time.
func (r ycsbRun) Account() Account {
	n := r.Outcomes()
	ended := float64(n.Done + n.Errors)
	out := Account{Asked: stated(r.target()), Reached: r.rate, Rates: []Rated{
		{Of: "operations", Rate: r.rate, Count: ended, Seconds: r.seconds, Slack: ycsbSlack}}}
	if due := r.due(); due > ended {
		out.Offered, out.Handled = due, ended
	}
	return out
}

// due returns the operations that the command asks for; 0 if it states none, or a time at which the run ends. Each
// thread does the same number of them. A load may insert several records by an operation.
func (r ycsbRun) due() float64 {
	properties := r.properties()
	if properties["maxexecutiontime"] != "" || r.phase() != "run" {
		return 0
	}
	threads := max(1, stated(r.threads()))
	return math.Trunc(stated(properties["operationcount"])/threads) * threads
}

// Values returns the values of one run. Percentiles of several kinds of operations are those of each: they give none of
// all.
func (r ycsbRun) Values() ([]record.Value, error) {
	n := r.Outcomes()
	if !(r.rate > 0) || r.rate > largest || n.Done+n.Errors == 0 {
		return nil, errors.New("YCSB completed no operations\nhint: see its standard error")
	}
	kinds := slices.Sorted(maps.Keys(r.by))
	if len(kinds) == 1 {
		return requests(r.rate, n, r.paced(), r.by[kinds[0]].latencies, 0), nil
	}
	out := requests(r.rate, n, r.paced(), r.overall(), 0)
	for _, kind := range kinds {
		for _, v := range r.by[kind].latencies.values() {
			out.add(strings.ToLower(kind)+"_"+v.Name, v.Unit, v.Better, v.Value)
		}
	}
	return out, nil
}

// composed is measured beside the READ and the UPDATE that it consists of: it is one operation, as they are together.
const composed = "READ-MODIFY-WRITE"

// overall returns the statistics of all operations that follow from those of each kind.
func (r ycsbRun) overall() latencies {
	out, total := latencies{}, 0.0
	for kind, o := range r.by {
		out.most = max(out.most, o.latencies.most)
		if kind == composed {
			total -= o.n
			continue
		}
		out.mean += o.latencies.mean * o.n
		total += o.n
	}
	if total > 0 {
		out.mean /= total
	}
	return out
}

// Outcomes counts operations by what they returned.
func (r ycsbRun) Outcomes() record.LoadUse {
	done, failed := 0.0, 0.0
	for kind, o := range r.by {
		if kind == composed {
			done -= o.n
			continue
		}
		ok := o.ok
		if ok+o.failed == 0 {
			ok = o.n
		}
		done, failed = done+ok, failed+o.failed
	}
	return outcomes(max(0, done), map[string]float64{"operation": failed})
}

// option returns the word behind an option of the command; "" if there is none.
func (r ycsbRun) option(name string) string {
	words := strings.Fields(r.command)
	if at := slices.Index(words, name); at >= 0 && at+1 < len(words) {
		return words[at+1]
	}
	return ""
}

// setting returns what an option of the command sets, or a property (-p NAME=VALUE); "" if neither does.
func (r ycsbRun) setting(option, property string) string {
	return cmp.Or(r.option(option), r.properties()[property])
}

// properties returns what the command sets by -p NAME=VALUE.
func (r ycsbRun) properties() map[string]string {
	out := map[string]string{}
	words := strings.Fields(r.command)
	for i, word := range words {
		if name, value, ok := strings.Cut(word, "="); ok && i > 0 && words[i-1] == "-p" {
			out[name] = value
		}
	}
	return out
}

// ycsbShapes reports whether a property distinguishes runs. Others are the load, a length, what is reported, or where
// the database is and how to log in, which differs between machines and may be secret.
func ycsbShapes(property string) bool {
	property = strings.ToLower(property)
	return !slices.ContainsFunc([]string{"threadcount", "target", "operationcount", "maxexecutiontime", "host", "url",
		"uri",
		"port", "addr", "endpoint", "contact", "cluster.name", "zookeeper", "path", "file", "dir", "user", "pass", "pwd",
		"secret", "token", "key", "cred", "auth", "sasl", "login", "measurement", "histogram", "status",
		"verbose", "debug", "label"}, func(word string) bool { return strings.Contains(property, word) })
}

func (r ycsbRun) target() string  { return r.setting("-target", "target") }
func (r ycsbRun) threads() string { return r.setting("-threads", "threadcount") }

// paced reports whether the operations followed a rate.
func (r ycsbRun) paced() bool { return r.target() != "" }

// phase returns load or run; "" if the command was not printed.
func (r ycsbRun) phase() string {
	switch words := strings.Fields(r.command); {
	case slices.Contains(words, "-load"):
		return "load"
	case len(words) > 0:
		return "run"
	}
	return ""
}

// Params returns the phase, the database, the workload and its properties, so far as the command was printed.
func (r ycsbRun) Params() record.Params {
	out := record.Params{}
	for name, value := range r.properties() {
		if ycsbShapes(name) && value != "" {
			out[name] = value
		}
	}
	for name, value := range map[string]string{"db": r.option("-db"), "workload": path.Base(r.option("-P")),
		"target": r.target()} {
		if value = value[strings.LastIndexByte(value, '.')+1:]; value != "" {
			out[name] = value
		}
	}
	if phase := r.phase(); phase != "" {
		out["phase"] = phase
	}
	return out
}

// Load returns the threads, which only the command states.
func (r ycsbRun) Load() (record.LoadPoint, error) {
	switch threads := r.threads(); {
	case threads != "":
		return clientsLoad(threads)
	case r.command != "":
		return clientsLoad("1")
	}
	return record.LoadPoint{}, noLoad("YCSB does not print its threads with its results, but with its command on " +
		"standard error\nhint: set them with --load N")
}
