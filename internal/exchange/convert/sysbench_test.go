package convert

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// lines are those of a text of which is says so.
func linesOf(text string, is func(line string) bool) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if is(line) {
			out.WriteString(line)
		}
	}
	return out.String()
}

func isRow(line string) bool { return strings.Count(line, ",") == 9 }

func sysbenchTrials(t *testing.T, text string, o Options) (*Batch, []record.Trial) {
	t.Helper()
	o.File, o.Machine, o.Replicate = "f", "m", Unnumbered
	b, trials := imported(t, formatOf(reader.SysbenchTool()), text, o)
	return b, trials
}

// TestSysbenchParts: whatever part of an output was kept, it is the same run.
func TestSysbenchParts(t *testing.T) {
	whole := string(fioCapture(t, "sysbench-csv.txt"))
	rows := linesOf(whole, isRow)
	_, statistics, _ := strings.Cut(whole, "SQL statistics:\n")
	errors := string(fioCapture(t, "sysbench-oltp-errors.txt"))
	reports := linesOf(errors, func(line string) bool { return strings.HasPrefix(line, "[ ") })
	two := record.LoadPoint{Kind: record.Closed, Level: 2, Unit: record.ParamClients}
	for name, c := range map[string]struct {
		text  string
		load  record.LoadPoint
		rate  float64
		steps int
		runs  int
	}{
		"whole":                      {whole, record.LoadPoint{}, 68040.8, 32, 1},
		"without its head":           {whole[strings.Index(whole, "1,2,"):], record.LoadPoint{}, 68040.8, 32, 1},
		"a line of the head is left": {"Number of threads: 2\n" + statistics, record.LoadPoint{}, 68040.8, 0, 1},
		"statistics":                 {"SQL statistics:\n" + statistics, two, 68040.8, 0, 1},
		"statistics without heading": {statistics, two, 68040.8, 0, 1},
		"statistics twice":           {statistics + statistics, two, 68040.8, 0, 2},
		"rows":                       {rows, record.LoadPoint{}, 68040.8, 32, 1},
		"rows twice":                 {rows + rows, record.LoadPoint{}, 68040.8, 32, 2},
		"rows under a header": {"time,thds,tps,qps,r,w,o,lat95,err/s,reconn/s\n" + rows, record.LoadPoint{}, 68040.8,
			32, 1},
		"rows under another header": {"Time, Threads, x, y\n" + "\"time\",tps,threads\n1,100,4\n2,300,4\n",
			record.LoadPoint{}, 200, 2, 1},
		"rows from the middle on":     {rows[strings.Index(rows, "\n11,2,")+1:], record.LoadPoint{}, 57337.5, 22, 1},
		"reports":                     {reports, record.LoadPoint{}, 558.3, 40, 1},
		"reports and rows":            {reports + rows, record.LoadPoint{}, 0, 0, 2},
		"whole twice, with text":      {"a\n" + whole + "b\n" + errors, record.LoadPoint{}, 0, 0, 2},
		"statistics, then the whole":  {whole[strings.Index(whole, "SQL"):] + whole, two, 68040.8, 0, 2},
		"rows of threads that finish": {"1,4,100,0,0,0,0,1,0,0\n2,1,100,0,0,0,0,1,0,0\n", record.LoadPoint{}, 100, 2, 1},
	} {
		b, trials := sysbenchTrials(t, c.text, Options{Load: c.load})
		if len(trials) != c.runs {
			t.Errorf("%s: %d trials, want %d", name, len(trials), c.runs)
			continue
		}
		if v, ok := trials[0].Value(record.Throughput); !ok || c.rate > 0 && math.Abs(v.Value/c.rate-1) > .03 {
			t.Errorf("%s: %+v, want %g", name, v, c.rate)
		}
		ops := slices.IndexFunc(b.Series(trials[0]), func(s record.Series) bool {
			return s.Name == "ops" && s.StepNs == 1e9 && s.Trial == trials[0].ID
		})
		if c.steps == 0 {
			continue
		}
		if ops < 0 {
			t.Errorf("%s: no series", name)
			continue
		}
		counts, err := session.DecodeWindows(b.Series(trials[0])[ops].Data)
		if err != nil || len(counts) != c.steps || math.Abs(trials[0].DurationS-float64(c.steps)) > .1 {
			t.Errorf("%s: %v, %d steps in %g s", name, err, len(counts), trials[0].DurationS)
		}
	}
}

// TestSysbenchReports: the figures stand in the captures.
func TestSysbenchReports(t *testing.T) {
	for _, c := range []struct {
		file, series string
		first, steps int64
	}{
		{"sysbench-oltp-errors.txt", "ops", 753, 40}, {"sysbench-oltp-errors.txt", "errors", 10, 40},
		{"sysbench-cpu-report.txt", "ops", 2131, 4}, {"sysbench-fileio-report.txt", "bytes", 883477709, 3},
	} {
		b, trials := sysbenchTrials(t, string(fioCapture(t, c.file)), Options{})
		at := slices.IndexFunc(b.Series(trials[0]), func(s record.Series) bool { return s.Name == c.series })
		if at < 0 {
			t.Errorf("%s: no %s", c.file, c.series)
			continue
		}
		got, err := session.DecodeWindows(b.Series(trials[0])[at].Data)
		if err != nil || got[0] != c.first || int64(len(got)) != c.steps {
			t.Errorf("%s: %v, %v", c.file, got, err)
		}
	}
	_, trials := sysbenchTrials(t, string(fioCapture(t, "sysbench-oltp-errors.txt")), Options{})
	if g := trials[0].Generator; g == nil || g.Done != 22332 || g.Errors != 312 {
		t.Errorf("%+v", g)
	}
	reports := linesOf(string(fioCapture(t, "sysbench-oltp-errors.txt")),
		func(line string) bool { return strings.HasPrefix(line, "[ ") })
	_, trials = sysbenchTrials(t, reports, Options{})
	if g := trials[0].Generator; g == nil || math.Abs(float64(g.Done)-22332) > 100 || math.Abs(float64(g.Errors)-312) > 5 {
		t.Errorf("of the reports alone: %+v", g)
	}
}

// TestSysbenchGaps: where seconds are missing there is no timeline, and the mean is over the time that the reports are
// of.
func TestSysbenchGaps(t *testing.T) {
	row := func(at int, tps float64) string { return fmt.Sprintf("%d,2,%g,0,0,0,0,1,0,0\n", at, tps) }
	b, trials := sysbenchTrials(t, row(1, 100)+row(2, 100)+row(5, 200)+row(6, 100), Options{})
	if v, _ := trials[0].Value(record.Throughput); len(b.Series(trials[0])) != 0 || math.Abs(v.Value-150) > 1e-9 ||
		len(trials[0].Doubts) != 1 || trials[0].DurationS != 6 {
		t.Errorf("%+v", trials[0])
	}
	b, trials = sysbenchTrials(t, row(10, 100)+row(20, 300)+row(30, 200), Options{})
	if s := b.Series(trials[0]); len(s) != 1 || s[0].StepNs != 10e9 || len(trials[0].Doubts) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestSysbenchTestsAreBenchmarks: its built-in tests have nothing in common, and each its parameters.
func TestSysbenchTestsAreBenchmarks(t *testing.T) {
	capture := func(name string) string { return string(fioCapture(t, "sysbench-"+name+".txt")) }
	memory := record.Params{"block_size": "1KiB", "total_size": "102400MiB", "operation": "write", "scope": "global"}
	files := record.Params{"files": "4", "file_size": "8MiB", "block_size": "16KiB", "mode": "random r/w",
		"io_mode": "synchronous", "fsync_each": "100"}
	_, statistics, _ := strings.Cut(capture("cpu"), "Threads started!")
	_, mutex, _ := strings.Cut(capture("mutex"), "Threads started!")
	two := record.LoadPoint{Kind: record.Closed, Level: 2, Unit: record.ParamClients}
	for name, c := range map[string]struct {
		text, file, workload, want string
		params                     record.Params
		load                       record.LoadPoint
	}{
		"cpu":               {text: capture("cpu"), want: "sysbench-cpu", params: record.Params{"prime_limit": "10000"}},
		"statistics of cpu": {text: statistics, want: "sysbench-cpu", load: two},
		"memory":            {text: capture("memory"), want: "sysbench-memory", params: memory},
		"named memory":      {text: capture("memory"), workload: "w", want: "w", params: record.Params{"test": "memory"}},
		"memory that reads": {text: capture("memory-read"), want: "sysbench-memory",
			params: record.Params{"operation": "read"}},
		"fileio":            {text: capture("fileio"), want: "sysbench-fileio", params: files},
		"threads by file":   {text: capture("threads"), file: "m5/sysbench-threads-1.txt", want: "sysbench-threads"},
		"mutex by folder":   {text: capture("mutex"), file: "m5/mutex/run2_8threads.txt", want: "sysbench-mutex"},
		"mutex by command":  {text: "+ sysbench mutex --threads=2 run\n" + capture("mutex"), want: "sysbench-mutex"},
		"mutex of the user": {text: capture("mutex"), workload: "sysbench-mutex", want: "sysbench-mutex"},
		"mutex, verbose": {text: strings.Replace(capture("mutex"), "Initializing worker",
			"Doing mutex performance test\nInitializing worker", 1), want: "sysbench-mutex"},
		"not a word of it":   {text: capture("mutex"), file: "1.txt", want: ""},
		"its end alone":      {text: mutex, file: "1.txt", load: two, want: ""},
		"a script":           {text: capture("oltp-errors"), want: "sysbench"},
		"a script's seconds": {text: capture("csv"), want: "sysbench"},
		"fileio of 1.1": {text: "Number of threads: 2\nThroughput:\n         read:  IOPS=2119.53 33.12 MiB/s (34.73 MB/s)\n" +
			"         write: IOPS=1413.02 22.08 MiB/s (23.15 MB/s)\n         fsync: IOPS=4529.16\n\nLatency (ms):\n" +
			"         avg:                        0.25\n", want: "sysbench-fileio"},
	} {
		o := Options{File: "f", Name: c.file, Machine: "m", Workload: c.workload, Load: c.load, Replicate: Unnumbered}
		b, err := new(Import).Read(formatOf(reader.SysbenchTool()), strings.NewReader(c.text), o)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), "tests threads and mutex") ||
				!strings.Contains(err.Error(), "hint: ") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		trial := slices.Collect(b.Trials("p"))[0]
		if got := trial.Keys[record.KeyWorkload]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for param, want := range c.params {
			if got := trial.Keys[c.want+"."+param]; got != want {
				t.Errorf("%s: %s is %q, want %q", name, param, got, want)
			}
		}
	}
	both := capture("cpu") + capture("memory") + capture("fileio")
	b, trials := sysbenchTrials(t, both, Options{})
	if len(trials) != 3 || len(b.Plan("p").Cells) != 3 || len(b.Unread) != 0 {
		t.Errorf("in one file: %+v, %q", trials, b.Unread)
	}
}

func TestSysbenchRefused(t *testing.T) {
	for text, want := range map[string]string{
		"SQL statistics:\n    transactions:  990    (98.50 per sec.)\n": "f.txt: run 1: client count missing\nhint: set it " +
			"with --load N",
		"time,tps,threads\n1,100,4\n2,fast,4\n": `tps of the row "2,fast,4" is not a number`,
		"time,tps,threads\n1,100,4\n2,100\n":    `the row "2,100" has 2 cells`,
		"time,tps,threads\n1,0,4\n2,0,4\n":      "sysbench completed nothing",
		"a,b,c\n1,2,3\n":                        "no sysbench output",
	} {
		var im Import
		_, err := im.Read(formatOf(reader.SysbenchTool()), strings.NewReader(text), onMachine())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestGivenLoad: --load says what files lack, and contradicts none.
func TestGivenLoad(t *testing.T) {
	for text, want := range map[string]string{"64": "64 clients", "clients=2": "2 clients", "cpus=8": "8 cpus",
		"rate=500": "500/s", "": "", "0": "", "x": "", "1.5": "", "users=3": "", "cpus=": ""} {
		got, err := GivenLoad(text)
		if (err == nil) != (want != "") || err == nil && got.Key() != want {
			t.Errorf("%q: %q, %v", text, got.Key(), err)
		}
	}
	eight, _ := GivenLoad("8")
	o := onMachine()
	o.Load = eight
	for _, c := range []struct {
		format     Format
		text, want string
	}{
		{formatOf(reader.RdkafkaTool()), rdkafkaFailed, "8 clients"},
		{formatOf(reader.HyperfineTool()), hyperfineExport, "8 clients"},
		{formatOf(reader.WrkTool()), wrkFailed, "f.txt: run 1: the load is 16 clients here, but 8 clients in --load\nhint: "},
		{goFormat(), "BenchmarkX-2 1 2 ns/op\n", "f.txt:1: the load is 2 cpus here, but 8 clients in --load"},
		{csvFormat(), "machine,workload,replicate,metric,value,unit\nm,w,1,x,1,\n", "8 clients"},
		{csvFormat(), "machine,workload,replicate,load,metric,value,unit\nm,w,1,,x,1,\n", "8 clients"},
		{csvFormat(), "machine,workload,replicate,load,metric,value,unit\nm,w,1,4,x,1,\n",
			"f.txt:2: the load is 4 clients here"},
	} {
		var im Import
		b, err := im.Read(c.format, strings.NewReader(c.text), o)
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.format.Name, err, c.want)
			}
			continue
		}
		if got := slices.Collect(b.Trials("p"))[0].Load.Key(); got != c.want {
			t.Errorf("%s: %s, want %s", c.format.Name, got, c.want)
		}
	}
}

// FuzzImportSysbenchReports reads anything as reports of seconds.
func FuzzImportSysbenchReports(f *testing.F) {
	f.Add([]byte("1,4,100,0,0,0,0,1,0,0\n2,1,100,0,0,0,0,1,0,0\n"))
	f.Add([]byte("time,tps,err/s\n1,100,4\n1e300,1e300,4\n"))
	f.Add(fioCapture(f, "sysbench-fileio-report.txt"))
	f.Add([]byte("[ 1s ] thds: 4 tps: 753.11 qps: 15297.72 (r/w/o: 10732.73/3016.29/1548.70) lat (ms,95%): 8.58 err/s: " +
		"9.66 reconn/s: 0.00\n"))
	o := onMachine()
	o.Load = record.LoadPoint{Kind: record.Closed, Level: 1, Unit: record.ParamClients}
	fuzzFormat(f, formatOf(reader.SysbenchTool()), o)
}
