package invocation

import (
	"fmt"
	"strings"
	"testing"

	"plimsoll/internal/plan"
)

// TestSeveral: several numbers where one is meant are a sweep, several words the sides of a comparison; text with
// commas stays one value, and a range is told how to be written.
func TestSeveral(t *testing.T) {
	for _, c := range []struct{ name, value, want, err string }{
		{name: "clients", value: "1,2,4", want: "sweep [{clients [1 2 4]}]"},
		{name: "rate", value: "100,2.5e3", want: "sweep [{rate [100 2.5e3]}]"},
		{name: "clients", value: "4", want: "set map[clients:4]"},
		{name: "target", value: "200,304", want: "set map[target:200,304]"},
		{name: "max-age", value: "true,false", want: "vary web.max_age 2"},
		{name: "clients", value: "1,x", want: "set map[clients:1,x]"}, // which its own error explains later
		{name: "clients", value: "1-8", err: "hint: --clients 1,2,4,8 measures at each"},
		{name: "clients", value: "1 2  4", want: "set map[clients:1 2  4]"},
		{name: "clients", value: "2 5 6", err: "hint: --clients 2,5,6 measures at each"},
		{name: "clients", value: "3,3", err: `has "3" twice`},
	} {
		req := plan.Request{Measure: []plan.Ask{{Workload: "web"}}}
		err := Settings{Flags: []Setting{{c.name, c.value}}}.Apply(&req, specs())
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s %s: %v, want %s", c.name, c.value, err, c.err)
			}
			continue
		}
		got := ""
		switch a := req.Measure[0]; {
		case err != nil:
			got = err.Error()
		case len(req.Factors) > 0:
			got = fmt.Sprintf("vary %s %d", req.Factors[0].Name, len(req.Factors[0].Levels))
		case len(a.Sweep) > 0:
			got = fmt.Sprint("sweep ", a.Sweep)
		default:
			got = fmt.Sprint("set ", a.Set)
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.value, got, c.want)
		}
	}
}
