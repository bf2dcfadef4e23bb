package convert

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// runsIn returns the runs of one output.
func runsIn(t *testing.T, format, text string) []record.Trial {
	t.Helper()
	_, runs := imported(t, formatNamed(t, format), text, onMachine())
	return runs
}

// TestPartsOfK6AreNoRuns: what --summary-mode=full says of groups and scenarios is in the total already.
func TestPartsOfK6AreNoRuns(t *testing.T) {
	text := string(captured(t, "k6.txt"))
	at := strings.Index(text, "    HTTP\n")
	figures := strings.ReplaceAll(text[at:strings.Index(text, "    vus.")], "331.98", "1.5")
	runs := runsIn(t, reader.K6, text+"  \u2588 GROUP: login \n\n"+figures+"\n  \u2588 SCENARIO: evening \n\n"+figures)
	if len(runs) != 1 {
		t.Fatalf("%d runs", len(runs))
	}
	if v, _ := runs[0].Value(record.Throughput); v.Value < 3331 {
		t.Errorf("throughput %v", v.Value)
	}
	if twice := runsIn(t, reader.K6, text+text); len(twice) != 2 {
		t.Errorf("two outputs are %d runs", len(twice))
	}
}

// TestSeveralDocumentsOfFio: the states of --status-interval are no runs, and the first must not be taken for the
// whole.
func TestSeveralDocumentsOfFio(t *testing.T) {
	one := string(fioCapture(t, "fio-write-grouped.json"))
	for text, want := range map[string]string{one + one: "several documents of fio", one + "\nwrite: IOPS=34.0k\n": ""} {
		_, err := reader.ReadFio([]byte(text), reader.Limits())
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestUnlikeJobsOfFio: the load and the parameters are those of all jobs.
func TestUnlikeJobsOfFio(t *testing.T) {
	o, err := reader.ReadFio([]byte(`{"fio version":"fio-3.33","global options":{"bs":"4k"},"jobs":[
		{"jobname":"r","job options":{"rw":"randread","iodepth":"1"},"read":{"total_ios":5}},
		{"jobname":"w","job options":{"rw":"randwrite","iodepth":"32"},"write":{"total_ios":5}}]}`), reader.Limits())
	if err != nil {
		t.Fatal(err)
	}
	load, err := o.Load()
	if p := o.Params(); err != nil || load.Level != 33 || p["rw"] != "randread+randwrite" || p["bs"] != "4k" {
		t.Errorf("%v, %v, %v", load, p, err)
	}
}

// TestPicosecondsOfCriterion: a benchmark of less than a nanosecond is one, and its throughput is its own.
func TestPicosecondsOfCriterion(t *testing.T) {
	runs := runsIn(t, reader.Criterion, `a                       time:   [1.2000 ns 1.3000 ns 1.4000 ns]
                        thrpt:  [700.10 Melem/s 769.20 Melem/s 833.30 Melem/s]
b                       time:   [500.10 ps 501.20 ps 502.30 ps]
                        thrpt:  [1.9908 Gelem/s 1.9952 Gelem/s 1.9996 Gelem/s]
`)
	if len(runs) != 2 {
		t.Fatalf("%d runs", len(runs))
	}
	for i, want := range []float64{769.2e6, 1.9952e9} {
		if v, _ := runs[i].Value(record.Throughput); math.Abs(v.Value/want-1) > 1e-6 {
			t.Errorf("run %d: %v, want %v", i, v.Value, want)
		}
	}
	if v, _ := runs[1].Value("time"); math.Abs(v.Value/501.2e-12-1) > 1e-6 {
		t.Errorf("%v s", v.Value)
	}
}

// TestReadModifyWriteOfYCSB: it is the read and the update that are counted beside it.
func TestReadModifyWriteOfYCSB(t *testing.T) {
	runs := runsIn(t, reader.YCSB, `Command line: -db site.ycsb.BasicDB -P workloads/workloadf -threads 4 -t
[OVERALL], RunTime(ms), 1000
[OVERALL], Throughput(ops/sec), 1000.0
[READ], Operations, 1000
[READ], AverageLatency(us), 100.0
[UPDATE], Operations, 500
[UPDATE], AverageLatency(us), 300.0
[READ-MODIFY-WRITE], Operations, 500
[READ-MODIFY-WRITE], AverageLatency(us), 400.0
`)
	if len(runs) != 1 || runs[0].Generator == nil || runs[0].Generator.Done != 1000 {
		t.Fatalf("%+v", runs)
	}
	if v, _ := runs[0].Value(record.Latency); math.Abs(v.Value/250e-6-1) > 1e-9 {
		t.Errorf("mean latency %v s", v.Value)
	}
}
