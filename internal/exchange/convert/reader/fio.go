package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Fio is the format of fio's --output-format=json or json+, which gives several values.
const Fio = "fio"

// FioOutput is the part of fio's JSON that we use; see "JSON+ output" in its manual.
type FioOutput struct {
	Version string            `json:"fio version"`
	Global  map[string]string `json:"global options"`
	Jobs    fioJobs           `json:"jobs"`
	Clients fioJobs           `json:"client_stats"` // of --client: jobs on other hosts
	all     *fioJob           // what fio made of all clients together
	uneven  string            // times of jobs, if they differ; "": they do not
	broken  string            // why it is not whole; "": it is
}

// fioJobs are read one by one, since a job takes a KiB of memory and a hostile list has millions.
type fioJobs []fioJob

const maxFioJobs = 1 << 16

// UnmarshalJSON reads a list of jobs.
func (j *fioJobs) UnmarshalJSON(text []byte) error {
	var each []json.RawMessage
	if err := json.Unmarshal(text, &each); err != nil {
		return err
	}
	if len(each) > maxFioJobs {
		return fmt.Errorf("%d jobs, over the %d that are read", len(each), maxFioJobs)
	}
	*j = make(fioJobs, len(each))
	for i, one := range each {
		if err := json.Unmarshal(one, &(*j)[i]); err != nil {
			return fmt.Errorf("job %d: %w", i+1, err)
		}
	}
	return nil
}

type fioJob struct {
	Name    string            `json:"jobname"`
	Group   int               `json:"groupid"`
	Error   int               `json:"error"`
	Errors  float64           `json:"total_err"`   // with continue_on_error
	User    float64           `json:"usr_cpu"`     // % of Runtime
	System  float64           `json:"sys_cpu"`     // likewise
	Runtime float64           `json:"job_runtime"` // ms, of all jobs reported together
	Options map[string]string `json:"job options"`
	Read    FioSide           `json:"read"`
	Write   FioSide           `json:"write"`
	Trim    FioSide           `json:"trim"`
	Mixed   FioSide           `json:"mixed"` // all of them, with unified_rw_reporting
	Sync    struct {
		Lat fioLatency `json:"lat_ns"`
	} `json:"sync"` // of fsync and fdatasync
	Host string `json:"hostname"` // of --client
	// % of submissions, by how many were in flight: 1, 2 to 3, 4 to 7 ...
	Depths map[string]float64 `json:"iodepth_level"`
	// The depth at which a latency_target is met, for which fio searches up to iodepth; without one it is that.
	Found  float64   `json:"latency_depth"`
	Steady fioSteady `json:"steadystate"`

	unknown bool // the text does not state one depth of it
}

// fioSteady is whether a job reached the steady state that it was to run to: "0" or "1"; "": it was not to.
type fioSteady struct {
	Attained json.Number `json:"attained"`
}

// sides returns the directions whose figures are read. What fio reports together is one; next to separate
// directions it would count twice.
func (j *fioJob) sides() []*FioSide {
	if j.Mixed.Total > 0 && j.Read.Total+j.Write.Total == 0 {
		return []*FioSide{&j.Mixed}
	}
	return []*FioSide{&j.Read, &j.Write}
}

// FioSide is the reads or the writes of a job.
type FioSide struct {
	Bytes    float64    `json:"bw_bytes"` // per second
	IOPS     float64    `json:"iops"`
	Total    float64    `json:"total_ios"`
	Lat      fioLatency `json:"lat_ns"`
	Complete fioLatency `json:"clat_ns"`
	Moved    float64    `json:"io_bytes"`
	Runtime  float64    `json:"runtime"` // ms

	// Of fio 2, which has neither bw_bytes nor times in ns.
	Kibibytes  float64    `json:"bw"` // per second
	LatUs      fioLatency `json:"lat"`
	CompleteUs fioLatency `json:"clat"`
}

// fio2 sets what fio 2 states in other units.
func (s *FioSide) fio2() {
	if s.Bytes > 0 || s.Kibibytes <= 0 {
		return
	}
	s.Bytes, s.Moved = s.Kibibytes*(1<<10), s.Moved*(1<<10)
	s.Lat, s.Complete = s.LatUs.inNs(), s.CompleteUs.inNs()
}

// fioLatency has bins in json+ only, if percentiles of it were requested.
type fioLatency struct {
	N          float64            `json:"N"`
	Mean       float64            `json:"mean"`
	Percentile map[string]float64 `json:"percentile"`
	Bins       map[string]float64 `json:"bins"` // ns -> operations
}

// inNs converts the times of fio 2, which are in us.
func (l fioLatency) inNs() fioLatency {
	const ns = 1000
	out := fioLatency{N: l.N, Mean: l.Mean * ns, Percentile: map[string]float64{}, Bins: map[string]float64{}}
	for percent, us := range l.Percentile {
		out.Percentile[percent] = us * ns
	}
	for us, n := range l.Bins {
		if at, err := strconv.ParseFloat(us, 64); err == nil {
			out.Bins[strconv.FormatFloat(at*ns, 'f', -1, 64)] = n
		}
	}
	return out
}

// fioBegins returns where the first document of an output begins, at the beginning of a line; -1 if there is none.
func fioBegins(out []byte) int {
	at := regexp.MustCompile(`(?m)^[ \t]*\{`).FindIndex(out)
	if at == nil {
		return -1
	}
	return at[1] - 1
}

// ReadFio parses fio's document, which may follow messages of fio.
func ReadFio(out []byte, b Bounds) (FioOutput, error) {
	var o FioOutput
	at := fioBegins(out)
	if at < 0 {
		return o, fmt.Errorf("no fio JSON in %s\nhint: fio --output-format=json+", Excerpt(out))
	}
	if err := sparse(out[at:], b.Times); err != nil {
		return o, err
	}
	in := json.NewDecoder(bytes.NewReader(out[at:]))
	if err := in.Decode(&o); err != nil {
		return o, fmt.Errorf("invalid fio JSON: %w, in %s", err, Excerpt(out))
	}
	if fioBegins(out[at+int(in.InputOffset()):]) >= 0 {
		return o, errors.New("several documents of fio: states in between, as of --status-interval, or other runs\nhint: " +
			"keep the last document of each run, in a file of its own")
	}
	o.clients()
	for i := range o.Jobs {
		for _, side := range append(o.Jobs[i].sides(), &o.Jobs[i].Trim) {
			side.fio2()
		}
	}
	if o.Version == "" || len(o.Jobs) == 0 {
		return o, fmt.Errorf("not fio JSON, or without jobs, in %s", Excerpt(out))
	}
	if err := o.check(); err != nil {
		return o, err
	}
	o.align()
	if len(o.Sides()) > 0 && slices.ContainsFunc(o.Jobs, func(j fioJob) bool { return j.Trim.Total > 0 }) {
		b.leave(trimsOfFio)
	}
	return o, nil
}

const trimsOfFio = "trims of fio are not read: its figures are those of reads and writes"

// allClients is the name of what fio adds up of the jobs of all clients.
const allClients = "All clients"

// clients takes the jobs of --client, without their sum.
func (o *FioOutput) clients() {
	for _, j := range o.Clients {
		if j.Name == allClients {
			o.all = &j
		} else {
			o.Jobs = append(o.Jobs, j)
		}
	}
	if len(o.Jobs) == 0 && o.all != nil {
		o.Jobs, o.all = []fioJob{*o.all}, nil
	}
}

// align takes the rates of all jobs over the time of the longest one. Jobs that ended earlier did nothing then, so that
// a sum of their rates would be a rate that fio never had.
func (o *FioOutput) align() {
	var sides []*FioSide
	longest, shortest := 0.0, math.Inf(1)
	for i := range o.Jobs {
		for _, s := range o.Jobs[i].sides() {
			if s.Total > 0 && s.Runtime > 0 {
				sides = append(sides, s)
				longest, shortest = max(longest, s.Runtime), min(shortest, s.Runtime)
			}
		}
	}
	if !(shortest < (1-fioSlack)*longest) {
		return
	}
	for _, s := range sides {
		share := s.Runtime / longest
		s.Bytes, s.IOPS, s.Runtime = s.Bytes*share, s.IOPS*share, longest
	}
	o.uneven = fmt.Sprintf("%.3g to %.3g s", shortest/1000, longest/1000)
}

func (o FioOutput) check() error {
	for _, j := range o.Jobs {
		if j.Error != 0 {
			return fmt.Errorf("fio's job %s failed with error %d", Brief(j.Name), j.Error)
		}
		if j.Group != o.Jobs[0].Group {
			return errors.New("fio's jobs ran one after the other (several groups)\nhint: leave out stonewall, or run the " +
				"jobs one by one")
		}
		for _, v := range []float64{j.Errors, j.User, j.System, j.Runtime, j.Read.Bytes, j.Read.IOPS, j.Read.Total,
			j.Write.Bytes, j.Write.IOPS, j.Write.Total, j.Mixed.Bytes, j.Mixed.IOPS, j.Mixed.Total} {
			if v < 0 {
				return fmt.Errorf("fio's job %s has a negative figure, %g", Brief(j.Name), v)
			}
		}
	}
	return nil
}

// Sides returns the directions with any operations.
func (o FioOutput) Sides() []FioSide {
	var out []FioSide
	for i := range o.Jobs {
		for _, s := range o.Jobs[i].sides() {
			if s.Total > 0 {
				out = append(out, *s)
			}
		}
	}
	return out
}

// Values returns the totals of all jobs: bytes and operations per second, latency, and CPU time per operation.
func (o FioOutput) Values() ([]record.Value, error) {
	sides := o.Sides()
	bandwidth, iops, total, cpu := 0.0, 0.0, 0.0, 0.0
	for _, s := range sides {
		bandwidth, iops, total = bandwidth+s.Bytes, iops+s.IOPS, total+s.Total
	}
	for _, j := range o.Jobs {
		cpu += (j.User + j.System) / 100 * j.Runtime / 1000
	}
	var out Values
	for _, v := range []record.Value{
		{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}, Value: bandwidth},
		{Metric: record.Metric{Name: record.IOPS, Unit: "op/s", Better: record.Higher}, Value: iops},
		{Metric: record.Metric{Name: record.LatencyP50, Unit: "s", Better: record.Lower}, Value: fioQuantile(o.timed(), 50)},
		{Metric: record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}, Value: fioQuantile(o.timed(), 99)},
		{Metric: record.Metric{Name: record.CPUPerOp, Unit: "s", Better: record.Lower}, Value: cpu / total},
	} {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value <= 0 {
			continue
		}
		out = append(out, v)
	}
	if len(out) < 2 || out[0].Name != record.Throughput || out[1].Name != record.IOPS {
		return nil, o.nothing(total)
	}
	out.add(record.Failed, "%", record.Lower, failedShare(o.Outcomes()))
	for _, v := range []record.Value{
		{Metric: record.Metric{Name: "sync_latency_p50", Unit: "s", Better: record.Lower}, Value: o.synced(50)},
		{Metric: record.Metric{Name: "sync_latency_p99", Unit: "s", Better: record.Lower}, Value: o.synced(99)},
	} {
		if v.Value > 0 && v.Value < largest {
			out = append(out, v)
		}
	}
	return out, nil
}

// synced returns a percentile of the latency of fsync and fdatasync, s; 0 if none is stated, or several jobs have their
// own without bins.
func (o FioOutput) synced(percent float64) float64 {
	var of []FioSide
	for _, j := range o.Jobs {
		if j.Sync.Lat.N > 0 || len(j.Sync.Lat.Bins) > 0 {
			of = append(of, FioSide{Lat: j.Sync.Lat})
		}
	}
	return fioQuantile(of, percent)
}

// nothing returns the error for an output without bandwidth.
func (o FioOutput) nothing(total float64) error {
	if slices.ContainsFunc(o.Jobs, func(j fioJob) bool { return j.Trim.Total > 0 }) && total == 0 {
		return errors.New("fio did nothing but trim, which is not read\nhint: reads and writes are")
	}
	if total > 0 {
		return fmt.Errorf("%.0f reads and writes of %s without their bandwidth and rate: neither bw_bytes nor bw, or no "+
			"iops\nhint: fio 2 and 3 are read", total, Brief(o.Version))
	}
	return errors.New("fio completed no reads or writes\nhint: use a longer --runtime")
}

// timed returns the directions whose latencies are those of all: fio's own sum of several clients, if there is one.
func (o FioOutput) timed() []FioSide {
	if o.all != nil {
		return FioOutput{Jobs: []fioJob{*o.all}}.Sides()
	}
	return o.Sides()
}

// fioSlack is by how much a rate may differ from the count in its time, which is in ms.
const fioSlack = 0.02

// Account returns the operations in their time, those in flight, and the rate of rate_iops.
func (o FioOutput) Account() Account {
	out := Account{Broken: o.broken}
	for _, s := range o.Sides() {
		seconds := s.Runtime / 1000
		slack := rounded(seconds, 1e-3, fioSlack)
		out.Rates = append(out.Rates, Rated{Of: "reads or writes", Rate: s.IOPS, Count: s.Total, Seconds: seconds,
			Slack: slack},
			Rated{Of: "bytes", Rate: s.Bytes, Count: s.Moved, Seconds: seconds, Slack: slack})
		mean := s.Lat.Mean
		if mean == 0 {
			mean = s.Complete.Mean
		}
		out.InFlight += s.IOPS * mean * 1e-9
		out.Reached += s.IOPS
	}
	if out.Asked = o.rateAsked(); out.Asked > 0 || o.waits() {
		out.InFlight = 0 // fewer than may be
	}
	for i, j := range o.Jobs {
		if s := o.Jobs[i : i+1]; j.Runtime > 0 && j.Sync.Lat.N > 0 {
			seconds := 0.0
			for _, side := range (FioOutput{Jobs: s}).Sides() {
				seconds = max(seconds, side.Runtime/1000)
			}
			if seconds > 0 && out.InFlight > 0 {
				out.InFlight += j.Sync.Lat.N / seconds * j.Sync.Lat.Mean * 1e-9
			}
		}
	}
	if asked, done := o.bytesAsked(); asked > 0 && out.Asked == 0 {
		out.Asked, out.Reached, out.Unit = asked, done, "B/s"
	}
	if slices.ContainsFunc(o.Jobs, func(j fioJob) bool { return j.Steady.Attained == "0" }) {
		out.Doubts = append(out.Doubts, "fio did not reach the steady state that it was to run to (steadystate): its "+
			"figures "+
			"may still change")
	}
	if o.uneven != "" { // a job that ended early did not miss its rate
		out.Asked, out.Reached, out.Unit = 0, 0, ""
		out.Doubts = append(out.Doubts, "fio's jobs ran for "+o.uneven+": each rate is over the longest time")
	}
	return out
}

// bytesAsked returns the bytes/s that rate asks of all jobs, and those that they did; 0 if it is not set for each.
func (o FioOutput) bytesAsked() (sum, done float64) {
	copies := o.copies()
	for _, j := range o.Jobs {
		of := strings.Split(o.option(j, "rate"), ",")
		asked := 0.0
		for i, side := range []FioSide{j.Read, j.Write} {
			if side.Total > 0 {
				asked += fioBytes(of[min(i, len(of)-1)])
				done += side.Bytes
			}
		}
		if asked == 0 {
			return 0, 0
		}
		sum += asked * copies(j)
	}
	return sum, done
}

// fioBytes reads an amount as fio does by default (kb_base=1024): its prefixes are powers of two, also of "20m" and
// "20MB", and "20MiB" is the same. 0 if it is none.
func fioBytes(option string) float64 {
	if option == "" || option == "0" {
		return 0
	}
	m := regexp.MustCompile(`^(?i)([0-9]+)([kmgtp]?)(?:i?b)?$`).FindStringSubmatch(option)
	if m == nil {
		return 0
	}
	power := 0
	if m[2] != "" {
		power = 1 + strings.Index("kmgtp", strings.ToLower(m[2]))
	}
	return stated(m[1]) * math.Pow(1<<10, float64(power))
}

// rateAsked returns the operations/s that rate_iops asks of all jobs; 0 if it is not set for each.
func (o FioOutput) rateAsked() (sum float64) {
	copies := o.copies()
	for _, j := range o.Jobs {
		read, write, two := strings.Cut(o.option(j, "rate_iops"), ",")
		if !two {
			write = read
		}
		write, _, _ = strings.Cut(write, ",")
		asked := 0.0
		if j.Read.Total > 0 {
			asked += stated(read)
		}
		if j.Write.Total > 0 {
			asked += stated(write)
		}
		if asked == 0 {
			return 0
		}
		sum += asked * copies(j)
	}
	return sum
}

// waits reports whether jobs waited by their options, and not for the device.
func (o FioOutput) waits() bool {
	return slices.ContainsFunc(o.Jobs, func(j fioJob) bool {
		for _, name := range []string{"rate", "rate_iops", "thinktime", "flow", "rate_process"} {
			if v := o.option(j, name); v != "" && v != "0" {
				return true
			}
		}
		return false
	})
}

// option returns an option of a job.
func (o FioOutput) option(j fioJob, name string) string {
	if v, ok := j.Options[name]; ok {
		return v
	}
	return o.Global[name]
}

// copies returns how many jobs are reported as one: those of its numjobs, if its host reports no other.
func (o FioOutput) copies() func(fioJob) float64 {
	of := map[string]int{}
	for _, j := range o.Jobs {
		of[j.Host]++
	}
	return func(j fioJob) float64 {
		if of[j.Host] == 1 {
			return fioCount(o.option(j, "numjobs"))
		}
		return 1
	}
}

// Outcomes counts the reads and writes of all jobs, and the errors despite which they continued.
func (o FioOutput) Outcomes() record.LoadUse {
	total, errors := 0.0, 0.0
	for _, s := range o.Sides() {
		total += s.Total
	}
	for _, j := range o.Jobs {
		errors += j.Errors
	}
	return outcomes(total, map[string]float64{"io": errors})
}

// fioQuantile returns a percentile of latency over all jobs and directions, in seconds; 0 if unknown, which without
// bins is the case if there is more than one of them.
func fioQuantile(sides []FioSide, percent float64) float64 {
	sum := map[float64]float64{}
	total := 0.0
	for _, s := range sides {
		l := s.Lat
		if len(l.Percentile) == 0 && len(l.Bins) == 0 {
			l = s.Complete
		}
		if len(l.Bins) == 0 {
			if len(sides) > 1 {
				return 0
			}
			return l.Percentile[strconv.FormatFloat(percent, 'f', 6, 64)] * 1e-9
		}
		for at, n := range l.Bins {
			if ns, err := strconv.ParseFloat(at, 64); err == nil && n > 0 {
				sum[ns] += n
				total += n
			}
		}
	}
	seen := 0.0
	for _, ns := range slices.Sorted(maps.Keys(sum)) {
		if seen += sum[ns]; seen >= percent/100*total {
			return ns * 1e-9
		}
	}
	return 0
}

// FioTool reads the output of fio.
func FioTool() Tool {
	return Tool{Name: Fio, Doc: "output of fio: --output-format=json+ (best), json, or its plain text", Read: readFioRuns,
		Marks: Marks{Looks: "JSON with `fio version`, or a line `job: (groupid=0, jobs=1): err= 0: pid=…`",
			Match: func(head []byte) bool { return isFioJSON(head) || isFioText(head) || isFioTerse(head) }}}
}

// isFioJSON reports whether a file has a document of fio, in whatever order and layout, maybe behind messages.
func isFioJSON(head []byte) bool {
	has := func(key string) bool { return bytes.Contains(head, []byte(`"`+key+`"`)) }
	return (has("fio version") || has("jobname") && has("groupid")) && regexp.MustCompile(`(?m)^\s*[{[]`).Match(head)
}

// isFioTerse reports whether a file has the lines of fio --minimal, of versions 3 and up of that format.
func isFioTerse(head []byte) bool { return AnyLine(`^[3-9];fio-[0-9]`)(head) }

// readFioRuns reads an output in whatever form it is; JSON, if it is there twice.
func readFioRuns(out []byte, b Bounds) ([]Run, error) {
	switch json := isFioJSON(out); {
	case !json && isFioText(out):
		return runsOf(readFioText)(out, b)
	case !json && isFioTerse(out):
		return nil, errors.New("the terse output of fio (--minimal) is not read: it states neither rw nor iodepth\nhint: " +
			"fio --output-format=json+, or its plain text")
	case json && bytes.HasPrefix(bytes.TrimSpace(out), []byte("[")):
		return nil, errors.New("a list of documents, and fio writes one\nhint: keep the document of each run in a file of " +
			"its own")
	}
	o, err := ReadFio(out, b)
	return []Run{o}, err
}

// Params returns the parameters of the jobs.
func (o FioOutput) Params() record.Params {
	params, _ := o.asked()
	return params
}

// Load returns the operations in flight of all jobs.
func (o FioOutput) Load() (record.LoadPoint, error) {
	_, load := o.asked()
	for _, j := range o.Jobs {
		if j.unknown {
			return load, noLoad("fio's text does not state the depth of each job here\nhint: set what was in flight with " +
				"--load N, or use fio --output-format=json+")
		}
		if o.searches(j) && j.Found == 0 {
			return load, noLoad("fio searched for the depth of a latency_target, and it is not stated here (latency_depth)\n" +
				"hint: set what was in flight with --load N")
		}
		asked, most := o.depth(j), j.deepest()
		if most > 0 && 2*most < asked && !o.waits() {
			return load, noLoad(fmt.Sprintf("fio was asked for %.0f in flight (iodepth) and had %.0f at most "+
				"(iodepth_level)\nhint: set what was in flight with --load N; without direct=1 most systems have one", asked, most))
		}
	}
	return load, nil
}

// fioSynchronous returns the engines that have one operation in flight, whatever the iodepth.
func fioSynchronous() []string {
	return []string{"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "falloc", "ftruncate", "dev-dax", "filecreate",
		"filestat", "filedelete"}
}

// depth returns the operations that a job keeps in flight by its options.
func (o FioOutput) depth(j fioJob) float64 {
	if o.searches(j) {
		return j.Found
	}
	engine, depth := o.option(j, "ioengine"), fioCount(o.option(j, "iodepth"))
	if slices.Contains(fioSynchronous(), engine) || engine == "" && j.deepest() == 1 {
		return 1
	}
	return depth
}

// searches reports whether a job looks for the depth at which its latencies are below a target.
func (o FioOutput) searches(j fioJob) bool {
	target := o.option(j, "latency_target")
	return target != "" && target != "0"
}

// leastDeep is the share of submissions, %, below which a depth counts as not reached.
const leastDeep = 1

// deepest returns the most that a job had in flight, by iodepth_level, which states classes up to 64 and more; 0 if
// that is not stated.
func (j fioJob) deepest() float64 {
	most := 0.0
	for class, share := range j.Depths {
		if share < leastDeep {
			continue
		}
		switch at, open := strings.CutPrefix(class, ">="); {
		case open:
			most = math.Inf(1)
		case class == "1":
			most = max(most, 1)
		default:
			most = max(most, 2*stated(at)-1)
		}
	}
	return most
}

// asked returns the parameters that distinguish runs of fio, from its options, and the load: as many operations in
// flight as the depths of all jobs together.
func (o FioOutput) asked() (record.Params, record.LoadPoint) {
	copies := o.copies()
	params, level := record.Params{}, 0.0
	for _, name := range []string{"rw", "readwrite", "bs", "blocksize", "ioengine", "direct", "size", "fsync",
		"fdatasync", "rwmixread"} {
		var values []string
		seen := map[string]bool{"": true}
		for _, j := range o.Jobs {
			if v := o.option(j, name); !seen[v] {
				seen[v] = true
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			params[name] = strings.Join(values, "+")
		}
	}
	for _, j := range o.Jobs {
		level += o.depth(j) * copies(j)
	}
	o.unusual(params)
	return params, record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}
}

func fioCount(option string) float64 {
	n, err := strconv.ParseUint(option, 10, 20)
	if err != nil || n == 0 {
		return 1
	}
	return float64(n)
}
