package convert

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// TestPgbench: the figures stand in the captures.
func TestPgbench(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"pgbench-progress-report.txt": {"throughput": 2710.403734, "latency": 1.440e-3, "stddev_of_latency": 1.595e-3,
			"throughput_least":  2638,
			"statement_1_begin": 0.164e-3, "statement_2_update": 0.184e-3, "statement_3_select": 0.253e-3,
			"statement_4_update": 0.208e-3, "statement_5_update": 0.260e-3,
			"statement_6_insert": 0.184e-3, "statement_7_end": 0.184e-3},
		"pgbench-rate.txt": {"latency": 1.042e-3, "throughput": 311.154095, "stddev_of_latency": 2.142e-3,
			"schedule_lag": 0.504e-3, "throughput_least": 294.2, "skipped": 0.161, "over_limit": 0.323},
		"pgbench-scripts-retries.txt": {"throughput": 1565.556367, "latency": 4.415e-3, "failed": 13.591,
			"serialization_failures": 13.591, "deadlock_failures": 0, "retries": 2077.0 / (3147 + 495),
			"statement_script1_1_begin": 0.419e-3, "statement_script1_2_update": 0.451e-3,
			"statement_script1_3_select": 0.595e-3, "statement_script1_4_end": 0.653e-3, "statement_script2_1_select": 0.770e-3},
		"pgbench-failures.txt": {"throughput": 1229.657203, "latency": 2.059e-3, "failed": 36.714,
			"statement_1_begin": 0.329e-3, "statement_2_update": 0.334e-3, "statement_3_select": 0.604e-3,
			"statement_4_end": 0.450e-3},
		"pgbench-transactions.txt": {"throughput": 940.689525, "latency": 2.126e-3},
		"pgbench-connect.txt":      {"throughput": 91.716193, "latency": 21.806e-3},
	} {
		for _, before := range []string{"", "starting vacuum...end.\n"} {
			got, _, err := Parse(append([]byte(before), fioCapture(t, name)...), Ask{Format: reader.Pgbench})
			if err != nil {
				t.Fatal(err)
			}
			wants(t, name, got, want, 1e-9)
		}
	}
}

func TestPgbenchRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "no pgbench output in nothing",
		"pgbench: error: connection to server\n": "results begin with `transaction type:`",
		"transaction type: x\ntps = 0\n":         "completed no transactions",
		"transaction type: x\n":                  "completed no transactions",
		"transaction type: x\ntps = 1\ntransaction type: x\ntps = 2\n": "the output has 2 runs",
	} {
		if _, _, err := Parse([]byte(text), Ask{Format: reader.Pgbench}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := (Ask{Format: reader.Pgbench, Pattern: "x"}).Check(); err == nil {
		t.Error("a pattern is taken")
	}
	// What an older one prints: the figure without connecting is the later one.
	got, _, err := Parse([]byte("transaction type: x\ntps = 10.5 (including connections establishing)\ntps = 12.5 "+
		"(excluding connections establishing)\n         0.001  BEGIN;\n"), Ask{Format: reader.Pgbench})
	if err != nil || len(got) != 2 || got[0].Value != 12.5 || got[1].Name != "statement_1_begin" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestImportPgbench(t *testing.T) {
	var im Import
	text := slices.Concat(fioCapture(t, "pgbench-progress-report.txt"), fioCapture(t, "pgbench-scripts-retries.txt"),
		fioCapture(t, "pgbench-rate.txt"))
	b, err := im.Read(formatOf(reader.PgbenchTool()), bytes.NewReader(text),
		Options{File: "f", Machine: "m", Replicate: Unnumbered, Params: record.Params{"fsync": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	trials := slices.Collect(b.Trials("p"))
	if len(trials) != 3 {
		t.Fatalf("%d trials", len(trials))
	}
	for i, want := range []map[string]string{
		{"load": "4 clients", "pgbench.script": "tpcb-like", "pgbench.protocol": "prepared", "pgbench.scale": "20",
			"pgbench.tries": "1", "pgbench.fsync": "off"},
		{"load": "8 clients", "pgbench.script": "mix.sql@3 select-only@1", "pgbench.protocol": "simple",
			"pgbench.tries": "3"},
		{"load": "2 clients", "pgbench.script": "select-only", "pgbench.paced": "true"},
	} {
		for key, v := range want {
			if trials[i].Keys[key] != v {
				t.Errorf("trial %d: %s is %q, want %q", i, key, trials[i].Keys[key], v)
			}
		}
	}
	if v, _ := trials[0].Value("throughput_least"); v.Value != 2638 {
		t.Errorf("progress went to another run: %v", trials[0].Values)
	}
	for text, want := range map[string]string{"transaction type: x\ntps = 1\n": "client count missing",
		"transaction type: x\nnumber of clients: 1.5\ntps = 1\n": "whole number"} {
		if _, err := im.Read(formatOf(reader.PgbenchTool()), strings.NewReader(text),
			Options{File: "f", Machine: "m"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := im.Read(formatOf(reader.PgbenchTool()), strings.NewReader(""), Options{File: "f"}); err == nil ||
		!strings.Contains(err.Error(), "--machine NAME") {
		t.Error(err)
	}
}

// FuzzPgbench reads anything as pgbench's output; what is taken has finite values.
func FuzzPgbench(f *testing.F) {
	f.Add(fioCapture(f, "pgbench-progress-report.txt"))
	f.Add(fioCapture(f, "pgbench-scripts-retries.txt"))
	f.Add([]byte("transaction type: x\ntps = 1\nlatency average = 1e3 ms\nnumber of failed transactions: 1 (NaN%)\n" +
		"number of failed transactions: (1e999%)\n"))
	fuzzParse(f, reader.Pgbench)
}

func FuzzImportPgbench(f *testing.F) {
	f.Add(fioCapture(f, "pgbench-rate.txt"))
	fuzzFormat(f, formatOf(reader.PgbenchTool()), Options{File: "f", Machine: "m", Replicate: Unnumbered})
}

// TestPgbenchThatConnects: a transaction with a connection of its own is another one.
func TestPgbenchThatConnects(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"-C": {pgbenchOf("24000", "20.000", "average connection time = 3.100 ms",
			"tps = 400.023456 (including reconnection times)"), "true"},
		"once": {pgbenchOf("600000", "0.800", pgbenchBegan,
			"tps = 10000.123456 (without initial connection time)"), ""},
		"before 14": {pgbenchOf("600000", "0.800", "tps = 9998.1 (including connections establishing)",
			"tps = 10000.1 (excluding connections establishing)"), ""},
	} {
		_, trials := imported(t, formatOf(reader.PgbenchTool()), c.text, onMachine())
		if got := paramsOf(trials[0])["connect"]; got != c.want {
			t.Errorf("%s: connect is %q, want %q", name, got, c.want)
		}
	}
}
