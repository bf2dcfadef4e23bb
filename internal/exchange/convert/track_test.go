package convert

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

const timed = "machine,workload,replicate,load,at,metric,value,unit\n"

// steps returns rows of a timeline with so many steps of 10 s.
func steps(n int, rate float64) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "a,tpcc,0,16,%d,throughput,%g,op/s\n", 10*i, rate)
	}
	return out.String()
}

// TestTimelineOfCSV: rows with a time are one run's timeline, wherever they stand, and no replicates.
func TestTimelineOfCSV(t *testing.T) {
	for name, text := range map[string]string{
		"after the run's values":  "a,tpcc,0,16,,throughput,100.5,op/s\n" + steps(3, 100.25),
		"before the run's values": steps(3, 100.25) + "a,tpcc,0,16,,throughput,100.5,op/s\n",
		"among other runs": "a,tpcc,0,16,,throughput,100.5,op/s\na,tpcc,0,32,,throughput,5,op/s\n" + steps(3, 100.25) +
			"a,tpcc,0,64,,throughput,5,op/s\n",
	} {
		b, trials := imported(t, csvFormat(), timed+text, given())
		one := trials[slices.IndexFunc(trials, func(t record.Trial) bool { return t.Load.Level == 16 })]
		series := b.Series(one)
		if v, _ := one.Value(record.Throughput); v.Value != 100.5 || one.DurationS != 30 || len(series) != 1 {
			t.Fatalf("%s: %+v, %+v", name, one, series)
		}
		counts, err := session.DecodeWindows(series[0].Data)
		if s := series[0]; err != nil || s.Name != "ops" || s.Unit != "op" || s.StepNs != 10e9 ||
			!slices.Equal(counts, []int64{1003, 1002, 1003}) { // 1002.5 a step, whole numbers with the same sum
			t.Errorf("%s: %+v of %v, %v", name, s, counts, err)
		}
	}
}

// TestTimelineGivesTheThroughput if the file does not state it: the steps are the run.
func TestTimelineGivesTheThroughput(t *testing.T) {
	b, trials := imported(t, csvFormat(), timed+steps(4, 250)+
		"a,tpcc,0,16,0,errors,0,op/s\na,tpcc,0,16,10,errors,1,op/s\na,tpcc,0,16,20,errors,0,op/s\n"+
		"a,tpcc,0,16,30,errors,0,op/s\n",
		given())
	if v, ok := trials[0].Value(record.Throughput); !ok || v.Value != 250 || len(trials) != 1 ||
		len(b.Series(trials[0])) != 2 {
		t.Errorf("%+v", trials)
	}
	_, trials = imported(t, csvFormat(), timed+"a,copy,0,1,0,throughput,2,MB/s\na,copy,0,1,0.5,throughput,0,MB/s\n",
		Options{Replicate: Unnumbered})
	if v, _ := trials[0].Value(record.Throughput); v.Value != 1e6 || v.Unit != "B/s" || trials[0].DurationS != 1 {
		t.Errorf("%+v", trials)
	}
}

func TestTimelineRefusals(t *testing.T) {
	run := "a,tpcc,0,16,,throughput,100,op/s\n"
	for text, want := range map[string]string{
		"a,tpcc,0,16,10,throughput,1,op/s\n":                                     "the timeline begins at 10 s",
		"a,tpcc,0,16,-1,throughput,1,op/s\n":                                     "not a number of seconds",
		"a,tpcc,0,16,0:10,throughput,1,op/s\n":                                   "not a number of seconds",
		"a,tpcc,0,16,0,throughput,1,op/s\n":                                      "a timeline of one step",
		"a,tpcc,0,16,0,throughput,1,op/s\na,tpcc,0,16,0,throughput,1,op/s\n":     "a step of 0 s",
		steps(3, 1) + "a,tpcc,0,16,50,throughput,1,op/s\n":                       "with steps of 10 s",
		"a,tpcc,0,16,0,latency_p95,1,ms\n":                                       "has no timeline",
		"a,tpcc,0,16,0,throughput,-1,op/s\n":                                     "not a number from 0",
		"a,tpcc,0,16,0,throughput,1e300,op/s\na,tpcc,0,16,1,throughput,1,op/s\n": "2^53",
		run + steps(3, 120): "the mean of the timeline is " +
			"stated as 100",
		steps(3, 1) + "a,tpcc,0,16,0,errors,0,op/s\na,tpcc,0,16,10,errors,0,op/s\n": "have 3 steps of 10 s and 2",
	} {
		_, err := new(Import).Read(csvFormat(), strings.NewReader(timed+text), given())
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), ":") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestReadingError: a value read off a chart has the error of the reading, in its unit or as a share.
func TestReadingError(t *testing.T) {
	const header = "machine,workload,replicate,load,metric,value,unit,reading_error\n"
	for cell, want := range map[string]float64{"1%": 40e6, "1 %": 40e6, "20": 20e6, "0": 0} {
		_, trials := imported(t, csvFormat(), header+"a,w,1,8,throughput,4000,MB/s,"+cell+"\n", given())
		if m := trials[0].Moments["throughput"]; m.N != 1 || m.SD != want || !m.Read {
			t.Errorf("%s: %+v", cell, m)
		}
		again(t, trials)
	}
	for cell, want := range map[string]string{"-1%": "from 0", "little": "a share"} {
		_, err := new(Import).Read(csvFormat(), strings.NewReader(header+"a,w,1,8,throughput,4,MB/s,"+cell+"\n"), given())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", cell, err)
		}
	}
	if _, err := new(Import).Read(csvFormat(),
		strings.NewReader(header+"a,w,1,8,throughput,4 ± 1 (n=3),MB/s,1%\n"), given()); err == nil ||
		!strings.Contains(err.Error(), "one of the two") {
		t.Errorf("a mean and a reading: %v", err)
	}
}

// TestPreface: comments stand above the header alone, and lines are counted with them.
func TestPreface(t *testing.T) {
	const rows = "machine,workload,replicate,load,metric,value,unit\n#1,w,0,8,throughput,4,op/s\n"
	b, trials := imported(t, csvFormat(), "# source: A page, 2021\n#what it is\n#source:its data\r\n"+rows, given())
	if b.Source.Source != "A page, 2021; its data" || trials[0].Keys[record.KeyMachine] != "#1" {
		t.Errorf("%+v, %+v", b.Source, trials)
	}
	if !isCSV([]byte("# pgbench: tps\n"+rows)) || isCSV([]byte("# only\n")) {
		t.Error("a header below comments is not recognised")
	}
	for text, want := range map[string]string{
		"# a\n" + rows + "a,w,0,8,throughput,x,op/s\n":        "f.csv:4: value \"x\"",
		"# a\n# b\n" + rows + "a,w,0\n":                       "f.csv:5: has 3 cells",
		"# a\n" + rows + "a,w\"x,0\n":                         "f.csv:4: ",
		"# source: a\x07b\n" + rows:                           "control character",
		"# source: " + strings.Repeat("x", 600) + "\n" + rows: "over the limit of 500",
		"# " + strings.Repeat("x", 5000) + "\n" + rows:        "more than 4 KiB",
		strings.Repeat("#\n", 101) + rows:                     "more than 100 lines",
		"# nothing\n":                                         "no header line",
	} {
		_, err := new(Import).Read(csvFormat(), strings.NewReader(text), given())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
}

// TestCopies: work side by side, a CPU each, is judged by what all copies handle together.
func TestCopies(t *testing.T) {
	_, trials := imported(t, csvFormat(), "machine,workload,replicate,load,load_kind,metric,value,unit,reading_error\n"+
		"a,build,0,8,copies,time,2,min,1%\na,build,0,8,copies,cpu,100,%,\na,build,0,1,copies,time,100,s,\n"+
		"a,build,0,4,cpus,time,100,s,\n", given())
	v, ok := trials[0].Value(record.Throughput)
	if m := trials[0].Moments; !ok || v.Value != 8./120 || v.Unit != "op/s" || v.Better != record.Higher ||
		math.Abs(m["throughput"].SD-v.Value/100) > 1e-12 || m["time"].SD != 1.2 || len(trials[0].Values) != 3 {
		t.Errorf("%+v", trials[0])
	}
	if l := trials[0].Load; l.Level != 8 || l.Unit != record.ParamCPUs {
		t.Errorf("a load of %+v", l)
	}
	if v, _ := trials[1].Value(record.Throughput); v.Value != .01 {
		t.Errorf("one copy: %+v", trials[1])
	}
	if _, has := trials[2].Value(record.Throughput); has {
		t.Errorf("one build on four CPUs is no four copies: %+v", trials[2])
	}
	again(t, trials)
}
