package plan

import (
	"testing"

	"plimsoll/internal/record"
)

// TestParametersOfEnginesInFull: broker.heap is the only workload's that has it.
func TestParametersOfEnginesInFull(t *testing.T) {
	decls := []record.Workload{
		{Name: "kafka", Params: []record.Param{{Name: "broker.heap"}, {Name: "clients"}, {Name: "both.x"}}},
		{Name: "other", Params: []record.Param{{Name: "both.x"}}},
		{Name: "word", Params: []record.Param{{Name: "heap"}}},
	}
	for key, want := range map[string]string{
		"broker.heap": "kafka.broker.heap", "kafka.broker.heap": "kafka.broker.heap", "kafka.clients": "kafka.clients",
		"clients": "clients",
		"both.x":  "both.x", "broker.none": "broker.none", "word.heap": "word.heap", "": "",
	} {
		if got := InFull(key, nil, decls); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	for _, c := range []struct {
		key, want string
		measured  []string
	}{
		{"clients", "kafka.clients", []string{"kafka"}}, {"anything", "other.anything", []string{"other"}},
		{"heap", "word.heap", []string{"kafka", "word"}},
		{"x", "x", []string{"kafka", "word"}}, {"broker.heap", "kafka.broker.heap", []string{"other"}},
		{"both.x", "other.both.x", []string{"other"}},
	} {
		if got := InFull(c.key, c.measured, decls); got != c.want {
			t.Errorf("%s of %v is %s, want %s", c.key, c.measured, got, c.want)
		}
	}
}
