package reader

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// JMeter is the format of JMeter's results: samples as CSV or XML, and statistics.json of its dashboard.
const JMeter = "jmeter"

// JMeterTool returns JMeter.
func JMeterTool() Tool {
	return Tool{Name: JMeter, Doc: "results of JMeter: a .jtl as CSV or XML, statistics.json of the dashboard, or its " +
		"summary",
		Read: runsOf(readJMeter), Marks: either(
			lineLike("CSV with `timeStamp,elapsed,label`", `^timeStamp[,;\t|]elapsed[,;\t|]`),
			lineLike("XML with `<testResults`", `^<testResults `),
			jsonLike("JSON with `sampleCount` and `meanResTime`", `\{`, "sampleCount", "meanResTime", "Total"),
			lineLike("a line `summary = … Avg:`", `summary = +[0-9]+ in `))}
}

// jmeterLoad is why there is no load.
const jmeterLoad = "JMeter's threads are not stated here\nhint: set them with --load N (the threads of its groups)"

// readJMeter reads the result of a run in whatever form it is.
func readJMeter(out []byte, b Bounds) ([]loadRun, error) {
	head := bytes.TrimSpace(out)
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		return readJMeterJSON(out, b)
	case bytes.HasPrefix(head, []byte("<")):
		return readJMeterXML(out, b)
	case bytes.HasPrefix(head, []byte("timeStamp")):
		return readJMeterCSV(head, b)
	}
	return readJMeterSummary(out, b)
}

// jmeterSamples adds samples up. Times are in ms.
type jmeterSamples struct {
	elapsed       []float64
	spans         [][2]float64 // begin and end of each
	from, to      float64
	failed, bytes float64
	threads       float64                 // the most that ran at once
	atMost        int                     // samples with that many
	transactions  int                     // sums of other samples
	sums          map[string][][2]float64 // their spans, by thread
	parts         map[string][]float64    // begins of the others, by thread
	labels        map[string]bool
}

// jmeterSample is one sample, with the columns of CSV and the attributes of XML as they are.
type jmeterSample struct {
	label, at, elapsed, idle, message, thread string
	ok                                        bool
	bytes, threads                            float64
}

// transactionOf marks the sample of a transaction, which is the sum of others.
const transactionOf = "Number of samples in transaction : "

// add adds a sample.
func (s *jmeterSamples) add(one jmeterSample) error {
	start, err := Number(one.at)
	if err != nil {
		return fmt.Errorf("the time %s of a sample of JMeter is not in ms\nhint: leave jmeter.save.saveservice."+
			"timestamp_format as it is", Brief(one.at))
	}
	ms, err := Number(one.elapsed)
	if err != nil || ms < 0 {
		return fmt.Errorf("%s is not how many ms a sample of JMeter took", Brief(one.elapsed))
	}
	if s.labels == nil {
		s.labels, s.from = map[string]bool{}, math.Inf(1)
		s.sums, s.parts = map[string][][2]float64{}, map[string][]float64{}
	}
	if strings.HasPrefix(one.message, transactionOf) {
		s.transactions++
		s.sums[one.thread] = append(s.sums[one.thread], [2]float64{start, start + ms + stated(one.idle)})
		return nil
	}
	s.parts[one.thread] = append(s.parts[one.thread], start)
	s.labels[one.label] = true
	s.elapsed, s.spans = append(s.elapsed, ms), append(s.spans, [2]float64{start, start + ms})
	s.from, s.to = min(s.from, start), max(s.to, start+ms)
	if !one.ok {
		s.failed++
	}
	s.bytes += one.bytes
	if one.threads > s.threads {
		s.threads, s.atMost = one.threads, 0
	}
	if one.threads == s.threads {
		s.atMost++
	}
	return nil
}

// partless returns how many transactions have no sample of their thread within their time: JMeter leaves the samples
// out of CSV if each transaction is to be their parent.
func (s *jmeterSamples) partless() (n int) {
	for thread, sums := range s.sums {
		begins := s.parts[thread]
		slices.Sort(begins)
		for _, span := range sums {
			at, _ := slices.BinarySearch(begins, span[0])
			if span[1] > span[0] && (at == len(begins) || begins[at] >= span[1]) {
				n++
			}
		}
	}
	return n
}

// An idle time ends a run if it is over this share of the time, and over this many times the mean between samples.
const (
	mostIdle     = 0.1
	idleSpacings = 5
)

// jmeterRamp is the share of samples at which fewer threads than the most may run: while they start and end.
const jmeterRamp = 0.1

// idle returns the longest time in which no sample was in flight, ms.
func (s *jmeterSamples) idle() (longest float64) {
	slices.SortFunc(s.spans, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	ended := s.from
	for _, span := range s.spans {
		longest, ended = max(longest, span[0]-ended), max(ended, span[1])
	}
	return longest
}

// run returns the run of all samples.
func (s *jmeterSamples) run(b Bounds) ([]loadRun, error) {
	if n := s.partless(); 2*n > s.transactions {
		return nil, fmt.Errorf("%d of %d transactions of JMeter are here without the samples in them, so that its "+
			"figures lack these samples\nhint: \"Generate parent sample\" leaves them out of CSV: turn it off, or "+
			"write XML (-Jjmeter.save.saveservice.output_format=xml)", n, s.transactions)
	}
	if len(s.elapsed) == 0 || !(s.to > s.from) {
		return nil, errors.New("JMeter completed no samples\nhint: see jmeter.log")
	}
	if s.transactions > 0 {
		b.leave(fmt.Sprintf("%d samples of transactions of JMeter are left out: the samples in them are read",
			s.transactions))
	}
	leaveParts(b, "JMeter", len(s.labels))
	r := loadRun{tool: "JMeter", count: float64(len(s.elapsed)), seconds: (s.to - s.from) * 1e-3, load: jmeterLoad,
		failed: map[string]float64{"failed": s.failed}}
	r.received = s.bytes / r.seconds
	if idle := s.idle() * 1e-3; idle > mostIdle*r.seconds && idle > idleSpacings*r.seconds/r.count {
		r.account.Broken = fmt.Sprintf("no sample was in flight for %.3g s of %.3g s: JMeter appends to a result file that "+
			"exists, so the file may have several runs", idle, r.seconds)
	}
	switch below := 1 - float64(s.atMost)/r.count; {
	case s.threads > 0 && below > jmeterRamp:
		r.load = fmt.Sprintf("JMeter's threads vary, so that its load is not one number: %.0f at most, and fewer at "+
			"%.0f%% of the samples\nhint: set it with --load N (threads), or leave out the samples of the ramp", s.threads,
			100*below)
	case s.threads > 0:
		r.clients = strconv.FormatFloat(s.threads, 'f', -1, 64)
	}
	slices.Sort(s.elapsed)
	sum := 0.0
	for _, ms := range s.elapsed {
		sum += ms
	}
	n := len(s.elapsed)
	r.latencies = latencies{mean: sum / float64(n) * 1e-3, least: s.elapsed[0] * 1e-3, most: s.elapsed[n-1] * 1e-3}
	for _, percent := range []int{50, 90, 95, 99} {
		r.latencies.set(strconv.Itoa(percent), s.elapsed[max(0, (n*percent+99)/100-1)]*1e-3)
	}
	return []loadRun{r}, nil
}

func readJMeterCSV(out []byte, b Bounds) ([]loadRun, error) {
	if err := few(out, "\n", b.Lines, "lines"); err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(out))
	rows.Comma = rune(out[len("timeStamp")])
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	first, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("CSV of JMeter: %w", err)
	}
	header := slices.Clone(first)
	at := func(name string) int { return slices.Index(header, name) }
	cell := func(row []string, at int) string {
		if at < 0 {
			return ""
		}
		return row[at]
	}
	stamp, elapsed, label, message, success, size, threads := at("timeStamp"), at("elapsed"), at("label"),
		at("responseMessage"), at("success"), at("bytes"), at("allThreads")
	idle, thread := at("IdleTime"), at("threadName")
	if message < 0 {
		b.leave("the CSV of JMeter has no column responseMessage, which marks transactions among the samples: if " +
			"there are any, both count (jmeter.save.saveservice.response_message=true)")
	}
	if success < 0 {
		return nil, errors.New("the CSV of JMeter has no column success, which tells what failed\nhint: set " +
			"jmeter.save.saveservice.successful=true")
	}
	var s jmeterSamples
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return s.run(b)
		}
		if err != nil {
			return nil, fmt.Errorf("CSV of JMeter: %w", err)
		}
		if len(row) != len(header) {
			return nil, fmt.Errorf("the row %s has %d cells, its header has %d\nhint: the file may be cut off",
				Brief(strings.Join(row, ",")), len(row), len(header))
		}
		err = s.add(jmeterSample{label: strings.Clone(cell(row, label)), at: cell(row, stamp), elapsed: cell(row, elapsed),
			idle: cell(row, idle), message: cell(row, message), thread: strings.Clone(cell(row, thread)),
			ok: cell(row, success) == "true", bytes: stated(cell(row, size)), threads: stated(cell(row, threads))})
		if err != nil {
			return nil, err
		}
	}
}

// readJMeterXML reads the samples of the first level: those in them are their parts. Only those in a transaction are
// samples too.
func readJMeterXML(out []byte, b Bounds) ([]loadRun, error) {
	if err := few(out, "<", 8*b.Items, "elements"); err != nil {
		return nil, err
	}
	in := xml.NewDecoder(bytes.NewReader(out))
	var s jmeterSamples
	depth, level := 0, 2
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return s.run(b)
		}
		if err != nil {
			return nil, fmt.Errorf("XML of JMeter: %w\nhint: the file may be cut off", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth++; depth != level || e.Name.Local != "httpSample" && e.Name.Local != "sample" {
				continue
			}
			of := map[string]string{}
			for _, a := range e.Attr {
				of[a.Name.Local] = a.Value
			}
			err := s.add(jmeterSample{label: of["lb"], at: of["ts"], elapsed: of["t"], idle: of["it"], message: of["rm"],
				thread: of["tn"], ok: of["s"] == "true", bytes: stated(of["by"]), threads: stated(of["na"])})
			if err != nil {
				return nil, err
			}
			if strings.HasPrefix(of["rm"], transactionOf) {
				level++
			}
		case xml.EndElement:
			if depth--; depth < level-1 {
				level--
			}
		}
	}
}

// jmeterStatistics is an entry of statistics.json. Times are in ms.
type jmeterStatistics struct {
	Count  float64 `json:"sampleCount"`
	Errors float64 `json:"errorCount"`
	Mean   float64 `json:"meanResTime"`
	Median float64 `json:"medianResTime"`
	Least  float64 `json:"minResTime"`
	Most   float64 `json:"maxResTime"`
	P1     float64 `json:"pct1ResTime"`
	P2     float64 `json:"pct2ResTime"`
	P3     float64 `json:"pct3ResTime"`
	Rate   float64 `json:"throughput"`
	KB     float64 `json:"receivedKBytesPerSec"`
}

// jmeterTotal is the entry that sums all others up.
const jmeterTotal = "Total"

func readJMeterJSON(out []byte, b Bounds) ([]loadRun, error) {
	if err := sparse(out, b.Items); err != nil {
		return nil, err
	}
	var all map[string]jmeterStatistics
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, notJSON(err, out)
	}
	total, ok := all[jmeterTotal]
	if !ok {
		return nil, errors.New("the statistics of JMeter have no Total\nhint: import statistics.json of the dashboard as " +
			"it is")
	}
	count, failed := 0.0, 0.0
	for name, e := range all {
		if name != jmeterTotal {
			count, failed = count+e.Count, failed+e.Errors
		}
	}
	if len(all) > 1 && (count != total.Count || failed != total.Errors) {
		return nil, fmt.Errorf("JMeter's Total has %.0f samples and %.0f errors, and its entries have %.0f and "+
			"%.0f\nhint: the "+
			"file was edited, or transactions count their samples again: import the .jtl", total.Count, total.Errors, count,
			failed)
	}
	leaveParts(b, "JMeter", len(all)-1)
	b.leave("JMeter's statistics do not state which percentiles pct1ResTime, pct2ResTime and pct3ResTime are: they are " +
		"left " +
		"out; a .jtl has them")
	r := loadRun{tool: "JMeter", rate: total.Rate, count: total.Count, load: jmeterLoad,
		failed: map[string]float64{"failed": total.Errors}, received: total.KB * (1 << 10)}
	r.latencies = latencies{mean: total.Mean * 1e-3, least: total.Least * 1e-3, most: total.Most * 1e-3}
	r.latencies.set("med", total.Median*1e-3)
	return []loadRun{r}, nil
}

// jmeterSlack is by how much the rate of a summary may differ from its count and time, which has whole seconds.
const jmeterSlack = 0.02

// clockSeconds reads 00:01:02 and, of old versions, 62.1; 0 if it is neither.
func clockSeconds(text string) (s float64) {
	for part := range strings.SplitSeq(text, ":") {
		s = 60*s + stated(part)
	}
	return s
}

// readJMeterSummary reads what JMeter prints without a window: the last sum of a run.
func readJMeterSummary(out []byte, b Bounds) ([]loadRun, error) {
	sum := regexp.MustCompile(`summary = +([0-9]+) in +([0-9:.]+)s? = +([0-9.]+)/s Avg: +([0-9]+) Min: +([0-9]+) Max: +` +
		`([0-9]+) Err: +([0-9]+) \(`)
	ended := false
	var runs []loadRun
	err := b.scan(out, `summary [=+] +[0-9]+ in `, func(line string) bool {
		if strings.HasPrefix(line, "Starting standalone test") {
			ended = true
		}
		m := sum.FindStringSubmatch(line)
		if m == nil {
			return strings.Contains(line, "summary + ") // of a part
		}
		r := loadRun{tool: "JMeter", count: stated(m[1]), rate: stated(m[3]), load: jmeterLoad,
			failed: map[string]float64{"failed": stated(m[7])}}
		r.latencies = latencies{mean: stated(m[4]) * 1e-3, least: stated(m[5]) * 1e-3, most: stated(m[6]) * 1e-3}
		took := clockSeconds(m[2])
		r.account.Rates = []Rated{{Of: "samples", Rate: r.rate, Count: r.count, Seconds: took,
			Slack: rounded(took, 1, jmeterSlack)}}
		if ended || len(runs) == 0 || runs[len(runs)-1].count > r.count {
			runs, ended = append(runs, r), false
		} else {
			runs[len(runs)-1] = r
		}
		return true
	})
	return some(runs, err, out, "results of JMeter", "use the file of -l")
}
