package invocation

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func specs() []workload.Spec {
	loads := []record.Param{{Name: "clients", Kind: record.Int, Default: "4"}, {Name: "rate", Kind: record.Float, Default: "0"}, {Name: "max_age", Kind: record.Bool, Default: "false"}}
	take := func(args []string) (workload.Taken, error) {
		if len(args) > 1 {
			return workload.Taken{Vary: "target", Values: args}, nil
		}
		return workload.Taken{Set: map[string]string{"target": args[0]}}, nil
	}
	params := append([]record.Param{{Name: "target", Kind: record.Text}}, loads...)
	return []workload.Spec{
		{Workload: record.Workload{Name: "web", Params: params}, Command: workload.Command{Take: take, Flags: []workload.Flag{{Name: "to", Param: "target"}}}},
		{Workload: record.Workload{Name: "cmd", Params: params[:1], Free: true}, Command: workload.Command{Take: take, Greedy: true, Warmups: "target"}},
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
	s := Settings{Set: []string{"clients=8"}, Vary: []string{"target=a,b"}, Flags: []Setting{{"max-age", "true"}, {"to", "x"}}}
	if err := s.Apply(&req, specs()); err != nil {
		t.Fatal(err)
	}
	if set := req.Measure[0].Set; set["clients"] != "8" || set["max_age"] != "true" || set["target"] != "x" || req.Factors[0].Name != "web.target" {
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
	if u := (Settings{}).Unsaid(bare, specs()); len(u) != 1 || !strings.HasPrefix(u[0], "web: no load is set, so 4 clients") {
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
