package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// loads lists the loads of a host's cells in order.
func loads(p record.Plan, host string) string {
	var out []string
	for _, c := range p.Cells {
		if c.Host == host {
			out = append(out, c.Load.Key())
		}
	}
	return strings.Join(out, ", ")
}

func TestRangesOfCPUs(t *testing.T) {
	for text, want := range map[string]string{
		"1..all":   "1 cpus, 2 cpus, 3 cpus, 4 cpus, 5 cpus, 6 cpus, 7 cpus, all cpus",
		"1..all/3": "1 cpus, 4 cpus, 7 cpus, all cpus",
		"2..5":     "2 cpus, 3 cpus, 4 cpus, 5 cpus",
		"1..6/4":   "1 cpus, 5 cpus, 6 cpus",
		"3..3":     "3 cpus",
		"8..all":   "8 cpus, all cpus",
	} {
		p := resolve(t, Request{Measure: kernel(nil, Axis{record.ParamCPUs, []string{text}})})
		if got := loads(p, ""); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"0..4": "not a number of CPUs", "1..x": "not a number",
		"1..4/0": "not a number", "1..9": "only 8 CPUs are usable here",
		"9..all": "only 8 CPUs are usable here", "8..4": "8 is more than 4"} {
		_, err := Resolve(Request{Measure: kernel(nil, Axis{record.ParamCPUs, []string{text}})}, declared(),
			map[string]Target{"": {CPUs: 8}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s: %v, want %q and a hint", text, err, want)
		}
	}
}

func TestRangesThinOut(t *testing.T) {
	if got := fmt.Sprint(counts(1, 64, 0)); got != "[1 2 3 4 5 6 7 8 10 12 14 16 20 24 28 32 40 48 56 64]" {
		t.Errorf("1..64: %s", got)
	}
	if got := fmt.Sprint(counts(1, 72, 0)); !strings.HasSuffix(got, " 56 64 72]") {
		t.Errorf("1..72: %s", got)
	}
}

// TestRangesOfUnlikeHosts: a host of fewer CPUs goes without the numbers that
// only the other has, and its own number is "all" and nothing else.
func TestRangesOfUnlikeHosts(t *testing.T) {
	p := resolve(t, Request{Measure: kernel(nil, Axis{record.ParamCPUs, []string{"1..all"}}),
		Hosts: []string{"", "ssh b"}})
	if got := loads(p, "ssh b"); got != "1 cpus, 2 cpus, 3 cpus, all cpus" {
		t.Errorf("four CPUs: %s", got)
	}
	if got := loads(p, ""); !strings.HasSuffix(got, "6 cpus, 7 cpus, all cpus") {
		t.Errorf("eight CPUs: %s", got)
	}
}

// TestAtMostSoManyCPUs: "all" is the requested maximum if a target has at least as many, each number once.
func TestAtMostSoManyCPUs(t *testing.T) {
	for _, c := range []struct {
		values string
		most   int
		want   string // on eight CPUs
		four   string
		left   string
	}{
		{"1 all", 6, "1 cpus, 6 cpus", "1 cpus, all cpus", ""},
		{"1 all", 4, "1 cpus, 4 cpus", "1 cpus, 4 cpus", ""},
		{"1 all", 1, "1 cpus", "1 cpus", ""},
		{"1..all", 4, "1 cpus, 2 cpus, 3 cpus, 4 cpus", "1 cpus, 2 cpus, 3 cpus, 4 cpus", ""},
		{"1..all", 6, "1 cpus, 2 cpus, 3 cpus, 4 cpus, 5 cpus, 6 cpus", "1 cpus, 2 cpus, 3 cpus, all cpus", ""},
		{"1 3 all", 2, "1 cpus, 2 cpus", "1 cpus, 2 cpus", "kernel.cpus=3 is over --max-cpus 2"},
	} {
		p := resolve(t, Request{Measure: kernel(nil, Axis{record.ParamCPUs, strings.Fields(c.values)}), MaxCPUs: c.most,
			Hosts: []string{"", "ssh b"}})
		left := ""
		if len(p.LeftOut) > 0 {
			left = p.LeftOut[0].Why
		}
		if got, four := loads(p, ""), loads(p, "ssh b"); got != c.want || four != c.four || left != c.left {
			t.Errorf("%s at most %d: %s and %s, left out %q", c.values, c.most, got, four, left)
		}
	}
}

func TestVaryOfOneAsk(t *testing.T) {
	p := resolve(t, Request{Measure: []Ask{
		{Workload: "kernel", Set: map[string]string{"size": "1KiB"}},
		{Workload: "kernel", Set: map[string]string{"size": "2KiB"},
			Vary: []Factor{Vary("kernel.bits", []string{"128", "256"})}},
	}})
	if len(p.Cells) != 3 || p.Cells[0].Levels != nil || p.Cells[0].Sliced || p.Cells[1].Group != p.Cells[2].Group ||
		!p.Cells[2].Sliced {
		t.Errorf("cells %+v", p.Cells)
	}
	if len(p.Factors) != 1 || p.Factors[0].Name != "kernel.bits" || len(p.Factors[0].Levels) != 2 {
		t.Errorf("factors %+v", p.Factors)
	}
}

func TestSocketsBoundTheCPUs(t *testing.T) {
	decls := declared()
	decls[0].Params = append(decls[0].Params,
		record.Param{Name: record.ParamSockets, Kind: record.Enum, Default: record.SocketsAll,
			Choices: []string{record.SocketsAll, record.SocketsOne}})
	ask := kernel(nil, Axis{record.ParamCPUs, []string{"1..all"}})
	ask[0].Vary = []Factor{Vary("kernel.sockets", []string{record.SocketsAll, record.SocketsOne})}
	p, err := Resolve(Request{Measure: ask}, decls, map[string]Target{"": {CPUs: 4, SocketCPUs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Cells {
		got = append(got, fmt.Sprintf("%s %s %g %v", c.Params[record.ParamSockets], c.Load.Key(), c.Load.Level, c.Sliced))
	}
	want := "all 1 cpus 1 true; one 1 cpus 1 true; all 2 cpus 2 false; all 3 cpus 3 false; all all cpus 4 false; one " +
		"all cpus 2 false"
	if strings.Join(got, "; ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
	}
}

func TestOptionalCellsAreLeftOut(t *testing.T) {
	refuses := func(_ string, p record.Params) error {
		if p["bits"] == "128" {
			return errors.New("kernel: 128 is untestable here\nhint: leave it out")
		}
		return nil
	}
	ask := kernel(nil, Axis{"size", []string{"1KiB", "2KiB"}})
	ask[0].Vary = []Factor{Vary("kernel.bits", []string{"128", "256"})}
	targets := map[string]Target{"": {CPUs: 8, Refuses: refuses}}
	if _, err := Resolve(Request{Measure: ask}, declared(), targets); err == nil || !errors.As(err, new(*usage.Error)) ||
		!strings.Contains(err.Error(), "hint: leave it out") {
		t.Errorf("not optional: %v", err)
	}
	ask[0].Optional = true
	p, err := Resolve(Request{Measure: ask}, declared(), targets)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Cells) != 2 || p.Cells[0].Group == p.Cells[1].Group || p.Cells[0].Params["bits"] != "256" {
		t.Errorf("cells %+v", p.Cells)
	}
	if len(p.Factors) != 0 {
		t.Errorf("one level is left of a factor, which stands in the plan: %+v", p.Factors)
	}
	if want := (record.LeftOut{Why: "kernel: 128 is untestable here", Cells: 2}); len(p.LeftOut) != 1 ||
		p.LeftOut[0] != want {
		t.Errorf("left out %+v", p.LeftOut)
	}
	ask[0].Vary, ask[0].Set = nil, map[string]string{"bits": "128"}
	if _, err := Resolve(Request{Measure: ask}, declared(), targets); err == nil ||
		!strings.Contains(err.Error(), "nothing can be measured here: kernel: 128") {
		t.Errorf("all left out: %v", err)
	}
}

func TestQuicken(t *testing.T) {
	r := Request{DurationS: 30, WarmupS: -1, Replicates: 10}
	r.Quicken()
	if !r.Quick || r.DurationS != QuickDurationS || r.WarmupS >= 0 || r.Replicates != QuickMost {
		t.Errorf("%+v", r)
	}
	r = Request{DurationS: .5, WarmupS: .1, Replicates: 2}
	r.Quicken()
	if r.DurationS != .5 || r.WarmupS != .1 || r.Replicates != 2 {
		t.Errorf("shorter times are kept: %+v", r)
	}
}

// TestParametersWithoutEffect: without an effect a parameter has its default, and if that is everywhere, it is refused.
func TestParametersWithoutEffect(t *testing.T) {
	decls := declared()
	i := slices.IndexFunc(decls, func(d record.Workload) bool { return d.Name == "kernel" })
	decls[i].Params = append(slices.Clone(decls[i].Params), record.Param{Name: "rounds", Kind: record.Int, Default: "10",
		Min: 1, Max: 14, Phase: record.Load, Only: []record.Only{{Param: "bits", Is: []string{"128"}}}})
	ask := kernel(map[string]string{"rounds": "12"})
	for _, c := range []struct {
		bits []string
		want string // or the beginning of an error
	}{
		{[]string{"128", "256"}, "128: 12 minor false; 256: 10 minor true"},
		{[]string{"256"}, "kernel: rounds=12 applies only with bits=128, but bits=256"},
	} {
		ask[0].Sweep = []Axis{{"bits", c.bits}}
		p, err := Resolve(Request{Measure: ask}, decls, map[string]Target{"": {CPUs: 8, Refuses: func(string,
			record.Params) error {
			if len(c.bits) == 1 {
				t.Error("a host is asked")
			}
			return nil
		}}})
		var got []string
		for _, cell := range p.Cells {
			got = append(got, fmt.Sprintf("%s: %s minor %t", cell.Params["bits"], cell.Params["rounds"],
				slices.Contains(cell.Minor, "rounds")))
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if text := strings.Join(got, "; "); !strings.HasPrefix(text, c.want) {
			t.Errorf("%q: %s, want %s", c.bits, text, c.want)
		}
	}
}
