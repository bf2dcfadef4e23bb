package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

func exportedCSV(t testing.TB, trials []record.Trial) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := writeCSV(&b, &session.Log{Trials: trials}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// anyTrials are trials as our own sessions have them, with all loads and texts
// that CSV has to quote. An open load is not judged by its throughput.
func anyTrials(r *rand.Rand) []record.Trial {
	var out []record.Trial
	loads := []record.LoadPoint{
		{Kind: record.Once, Level: 1}, {Kind: record.Closed, Level: 8, Unit: "clients"},
		{Kind: record.Closed, Level: 4, Unit: "cpus"},
		{Kind: record.Closed, Level: 32, Unit: "cpus", All: true},
		{Kind: record.Open, Level: 0.5, Unit: "rate", Arrivals: "poisson"},
	}
	for cell := range 12 {
		load := loads[r.IntN(len(loads))]
		params := record.Params{"cell": fmt.Sprint(cell),
			"script": []string{"a, \"b\"\n\tc", " space ", "é✓", "#x"}[r.IntN(4)], "none": ""}
		if load.All {
			params["cpus"] = record.AllCPUs
		}
		if load.Kind == record.Open {
			params["arrivals"] = load.Arrivals
		}
		keys := newKeys(csvName, fmt.Sprintf("m%d, \"x\"", r.IntN(2)), fmt.Sprintf("w%d", r.IntN(3)), params, load)
		for replicate := range 1 + r.IntN(4) {
			throughput := record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
				Value: 1e9 * r.ExpFloat64()}
			if load.Kind == record.Open {
				throughput.Better = record.Neutral
			}
			values := []record.Value{throughput,
				{Metric: record.Metric{Name: "cpu_per_op", Unit: "s", Better: record.Lower}, Value: r.NormFloat64()},
				{Metric: record.Metric{Name: "odd", Unit: "furlong/s", Better: record.Neutral}, Value: float64(r.IntN(3))},
			}
			if load.Kind == record.Open {
				slices.Reverse(values)
			}
			trial := record.Trial{Keys: keys, Load: load, Slot: record.Slot{Replicate: replicate}, Values: values}
			if cell%3 > 0 {
				pair := 7 * replicate
				trial.Pair = &pair
			}
			out = append(out, trial)
		}
	}
	return out
}

// What is exported has the same cells and values when it is imported.
func TestRoundTrip(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	trials := anyTrials(rand.New(rand.NewPCG(seed, 0)))
	text := exportedCSV(t, trials)
	_, again := imported(t, csvFormat(), text, given())
	for i := range trials {
		delete(trials[i].Keys, trials[i].Keys[record.KeyWorkload]+".none") // CSV cannot tell it from one that is not there
	}
	want, got := exact(trials), exact(again)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if exportedCSV(t, again) != text {
		t.Error("another export of the same trials differs")
	}
}

// exact is all that a trial is compared by, in a text of which none is lost.
func exact(trials []record.Trial) []string {
	var out []string
	for _, t := range trials {
		pair := "none"
		if t.Pair != nil {
			pair = fmt.Sprint(*t.Pair)
		}
		out = append(out, fmt.Sprintf("%q %v %d %s %v %v", t.Keys, t.Load, t.Replicate, pair, t.Values, t.Moments))
	}
	return out
}

// Two plans did not run side by side, so their replicates get different numbers;
// void trials are left out.
func TestExportOfPlans(t *testing.T) {
	_, trials := imported(t, csvFormat(), csvHead+"a,w,1,8,x,1,,,\na,w,2,8,x,2,,,\na,w,3,8,x,3,,,\nb,w,1,8,x,4,,,\n",
		given())
	trials[1].Void = "disturbed"
	trials[3].Plan = "other"
	var b bytes.Buffer
	left, err := writeCSV(&b, &session.Log{Trials: trials})
	if err != nil || left != 1 {
		t.Fatalf("%d left, %v", left, err)
	}
	want := "machine,workload,replicate,load,metric,value,unit,load_kind\na,w,1,8,x,1,,clients\na,w,3,8,x,3,,clients\n" +
		"b,w,5,8,x,4,,clients\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

// What our plans ran side by side is a pair of the file, and a plan that ran on two machines at two times has none.
func TestExportOfPairs(t *testing.T) {
	plan := record.PlanLine{Hash: "p", Plan: record.Plan{Cells: []record.Cell{{Group: 0}, {Group: 0}, {Group: 1}}}}
	_, trials := imported(t, csvFormat(), csvHead+"a,w,1,8,x,1,,,\nb,w,1,8,x,2,,,\na,v,1,8,x,3,,,\n", given())
	for i := range trials {
		trials[i].Plan, trials[i].Cell, trials[i].Group = "p", i, plan.Plan.Cells[i].Group
	}
	export := func() string {
		var b bytes.Buffer
		if _, err := writeCSV(&b, &session.Log{Trials: trials, Plans: []record.PlanLine{plan}}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got, want := export(), "machine,workload,replicate,load,metric,value,unit,load_kind,pair\n"+
		"a,w,1,8,x,1,,clients,1\nb,w,1,8,x,2,,clients,1\na,v,1,8,x,3,,clients,\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want := export()
	trials[0], trials[1] = trials[1], trials[0]
	if got := export(); got != want {
		t.Errorf("in the order of their time:\n%s\nwant\n%s", got, want)
	}
	trials[1].Cell, trials[0].Cell = 0, 0
	if got := export(); strings.Contains(got, "pair") {
		t.Errorf("got\n%s", got)
	}
}

// CSV holds the trials that count: no pilot, whose replicate is below 0, none that
// stands in for others, and none that was slowed down on purpose.
func TestExportOfTrialsThatCount(t *testing.T) {
	_, trials := imported(t, csvFormat(), csvHead+"a,w,1,8,x,1,,,\n", given())
	var all []record.Trial
	others := []func(*record.Trial){
		func(t *record.Trial) { t.Pilot, t.Replicate = true, -1 },
		func(t *record.Trial) { t.Pilot, t.Replicate = true, -2 },
		func(t *record.Trial) { t.Extra, t.Replicate = true, 30 },
		func(t *record.Trial) { t.Capped = .95 },
		func(t *record.Trial) { t.Profiled = true },
		func(t *record.Trial) { t.Pilot, t.Replicate, t.Plan = true, -1, "other" },
	}
	for i, change := range others {
		if i == 2 {
			all = append(all, trials[0])
		}
		other := trials[0]
		change(&other)
		all = append(all, other)
	}
	var b bytes.Buffer
	left, err := writeCSV(&b, &session.Log{Trials: all})
	if err != nil || left != len(others) {
		t.Fatalf("%d left, %v", left, err)
	}
	if want := "machine,workload,replicate,load,metric,value,unit,load_kind\na,w,1,8,x,1,,clients\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
}

// What a reader would refuse is not written as if it could be read.
func TestExportRefusals(t *testing.T) {
	for name, change := range map[string]func(*record.Trial){
		"zero throughput":   func(t *record.Trial) { t.Values[0].Value = 0 },
		"control character": func(t *record.Trial) { t.Keys["w.size"] = "\x1b" },
		"a negative number": func(t *record.Trial) { t.Replicate = Unnumbered },
		"twice":             func(t *record.Trial) { t.Values = append(t.Values, t.Values[0]) },
	} {
		_, trials := imported(t, csvFormat(), csvHead+"a,w,1,8,throughput,1,B/s,,1KiB\n", given())
		change(&trials[0])
		_, err := writeCSV(&bytes.Buffer{}, &session.Log{Trials: trials})
		if err == nil || !strings.Contains(err.Error(), "hint: --format json") ||
			!strings.Contains(err.Error(), trials[0].ID) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestJSONDocument(t *testing.T) {
	_, trials := imported(t, csvFormat(), csvHead+"a<b,w,1,8,x,1,,,\n", given())
	trials[0].Void = "for a reason"
	var b bytes.Buffer
	if _, err := writeJSON(&b, &session.Log{Trials: trials}); err != nil {
		t.Fatal(err)
	}
	var got map[string][]record.Trial
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got["machines"] == nil || got["plans"] == nil || len(got["trials"]) != 1 ||
		!strings.Contains(b.String(), "a<b") {
		t.Errorf("%s", &b)
	}
}

// failing is a writer that fails at once.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("no room") }

func TestExportToAFullDisk(t *testing.T) {
	_, trials := imported(t, csvFormat(), csvHead+"a,w,1,8,x,1,,,\n", given())
	for _, out := range Outputs() {
		if _, err := out.Write(failing{}, &session.Log{Trials: trials}); err == nil ||
			!strings.Contains(err.Error(), "no room") {
			t.Errorf("%s: %v", out.Name, err)
		}
	}
}

// TestPlansShareNoReplicate: a plan that goes on after another one was read keeps clear of it.
func TestPlansShareNoReplicate(t *testing.T) {
	var trials []record.Trial
	for _, of := range []struct {
		plan      string
		replicate int
	}{{"a", 0}, {"a", 2}, {"b", 0}, {"b", 1}, {"a", 4}} {
		trials = append(trials, record.Trial{Slot: record.Slot{Plan: of.plan, Replicate: of.replicate}})
	}
	pair := 6
	trials[1].Pair = &pair
	if got, want := shifts(trials), map[string]int{"a": 0, "b": 7}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
