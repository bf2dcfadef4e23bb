package session

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// trialText is the line of a trial without its newline.
func trialText(tb testing.TB, t record.Trial) []byte {
	tb.Helper()
	line, err := encode(kindTrial, t)
	must(tb, err)
	return line[:len(line)-1]
}

func importedTrial() record.Trial {
	return record.Trial{
		ID: "p-r1-g6-c6-a0", Slot: record.Slot{Plan: "p", Cell: 6, Group: 6, Replicate: 1},
		Keys: map[string]string{record.KeyImported: "csv", record.KeyMachine: "m", record.KeyWorkload: "w", "w.mode": "{x}"},
		Load: record.LoadPoint{Kind: record.Open, Level: 1e9, Unit: record.ParamRate, Arrivals: "poisson"},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: 814.462},
			{Metric: record.Metric{Name: "left", Unit: ""}, Value: -1.5e-300},
		},
	}
}

// TestTrialLine: every line of a Writer is recognised, and holds the same as JSON decodes, whatever fields it has.
func TestTrialLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		var trial record.Trial
		fill(r, reflect.ValueOf(&trial).Elem())
		thin(r, reflect.ValueOf(&trial).Elem(), n%10)
		trial.Keys = map[string]string{"w.mode": "größer \\ \"{x}"}
		if line := trialText(t, trial); !sameAsJSON(t, line) {
			t.Errorf("not recognised: %s", line)
		}
	}
}

// thin empties some of the fields of a struct, and of those inside: tenths of them.
func thin(r *rand.Rand, v reflect.Value, tenths int) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && f.Type().Elem().Kind() == reflect.Struct {
			thin(r, f.Elem(), tenths)
		}
		if r.IntN(10) < tenths && f.Kind() != reflect.Slice {
			f.SetZero()
		}
	}
}

// TestForeignTrialLine: lines that no Writer makes are left to JSON, and do not disturb those that follow.
func TestForeignTrialLine(t *testing.T) {
	whole := string(trialText(t, importedTrial()))
	for _, c := range [][2]string{
		{`"cell":6,"group":6`, `"group":6,"cell":6`},
		{`"cell":6`, `"Cell":6`},
		{`"cell":6`, `"cell": 6`},
		{`"cell":6`, `"cell":06`},
		{`"cell":6`, `"cell":6.5`},
		{`"cell":6`, `"cell":null`},
		{`"cell":6`, `"cell":6,"cell":7`},
		{`"cell":6`, `"cell":6,"more":7`},
		{`"plan":"p"`, `"plan":"p","pair":null`},
		{`"plan":"p"`, `"plan":"p\"`},
		{`"value":814.462`, `"value":0x1p4`},
		{`"value":814.462`, `"value":1e999`},
		{`"value":814.462`, `"value":.5`},
		{`}]`, `},]`},
		{`}]`, `}`},
		{`"csv"`, `7`},
		{`"keys":{`, `"keys":{{`},
	} {
		line := strings.Replace(whole, c[0], c[1], 1)
		if line == whole || sameAsJSON(t, []byte(line)) {
			t.Errorf("%s instead of %s was recognised", c[1], c[0])
		}
	}
}

// sameAsJSON reports whether a line is recognised; if it is, its trial is the one of its JSON.
func sameAsJSON(tb testing.TB, line []byte) bool {
	tb.Helper()
	lines := newTrialLines()
	var want record.Trial
	wrong := json.Unmarshal(line, &want)
	for range 3 { // what one line leaves behind is no part of the next
		var got record.Trial
		keys, ok := lines.decode(line, &got)
		if !ok || json.Unmarshal(keys, &got.Keys) != nil {
			return false
		}
		if wrong != nil || !reflect.DeepEqual(got, want) {
			tb.Fatalf("%s:\n%+v\nwant\n%+v, %v", line, got, want, wrong)
		}
	}
	return true
}

// FuzzTrialLine: whatever is recognised holds the same as its JSON.
func FuzzTrialLine(f *testing.F) {
	f.Add(trialText(f, importedTrial()))
	f.Add(trialText(f, typicalTrial(1)))
	var full record.Trial
	fill(rand.New(rand.NewPCG(1, 2)), reflect.ValueOf(&full).Elem())
	f.Add(trialText(f, full))
	f.Fuzz(func(t *testing.T, line []byte) { sameAsJSON(t, line) })
}
