package convert

import (
	"context"
	"strings"
	"testing"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// inForm is a file with a run, and how it is imported.
type inForm struct{ name, format, text string }

func (f inForm) read(t *testing.T) *Batch {
	t.Helper()
	o := onMachine()
	o.File, o.Name = f.name, f.name
	o.Load, _ = GivenLoad("4")
	o.FillLoad = true
	b, err := new(Import).Read(formatNamed(t, f.format), strings.NewReader(f.text), o)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return b
}

// TestFormsOfOneRun: the text and the JSON of one run are one run, and two runs that are alike stay two.
func TestFormsOfOneRun(t *testing.T) {
	capture := func(name string) inForm {
		found := Recognise([]byte(readCapture(t, name)))
		return inForm{name, found[0].Name, readCapture(t, name)}
	}
	edited := func(f inForm, name string, words ...string) inForm {
		return inForm{name, f.format, replaced(f.text, words...)}
	}
	k6, export := capture("k6.txt"), capture("k6-summary-export.json")
	jtl, statistics, summary := capture("jmeter.jtl"), capture("jmeter-statistics.json"), capture("jmeter-summary.txt")
	long := inForm{"long.txt", reader.JMeter,
		"summary =    987 in 00:00:10 =   98.2/s Avg:    40 Min:    31 Max:    48 Err:     0 (0.00%)\n"}
	total := inForm{"long.json", reader.JMeter, `{"Total":{"sampleCount":987,"errorCount":0,"meanResTime":40.66,` +
		`"medianResTime":41,"minResTime":31,"maxResTime":48,"throughput":98.221,"receivedKBytesPerSec":47.9}}`}
	again := edited(export, "again.json", "2.3139654", "2.3239654")
	steady := edited(export, "steady.json", "3331.986498329654", "3331.4")
	for name, c := range map[string]struct {
		files         []inForm
		refused, told int
	}{
		"a text and its export":     {[]inForm{k6, export}, 1, 0},
		"an export and its text":    {[]inForm{export, k6}, 1, 0},
		"another mean":              {[]inForm{k6, again}, 0, 0},
		"another rate":              {[]inForm{k6, steady}, 0, 1},
		"two exports":               {[]inForm{export, steady}, 0, 0},
		"samples and statistics":    {[]inForm{statistics, jtl}, 1, 0},
		"a summary of another time": {[]inForm{summary, jtl}, 0, 1},
		"three forms":               {[]inForm{summary, jtl, statistics}, 1, 1},
		"a summary and statistics":  {[]inForm{long, total}, 1, 0},
		"another count":             {[]inForm{edited(long, "l.txt", "987", "988"), total}, 0, 0},
		"text and JSON of two runs": {[]inForm{capture("vegeta.txt"),
			edited(capture("vegeta.json"), "v.json", "1490785", "1512345")}, 0, 0},
		"text and JSON of one run": {[]inForm{capture("vegeta.txt"), capture("vegeta.json")}, 1, 0},
		"benchmarks that ran three times": {[]inForm{capture("google-benchmark.txt"), capture("google-benchmark.json"),
			capture("google-benchmark.csv")}, 0, 0},
	} {
		var batches []*Batch
		for _, f := range c.files {
			batches = append(batches, f.read(t))
		}
		refused, told := 0, 0
		forms := NewForms(batches, &session.Log{})
		for _, b := range batches {
			note, err := forms.Take(b)
			if err != nil && !strings.Contains(err.Error(), "in another form") {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil {
				refused++
			}
			if note != "" {
				told++
			}
		}
		if refused != c.refused || told != c.told {
			t.Errorf("%s: %d refused and %d told, want %d and %d", name, refused, told, c.refused, c.told)
		}
	}
}

// TestFormOfAnImportedRun: a run that a session has in another form is not imported again.
func TestFormOfAnImportedRun(t *testing.T) {
	had := inForm{"k6.txt", reader.K6, readCapture(t, "k6.txt")}.read(t)
	log := &session.Log{Plans: []record.PlanLine{{Hash: "p", Plan: had.Plan("s")}}}
	for trial := range had.Trials("p") {
		log.Trials = append(log.Trials, trial)
	}
	next := inForm{"export.json", reader.K6, readCapture(t, "k6-summary-export.json")}.read(t)
	if _, err := NewForms([]*Batch{next}, log).Take(next); err == nil ||
		!strings.Contains(err.Error(), "export.json: k6.txt has its runs in another form") {
		t.Error(err)
	}
	if note, err := NewTwice(log).Take(context.Background(), next); note != "" || err != nil {
		t.Errorf("%q, %v", note, err)
	}
}

// TestDigitsOfPrintedNumbers: a number has the digits with which it was printed, in units of 1000 or 1024.
func TestDigitsOfPrintedNumbers(t *testing.T) {
	for _, c := range []struct {
		x, y   float64
		digits int
		same   bool
	}{
		{101.2, 101.18514092221889, 4, true}, {39e-3, 39.451771653543304e-3, 2, true}, {2.07e-3, 2.0796e-3, 3, true},
		{101.2, 101.3, 4, false}, {101, 102.5, 3, false}, {1.5 * (1 << 30), 1.5123 * (1 << 30), 2, true},
		{0, 0, 0, true}, {100.1, 100.1, 4, true}, {433e3, 433158.24, 3, true}, {2.3139654, 2.3239654, 8, false},
	} {
		if digits, same := roundedAlike(c.x, c.y); digits != c.digits || same != c.same {
			t.Errorf("%g and %g: %d digits, %v", c.x, c.y, digits, same)
		}
	}
}
