package plan

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestReplace(t *testing.T) {
	request := func() Request {
		return Request{
			Factors: []Factor{Vary("w.p", []string{"a", "b"}), Vary("other.p", []string{"a"})},
			Measure: []Ask{
				{Workload: "w", Set: map[string]string{"p": "c", "q": "c"},
					Sweep: []Axis{{"p", []string{"d", "e"}}, {"q", []string{"d"}}}, Vary: []Factor{Vary("w.p", []string{"f"})}},
				{Workload: "other", Set: map[string]string{"p": "c"}},
			},
		}
	}
	r := request()
	if err := r.Replace("w", "p", func(v string) (string, error) { return strings.ToUpper(v), nil }); err != nil {
		t.Fatal(err)
	}
	want := request()
	want.Factors[0].Levels[0].Set["w.p"], want.Factors[0].Levels[1].Set["w.p"] = "A", "B"
	want.Measure[0].Set["p"] = "C"
	want.Measure[0].Sweep[0].Values = []string{"D", "E"}
	want.Measure[0].Vary[0].Levels[0].Set["w.p"] = "F"
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v\nwant %+v", r, want)
	}
	for _, at := range []string{"a", "c", "e", "f"} {
		r := request()
		if err := r.Replace("w", "p", func(v string) (string, error) {
			if v == at {
				return "", errors.New(at)
			}
			return v, nil
		}); err == nil || err.Error() != at {
			t.Errorf("an error at %s: %v", at, err)
		}
	}
}

// TestClientsByDefaultGiveWay: to a rate that is set, and to one that is sought.
func TestClientsByDefaultGiveWay(t *testing.T) {
	decl := sixteen()
	for _, c := range []struct {
		set    map[string]string
		sought bool
		want   string
	}{
		{nil, false, "16"}, {map[string]string{"rate": "5"}, false, "0"}, {nil, true, "0"},
		{map[string]string{"rate": "5", "clients": "3"}, false, "3"}, {map[string]string{"clients": "16"}, true, "16"},
	} {
		p, err := resolveParams(decl, c.set)
		if err != nil {
			t.Fatal(err)
		}
		giveWay(decl, c.set, p, c.sought)
		if p["clients"] != c.want {
			t.Errorf("%v, sought %t: %s clients", c.set, c.sought, p["clients"])
		}
	}
}

// sixteen is a workload with 16 clients by default.
func sixteen() record.Workload {
	return record.Workload{Name: "w", Params: []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "16", Min: 0, Max: 100},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 100},
	}}
}
