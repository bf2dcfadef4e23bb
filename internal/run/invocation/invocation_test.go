package invocation

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func specs() []workload.Spec {
	loads := []record.Param{{Name: "clients", Kind: record.Int, Default: "4"},
		{Name: "rate", Kind: record.Float, Default: "0"}, {Name: "max_age", Kind: record.Bool, Default: "false"}}
	take := func(args []string) (workload.Taken, error) {
		if len(args) > 1 {
			return workload.Taken{Vary: "target", Values: args}, nil
		}
		return workload.Taken{Set: map[string]string{"target": args[0]}}, nil
	}
	params := append([]record.Param{{Name: "target", Kind: record.Text}}, loads...)
	return []workload.Spec{
		{Workload: record.Workload{Name: "web", Params: params},
			Command: workload.Command{Take: take, Flags: []workload.Flag{{Name: "to", Param: "target"}}, Arguments: "URL…",
				Means: func(arg string) workload.Likelihood {
					if strings.HasPrefix(arg, "http://") {
						return workload.Certain
					}
					return workload.Unlikely
				}}},
		{Workload: record.Workload{Name: "cmd", Params: params[:1], Free: true},
			Command: workload.Command{Take: take, Greedy: true, Warmups: "target"}},
		{Workload: record.Workload{Name: "sum", Params: loads}},
	}
}

func TestRequest(t *testing.T) {
	for _, c := range []struct {
		args string // "--" marks where options end
		want string
		err  string
	}{
		{args: "web", want: "web"},
		{args: "web sum", want: "web,sum"},
		{args: "web here", want: "web target=here"},
		{args: "web here there", want: "web vary web.target=here,there"},
		{args: "cmd web", want: "cmd target=web"},
		{args: "cmd web sum", want: "cmd vary cmd.target=web,sum"},
		{args: "cmd -- ls a'b", want: `cmd target=ls a\'b`},
		{args: "web -- sum", want: "web target=sum"},
		{args: "sum 1", err: "sum takes no argument"},
		{args: "sum wen", err: "did you mean web"},
		{args: "web sum http://x", err: "is an argument of one workload, and web and sum are measured"},
		{args: "nothing", err: "unknown workload or suite"},
	} {
		line := Line{Dash: -1}
		for i, word := range strings.Fields(c.args) {
			if word == "--" {
				line.Dash = i
				continue
			}
			line.Args = append(line.Args, word)
		}
		req, err := line.Request(specs())
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.args, err, c.err)
			}
			continue
		}
		got := strings.Join(req.Workloads(), ",")
		for _, a := range req.Measure {
			if v, ok := a.Set["target"]; ok {
				got += " target=" + v
			}
		}
		for _, f := range req.Factors {
			got += " vary " + f.Name + "=" + f.Levels[0].Name + "," + f.Levels[1].Name
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}

func TestSettings(t *testing.T) {
	req, err := Line{Args: []string{"web"}, Dash: -1}.Request(specs())
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Set: []string{"clients=8"}, Vary: []string{"target=a,b"},
		Flags: []Setting{{"max-age", "true"}, {"to", "x"}}}
	if err := s.Apply(&req, specs()); err != nil {
		t.Fatal(err)
	}
	if set := req.Measure[0].Set; set["clients"] != "8" || set["max_age"] != "true" || set["target"] != "x" ||
		req.Factors[0].Name != "web.target" {
		t.Errorf("%v %v", set, req.Factors)
	}
	if keys := s.Keys(req, specs()); !slices.Equal(keys, []string{"web.clients", "web.max_age", "web.target"}) {
		t.Errorf("%v", keys)
	}
	if u := s.Unsaid(req, specs()); len(u) > 0 {
		t.Errorf("%q", u)
	}
	if u := (Settings{Set: []string{"target=a"}}).Unsaid(req, specs()); len(u) > 0 {
		t.Errorf("set in the request, and still %q", u)
	}
	bare, _ := Line{Args: []string{"web"}, Dash: -1}.Request(specs())
	if u := (Settings{}).Unsaid(bare, specs()); len(u) != 1 ||
		!strings.HasPrefix(u[0], "web: no load is set, so 4 clients") {
		t.Errorf("%q", u)
	}
	if u := (Settings{Sweep: []string{"rate=1,2"}}).Unsaid(bare, specs()); len(u) > 0 {
		t.Errorf("%q", u)
	}
	if _, ok := Runs("3", bare, specs()); ok {
		t.Error("web counts no warm-up runs")
	}
	counted, _ := Line{Args: []string{"cmd"}, Dash: -1}.Request(specs())
	if got, ok := Runs("3", counted, specs()); !ok || got != (Setting{"target", "3"}) {
		t.Errorf("%v %v", got, ok)
	}
	if _, ok := Runs("3s", counted, specs()); ok {
		t.Error("3s is a time")
	}
}

// TestClusters: hosts that go by one name, and the numbers of nodes that follow.
func TestClusters(t *testing.T) {
	all := append(specs(),
		workload.Spec{Workload: record.Workload{Name: "log", Clusters: true,
			Params: []record.Param{{Name: record.ParamNodes, Kind: record.Int, Default: "1"}}}})
	apply := func(s Settings, measured ...string) (plan.Request, error) {
		req, err := Line{Args: measured, Dash: -1}.Request(all)
		if err != nil {
			t.Fatal(err)
		}
		req.Hosts, req.Names = []string{"ssh a", "ssh b", "ssh c", "ssh d"}, map[string]string{"ssh a": "a", "ssh b": "b",
			"ssh c": "c", "ssh d": "d"}
		return req, s.Apply(&req, all)
	}
	req, err := apply(Settings{Clusters: []string{"r5=a,b,c"}}, "log")
	if err != nil || !slices.Equal(req.Clusters["ssh a"], []string{"ssh b", "ssh c"}) || req.Names["ssh a"] != "r5" ||
		req.Alone["ssh a"]["log.nodes"] != "3" || len(req.Alone) != 1 {
		t.Errorf("%+v, %v", req, err)
	}
	// Who sets the number of nodes is held to it when the plan is made.
	if req, err = apply(Settings{Clusters: []string{"r5=a,b"}, Set: []string{"nodes=3"}}, "log"); err != nil ||
		len(req.Alone) != 0 {
		t.Errorf("%+v, %v", req, err)
	}
	if req, err = apply(Settings{EqualCost: "a=3,b=4,c=1,d=1"}, "log"); err != nil ||
		req.Alone["ssh b"]["log.nodes"] != "4" {
		t.Errorf("%+v, %v", req, err)
	}
	for want, c := range map[string]Settings{
		"must be NAME=HOST,HOST":                     {Clusters: []string{"r5=a"}},
		`unknown host "x"`:                           {Clusters: []string{"r5=a,x"}},
		"the host b is in a cluster already":         {Clusters: []string{"r5=a,b", "r6=c,b"}},
		"another host or cluster has the name d":     {Clusters: []string{"d=a,b"}},
		"another host or cluster has the name r5":    {Clusters: []string{"r5=a,b", "r5=c,d"}},
		"another host or cluster has the name b":     {Clusters: []string{"b=a,b"}},
		"both say how many nodes log has":            {Clusters: []string{"r5=a,b"}, EqualCost: "a=3,b=4"},
		"1 of 4 machines have a number of nodes":     {EqualCost: "a=3"},
		"a has a number of nodes already":            {EqualCost: "a=3,a=4"},
		"with a number of nodes from 1 on\nhint: --": {EqualCost: "a=0"},
	} {
		if _, err := apply(c, "log"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := apply(Settings{Clusters: []string{"r5=a,b"}}, "log", "sum"); err == nil ||
		!strings.Contains(err.Error(), "sum starts no clusters") {
		t.Errorf("%v", err)
	}
	if _, err := apply(Settings{Clusters: []string{"r5=a,b"}}, "sum"); err == nil ||
		!strings.HasSuffix(err.Error(), "no measured workload starts clusters\nhint: plimsoll run log --cluster …") {
		t.Errorf("%v", err)
	}
}

// TestLettersThatWereTyped: another tool's letter explains a flag only if it was typed.
func TestLettersThatWereTyped(t *testing.T) {
	all := specs()
	all[0].Command.Flags[0].Short = "T" // of other tools: the duration
	for typed, want := range map[string]string{"--to": "hint: plimsoll run web --to", "-T": "hint: --for 10s"} {
		req, err := Line{Args: []string{"sum"}, Dash: -1}.Request(all)
		if err != nil {
			t.Fatal(err)
		}
		s := Settings{Flags: []Setting{{"to", "x"}}, Typed: Typed{Words: []string{"sum", typed, "x"}}}
		if err := s.Apply(&req, all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", typed, err, want)
		}
	}
}

// TestRowsOfParameters: a row that needs a parameter explains no flag of a workload without it.
func TestRowsOfParameters(t *testing.T) {
	for workload, want := range map[string]string{"web": "--clients N, or -c N", "cmd": "", "": "--clients N, or -c N"} {
		if got := peer("concurrency", []string{workload}, specs()); got != want {
			t.Errorf("%s: %q, want %q", workload, got, want)
		}
	}
}
