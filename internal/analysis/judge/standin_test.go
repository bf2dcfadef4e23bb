package judge

import (
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding/steady"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// everything is a trial that has all that one can have.
func everything(t *testing.T) record.Trial {
	t.Helper()
	out := record.Trial{Load: record.LoadPoint{Kind: record.Open, Level: 5, Unit: record.ParamRate}}
	v := reflect.ValueOf(&out).Elem()
	for _, field := range flat() {
		f := v.FieldByIndex(field.Index)
		switch f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(3)
		case reflect.Float64:
			f.SetFloat(2)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Map:
			f.Set(reflect.MakeMap(f.Type()))
		}
		if f.IsZero() {
			t.Fatalf("the test does not fill %s", field.Name)
		}
	}
	return out
}

// flat returns the fields of a trial, with those of its slot.
func flat() []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[record.Trial]()),
		func(f reflect.StructField) bool { return f.Anonymous })
}

// TestStandIn: of all that a trial can have, one that stands in for several has where they are and what they took.
func TestStandIn(t *testing.T) {
	parts := []record.Trial{everything(t), everything(t)}
	parts[1].WarmupS, parts[1].DurationS = 10, 60.5
	got := trialset.StandIn(parts, map[string]string{record.KeyMachine: "m"},
		record.LoadPoint{Kind: record.Open, Unit: record.ParamRate})
	if got.WarmupS != 12 || got.DurationS != 62.5 || got.Load.Level != 0 || got.Keys[record.KeyMachine] != "m" {
		t.Errorf("%+v", got)
	}
	of := []string{"Keys", "Plan", "Cell", "Group", "Replicate", "Pair", "Extra", "Load", "Start", "MonoNs", "WarmupS",
		"DurationS", "CPUSets"}
	v := reflect.ValueOf(got)
	for _, field := range flat() {
		if f := v.FieldByIndex(field.Index); f.IsZero() == slices.Contains(of, field.Name) {
			t.Errorf("%s: %v", field.Name, f)
		}
	}
}

// searchOn is one search for a load line: the closed load that tells the capacity, and six rates.
func searchOn(machine string, changes ...change) []record.Trial {
	full := []change{atLoad(record.Closed, record.ParamClients, 64),
		measured(record.Throughput, "op/s", record.Higher, 1000)}
	out := []record.Trial{trial(machine, 0, 1000, append(full, changes...)...)}
	out = append(out, rateSweep(machine, 0, knee(), changes...)...)
	for i := range out {
		out[i].Cell, out[i].Probe = 0, i+1
	}
	return out
}

// TestASearchIsNoneOfItsProbes: it took the seconds of all of them, and what the windows of its first one say is
// nothing against its line.
func TestASearchIsNoneOfItsProbes(t *testing.T) {
	probes := searchOn("m1", func(t *record.Trial) { t.WarmupS, t.DurationS = 10, 20 })
	for _, c := range []change{heat(2, .8, 2), rise(.5, 0)} {
		c(&probes[0])
	}
	for _, c := range []change{heat(9, .1, 1.2), steal(5)} {
		c(&probes[3])
	}
	line := loadline.Condensed(probes, nil, nil)[0]
	if line.Void != "" || line.WarmupS != 70 || line.DurationS != 140 || line.WarmUp != nil || line.Rise != nil {
		t.Errorf("%+v", line)
	}
	if want := []string{"1 of 7 probes were disturbed",
		"1 of 7 probes were not steady after the JIT warm-up"}; !slices.Equal(
		line.Doubts, want) {
		t.Errorf("doubts %q, want %q", line.Doubts, want)
	}
	shown := Show(probes, nil, plans(func(p *record.Plan) {
		p.Cells = []record.Cell{{Workload: "aes", Search: &record.Search{Probes: 3, Clients: 64}}}
	}))
	c := shown.Workloads[0]
	if c.Load != record.KeySearched || !slices.Equal(note.Texts(c.Trials[0].Doubts), line.Doubts) {
		t.Errorf("%s: %q", c.Load, c.Trials[0].Doubts)
	}
	if w := steady.KindWarmUp.Of(c); w == nil || w.N != 2 || w.Settled != 1 || w.RiseTrials != 1 {
		t.Errorf("the servers of all probes were heated: %+v", w)
	}
}
