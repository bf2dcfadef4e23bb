package plan

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestDerivedOnAllSides: a value derived for one side, and set by nobody, holds for all sides of a comparison; values
// that were set stay.
func TestDerivedOnAllSides(t *testing.T) {
	decl := record.Workload{Name: "w", Loads: []record.LoadKind{record.Once}, Params: []record.Param{
		{Name: "text", Kind: record.Text},
		{Name: "long", Kind: record.Bool, Default: "false", Minor: true, Derive: func(p record.Params) string {
			if len(p["text"]) > 1 {
				return "true"
			}
			return "false"
		}},
	}}
	long := func(set map[string]string, values ...string) string {
		req := Request{Name: "w", WarmupS: -1, Replicates: 3, Measure: []Ask{{Workload: "w", Set: set}},
			Factors: []Factor{Vary("w.text", values)}}
		p, err := Resolve(req, []record.Workload{decl}, map[string]Target{"": {CPUs: 1}})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range p.Cells {
			out = append(out, c.Params["long"])
		}
		return strings.Join(out, " ")
	}
	for _, tc := range []struct{ got, want string }{
		{long(nil, "a", "b"), "false false"},
		{long(nil, "a", "bb"), "true true"},
		{long(map[string]string{"long": "false"}, "a", "bb"), "false false"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s, want %s", tc.got, tc.want)
		}
	}
}
