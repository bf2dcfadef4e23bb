package judge

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// factorialTrials is a session of one machine in which TLS and the size of blocks vary. TLS
// sets two parameters and costs 10%; it also changes the load.
func factorialTrials(machine string, replicates int) []record.Trial {
	var out []record.Trial
	for r := range replicates {
		for g, size := range []string{"4KiB", "64KiB"} {
			for i, tls := range []string{"off", "on"} {
				value := 1e9 * (1 + float64(g)) * (1 - .1*float64(i)) * (1 + .002*float64((r+i)%3))
				out = append(out, trial(machine, r, value, key("aes.size", size), cellNo(2*g+i),
					key("factor.tls", tls), key("aes.tls", tls), key("aes.cipher", map[string]string{"off": "none", "on": "gcm"}[tls]),
					key(record.KeyLoad, fmt.Sprint(i+1, " clients")), func(t *record.Trial) { t.Group = g }))
			}
		}
	}
	return out
}

func tlsFactor(p *record.Plan) {
	p.Factors = []record.Factor{{Name: "tls", Levels: []string{"off", "on"}}}
}

func TestNamedFactor(t *testing.T) {
	got, err := Compare(factorialTrials("m1", 4), nil, plans(tlsFactor), Options{By: "tls"})
	if err != nil || len(got.Pairs) != 1 || len(got.Pairs[0].Verdicts) != 2 {
		t.Fatalf("want one pair with a verdict for each size, got %+v, %v", got, err)
	}
	p := got.Pairs[0]
	if p.A != "off" || p.B != "on" || p.By != "tls" || p.Machine != "m1" || len(compare.KindResidue.All(p)) != 0 {
		t.Errorf("%+v", p)
	}
	for i, size := range []string{"4KiB", "64KiB"} {
		v := p.Verdicts[i]
		if !maps.Equal(v.Params, map[string]string{"size": size}) || v.Load != "" || v.N != 4 || !v.Paired ||
			v.Verdict != trialset.Different || v.Better != "a" {
			t.Errorf("size %s: %+v", size, v)
		}
	}
}

// TestOneLevelOfAnotherParameterLeft: what remains of a cut session shows one
// size at each level of TLS. The plan knows better than to think TLS sets it.
func TestOneLevelOfAnotherParameterLeft(t *testing.T) {
	trials := slices.DeleteFunc(factorialTrials("m1", 4), func(t record.Trial) bool {
		return (t.Keys["factor.tls"] == "on") != (t.Keys["aes.size"] == "64KiB")
	})
	whole := func(p *record.Plan) {
		tlsFactor(p)
		for _, t := range factorialTrials("m1", 1) {
			p.Cells = append(p.Cells, record.Cell{
				Workload: "aes", Load: record.LoadPoint{Kind: record.Once, Level: 1},
				Levels: map[string]string{"tls": t.Keys["factor.tls"]},
				Params: record.Params{"size": t.Keys["aes.size"], "tls": t.Keys["aes.tls"], "cipher": t.Keys["aes.cipher"]},
			})
		}
	}
	_, err := Compare(trials, nil, plans(whole), Options{By: "tls"})
	if _, ok := err.(compare.Disjoint); !ok {
		t.Errorf("sizes of 4 and 64 KiB were compared: %v", err)
	}
}

func TestParameterAsFactor(t *testing.T) {
	trials := session(8, .05, .005, key(record.KeyMachine, "m"))
	for i := range trials {
		trials[i].Keys["aes.size"] = []string{"4KiB", "64KiB"}[trials[i].Cell]
	}
	got, err := Compare(trials, nil, plans(nil), Options{By: "aes.size"})
	if v := only(t, got, err); len(v.Params) != 0 || v.Verdict != trialset.Different || v.Load != "all cpus" {
		t.Errorf("%+v", v)
	}
}

func TestLevelOrder(t *testing.T) {
	backwards := func(p *record.Plan) {
		p.Factors = []record.Factor{{Name: "tls", Levels: []string{"never measured", "on", "off"}}}
	}
	for _, c := range []struct {
		plan     func(*record.Plan)
		baseline string
		a, b     string
	}{
		{nil, "", "off", "on"}, {backwards, "", "on", "off"}, {backwards, "off", "off", "on"},
	} {
		got, err := Compare(factorialTrials("m1", 3), nil, plans(c.plan), Options{By: "tls", Baseline: c.baseline})
		if err != nil || got.Pairs[0].A != c.a || got.Pairs[0].B != c.b {
			t.Errorf("want %s then %s: %+v, %v", c.a, c.b, got.Pairs, err)
		}
	}
}

// TestMachinesApart: levels are compared within each machine, and a machine with one
// level only is a warning beside the others.
func TestMachinesApart(t *testing.T) {
	trials := append(factorialTrials("m1", 3), factorialTrials("m2", 3)...)
	half := slices.DeleteFunc(factorialTrials("m3", 3), func(t record.Trial) bool { return t.Keys["factor.tls"] == "on" })
	got, err := Compare(append(trials, half...), nil, plans(tlsFactor), Options{By: "tls"})
	if err != nil || len(got.Pairs) != 2 || got.Pairs[0].Machine != "m1" || got.Pairs[1].Machine != "m2" {
		t.Fatalf("%+v, %v", got, err)
	}
	want := "off and on have nothing in common on m3: off has aes, on has nothing"
	if !slices.Contains(note.Texts(got.Pairs[0].Warnings), want) {
		t.Errorf("warnings %q", got.Pairs[0].Warnings)
	}
}

func TestResidue(t *testing.T) {
	trials := alter(session(4, .05, .005, key(record.KeyPath, "vaes"), key("engine.pg", "16")), on("m2"),
		key("engine.pg", "17"), key("tuned", "yes"))
	alter(trials, func(t record.Trial) bool { return on("m2")(t) && t.Replicate == 0 }, key(record.KeyPath, "aesni"))
	machines := []record.Machine{
		{Name: "m1", Arch: "amd64", Kernel: "6.1", OS: "Debian 12", CPU: record.CPU{Cores: 4},
			Settings: record.Settings{Governor: "performance", THP: "always"}},
		{Name: "m2", Arch: "amd64", Kernel: "6.8", OS: "Debian 12", CPU: record.CPU{Cores: 8},
			Settings: record.Settings{Governor: "powersave", THP: "always"}},
	}
	got, err := Compare(trials, machines, plans(nil), Options{})
	only(t, got, err)
	want := []compare.Difference{
		{Key: "cores", A: []string{"4"}, B: []string{"8"}}, {Key: "engine.pg", A: []string{"16"}, B: []string{"17"}},
		{Key: "governor", A: []string{"performance"}, B: []string{"powersave"}},
		{Key: "kernel", A: []string{"6.1"}, B: []string{"6.8"}},
		{Key: record.KeyPath, A: []string{"vaes"}, B: []string{"aesni", "vaes"}},
		{Key: "tuned", A: []string{}, B: []string{"yes"}},
	}
	if r := compare.KindResidue.All(got.Pairs[0]); fmt.Sprint(r) != fmt.Sprint(want) {
		t.Errorf("residue %v\nwant %v", r, want)
	}
}

func TestWrongQuestions(t *testing.T) {
	one, two := session(4, 0, .01)[:1], session(4, 0, .01)
	apart := alter(session(4, 0, .01), on("m2"), key("aes.size", "1MiB"))
	gone := alter(session(4, 0, .01), on("m2"), void("steal"))
	for _, c := range []struct {
		name   string
		trials []record.Trial
		o      Options
		want   error
		says   string
	}{
		{"no such factor", factorialTrials("m1", 3), Options{By: "tsl"},
			axis.Unknown{What: "factor", Name: "tsl", Known: []string{"tls", "load", "aes.tls", "aes.size", "aes.cipher"}},
			`unknown factor "tsl"` + "\nhint: the runs have tls, load"},
		{"no trials", nil, Options{}, axis.Unknown{What: "factor", Name: "machine", Known: []string{}}, "the runs have none"},
		{"no such baseline", two, Options{Baseline: "m3"},
			axis.Unknown{What: "baseline", Name: "m3", Known: []string{"m1", "m2"}}, `unknown baseline "m3"`},
		{"one machine", one, Options{}, axis.Alone{By: "machine", Side: "m1"},
			"add the file of another machine, or of another session of this one"},
		{"one level", one, Options{By: "aes.size"}, axis.Alone{By: "aes.size", Side: "16KiB"},
			"measure another level with --vary"},
		{"nothing alike", apart, Options{},
			compare.Disjoint{A: "m1", B: "m2", HasA: []string{"aes at all cpus, size=16KiB"},
				HasB: []string{"aes at all cpus, size=1MiB"}},
			"m1 and m2 have nothing in common: m1 has aes at all cpus, size=16KiB, m2 has aes at all cpus, size=1MiB\nhint: "},
		{"all void", gone, Options{}, compare.NoValid{Side: "m2",
			Cells: []string{"aes at all cpus, size=16KiB"}, Void: 4, Reasons: []string{"steal"}},
			"no valid run of m2 remains: 4 failed (steal)\nhint: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Compare(c.trials, nil, plans(nil), c.o)
			if err == nil || len(got.Pairs) > 0 {
				t.Fatalf("want an error and no pair: %+v, %v", got, err)
			}
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				err = joined.Unwrap()[0]
			}
			if fmt.Sprintf("%#v", err) != fmt.Sprintf("%#v", c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%#v\nwant %#v\nsays %s", err, c.want, err)
			}
		})
	}
}

// TestPartlyVoid: what could be compared comes with the error about what could not.
func TestPartlyVoid(t *testing.T) {
	trials := append(session(4, .05, .005), alter(session(4, 0, .01, key("aes.size", "1MiB")), on("m2"), void("late"))...)
	trials = append(trials, trial("m1", 0, 1, key("aes.size", "8MiB")), trial("m3", 0, 1, void("late"), cellNo(7)))
	got, err := Compare(trials, nil, plans(nil), Options{})
	var none compare.NoValid
	if !errors.As(err, &none) || none.Side != "m3" || len(got.Pairs) != 1 || len(got.Pairs[0].Verdicts) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, want := range []string{
		"no comparison was made, because all runs of m2 failed: aes at all cpus, size=1MiB",
		"only m1 ran these benchmarks, so they are not compared: aes at all cpus, size=8MiB",
	} {
		if !slices.Contains(note.Texts(got.Pairs[0].Warnings), want) {
			t.Errorf("warnings %q lack %q", got.Pairs[0].Warnings, want)
		}
	}
}
