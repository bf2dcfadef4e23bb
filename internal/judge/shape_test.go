package judge

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// contract is the JSON of DESIGN.md's command line, that other programs rely on: the keys
// at each path. Keys may be added, none may go.
func contract() map[string]string {
	return map[string]string{
		"compare":                    "pairs",
		"compare.pairs":              "a b verdicts crossings trends residue",
		"compare.pairs.verdicts":     "workload params metric primary per unit a b ratio lo hi verdict n claim flags better",
		"compare.pairs.residue":      "key a b",
		"show":                       "machines workloads",
		"show.workloads":             "machine workload params metric unit value lo hi n trials effects",
		"show.workloads.effects":     "factor from to per ratio lo hi verdict n",
		"show.workloads.trials":      "id replicate start value",
		"show.machines.m1":           "name arch kernel os cpu",
		"compare.pairs.verdicts.lo":  "",
		"compare.pairs.verdicts.hi":  "",
		"compare.pairs.crossings":    "",
		"compare.pairs.warnings":     "",
		"compare.pairs.verdicts.n":   "",
		"show.workloads.effects.hi":  "",
		"show.warnings":              "",
		"show.workloads.doubts":      "",
		"show.workloads.trials.void": "",
	}
}

func TestShape(t *testing.T) {
	trials := alter(factorialTrials("m1", 4), func(t record.Trial) bool { return t.Replicate == 3 && t.Cell == 3 }, void("late"), key("engine.x", "2"))
	alter(trials, func(t record.Trial) bool { return t.Keys["factor.tls"] == "on" }, key("engine.x", "2"))
	machines := []record.Machine{{Name: "m1"}}
	compared, err := Compare(trials, machines, plans(tlsFactor), Options{By: "tls"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	walk(t, found, "compare", compared)
	walk(t, found, "show", Show(trials, machines, plans(tlsFactor)))
	for path, keys := range contract() {
		holdsKeys(t, found, path, keys)
		if keys == "" && found[path] == nil {
			t.Errorf("there is no %s", path)
		}
	}
}

// walk notes the keys of all objects under a document, by path.
func walk(t *testing.T, found map[string][]string, path string, doc any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	noteShape(found, path, v)
}

func noteShape(found map[string][]string, path string, v any) {
	if found[path] == nil {
		found[path] = []string{}
	}
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			found[path] = append(found[path], k)
			noteShape(found, path+"."+k, inner)
		}
	case []any:
		for _, inner := range v {
			noteShape(found, path, inner)
		}
	}
}

// TestListsAreNeverNull: a reader may range over every list of a finding.
func TestListsAreNeverNull(t *testing.T) {
	compared, err := Compare(session(1, 0, .01), nil, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused, _ := Compare(nil, nil, nil, Options{})
	for _, doc := range []any{compared, refused, Show(nil, nil, nil), Show(session(1, 0, .01), nil, nil)} {
		noNil(t, reflect.TypeOf(doc).Name(), reflect.ValueOf(doc))
	}
}

func noNil(t *testing.T, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("json"); tag != "-" && !strings.Contains(tag, ",omit") {
				noNil(t, path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			t.Errorf("%s is null", path)
		}
		for i := 0; v.Kind() == reflect.Slice && i < v.Len(); i++ {
			noNil(t, path, v.Index(i))
		}
	}
}

// holdsKeys says which of the keys are missing at a path.
func holdsKeys(t *testing.T, found map[string][]string, path, keys string) {
	t.Helper()
	for _, k := range strings.Fields(keys) {
		if !slices.Contains(found[path], k) {
			t.Errorf("%s has no %q: %q", path, k, found[path])
		}
	}
}
