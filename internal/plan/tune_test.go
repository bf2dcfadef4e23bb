package plan

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// tunable are the declared workloads with settings of the machine, as those of the program have.
func tunable() []record.Workload {
	out := declared()
	for i := range out {
		out[i].Params = append(out[i].Params,
			record.Param{Name: "tune.scheduler", Kind: record.Text, Tunes: true, Minor: true},
			record.Param{Name: "tune.nomerges", Kind: record.Enum, Choices: []string{"0", "2"}, Tunes: true, Minor: true},
			record.Param{Name: "tune.pages", Kind: record.Int, Max: 100, Tunes: true, Minor: true},
			record.Param{Name: record.ParamTunePreset, Kind: record.Enum, Choices: []string{"fast"}, Tunes: true, Minor: true},
			record.Param{Name: record.ParamTuneDisks, Kind: record.Text, Tunes: true, Minor: true})
		out[i].Presets = []record.Preset{{Of: record.ParamTunePreset, Name: "fast",
			Set: map[string]string{"tune.scheduler": "none", "tune.nomerges": "2"}}}
	}
	return out
}

func tunedPlan(t *testing.T, req Request) record.Plan {
	t.Helper()
	req.Session = "test"
	p, err := Resolve(req, tunable(), map[string]Target{"": {CPUs: 8}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tunes returns the settings of the machine of each cell, in their order.
func tunes(p record.Plan) string {
	var out []string
	for _, c := range p.Cells {
		var own []string
		for _, name := range slices.Sorted(maps.Keys(c.Params)) {
			if record.Tunes(name) {
				own = append(own, strings.TrimPrefix(name, record.TunePrefix)+"="+c.Params[name])
			}
		}
		out = append(out, strings.Join(own, " "))
	}
	return strings.Join(out, "; ")
}

// TestTuningIsAFactor: like any other, of one workload or of all that are measured; a preset's values stand beneath
// those that are set, and what one side changes the others are to leave as it is.
func TestTuningIsAFactor(t *testing.T) {
	command := Ask{Workload: "command", Set: map[string]string{"line": "true"}}
	for name, c := range map[string]struct {
		req  Request
		want string
	}{
		"none": {Request{Measure: kernel(nil)}, ""},
		"a factor": {Request{Measure: kernel(nil), Factors: []Factor{Vary("kernel.tune.scheduler",
			[]string{"as-found", "none"})}}, "scheduler=as-found; scheduler=none"},
		"of two workloads": {Request{Measure: append(kernel(nil), command), Factors: []Factor{Vary("tune.nomerges",
			[]string{"as-found", "2"})}}, "nomerges=as-found; nomerges=2; nomerges=as-found; nomerges=2"},
		"a preset": {Request{Measure: kernel(map[string]string{"tune.disks": "vda"}), Factors: []Factor{Vary(
			"kernel.tune.preset", []string{"as-found", "fast"})}},
			"disks=vda nomerges=as-found preset=as-found scheduler=as-found; disks=vda nomerges=2 preset=fast scheduler=none"},
		"a preset but for one": {Request{Measure: kernel(map[string]string{"tune.preset": "fast",
			"tune.nomerges": "as-found"})}, "nomerges=as-found preset=fast scheduler=none"},
		"a level that sets nothing": {Request{Measure: kernel(nil), Factors: []Factor{{Name: "tuned", Levels: []Level{
			{Name: "no", Set: map[string]string{"kernel.bits": "256"}},
			{Name: "yes", Set: map[string]string{"kernel.bits": "256", "kernel.tune.pages": "64"}}}}}},
			"pages=as-found; pages=64"},
		"a sweep": {Request{Measure: kernel(nil, Axis{"tune.pages", []string{"0", "64"}})}, "pages=0; pages=64"},
	} {
		p := tunedPlan(t, c.req)
		if got := tunes(p); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for _, cell := range p.Cells {
			if cell.Sliced {
				t.Errorf("%s: sides that alternate in one process cannot have two settings of the machine: %+v", name, cell)
			}
		}
	}
	if p := tunedPlan(t, Request{Measure: kernel(map[string]string{"tune.pages": "1"}),
		Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})}}); !p.Cells[0].Sliced {
		t.Error("sides with the same settings of the machine can alternate in one process")
	}
}

// TestUntunedPlansAreAsBefore: their hash, by which their runs are known, does not change.
func TestUntunedPlansAreAsBefore(t *testing.T) {
	req := Request{Session: "test", Measure: kernel(nil), Factors: []Factor{Vary("kernel.bits", []string{"128", "256"})}}
	with := tunedPlan(t, req)
	if without := resolve(t, req); Hash(with) != Hash(without) {
		t.Errorf("%+v, before %+v", with, without)
	}
}

func TestBadTunings(t *testing.T) {
	for name, req := range map[string]Request{
		"an unknown one": {Measure: kernel(map[string]string{"tune.shceduler": "none"})},
		"of a command":   {Measure: []Ask{{Workload: "command", Set: map[string]string{"tune.x": "1"}}}},
		"no choice":      {Measure: kernel(map[string]string{"tune.nomerges": "7"})},
		"no number":      {Measure: kernel(map[string]string{"tune.pages": "many"})},
		"too many":       {Measure: kernel(map[string]string{"tune.pages": "101"})},
		"below none":     {Measure: kernel(map[string]string{"tune.pages": "-1"})},
		"no preset":      {Measure: kernel(map[string]string{"tune.preset": "slow"})},
	} {
		req.Session = "test"
		if p, err := Resolve(req, tunable(), map[string]Target{"": {CPUs: 8}}); err == nil {
			t.Errorf("%s: %s", name, tunes(p))
		}
	}
}

// TestTuningsOfARequest: whatever names them, since none may be changed without permission.
func TestTuningsOfARequest(t *testing.T) {
	for want, req := range map[string]Request{
		"":                  {Measure: kernel(map[string]string{"tune.disks": "vda", "tune.pages": "as-found"})},
		"tune.pages=1":      {Measure: kernel(map[string]string{"tune.pages": "1"})},
		"tune.pages=2":      {Measure: kernel(nil, Axis{"tune.pages", []string{"as-found", "2"}})},
		"tune.pages=3":      {Measure: kernel(nil), Factors: []Factor{Vary("tune.pages", []string{"as-found", "3"})}},
		"tune.preset=fast":  {Measure: kernel(nil), Factors: []Factor{Vary("kernel.tune.preset", []string{"fast"})}},
		"tune.pages=4":      {Measure: []Ask{{Workload: "kernel", Vary: []Factor{Vary("kernel.tune.pages", []string{"4"})}}}},
		"tune.pages=5":      {Measure: []Ask{{Workload: "kernel", Quick: []Axis{{"tune.pages", []string{"5"}}}}}},
		"tune.scheduler=x":  {Measure: kernel(nil), Alone: map[string]map[string]string{"h": {"kernel.tune.scheduler": "x"}}},
		"tune.scheduler=x ": {Measure: kernel(map[string]string{"tune.scheduler": "x "})},
	} {
		if got := strings.Join(req.Tunings(), ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTuningOfAll: without a workload's name a setting is that of every measured workload.
func TestTuningOfAll(t *testing.T) {
	req := Request{Measure: append(kernel(nil), Ask{Workload: "command", Set: map[string]string{"line": "true"}})}
	if err := req.Set("tune.pages", "7", tunable()); err != nil {
		t.Fatal(err)
	}
	if got := tunes(tunedPlan(t, req)); got != "pages=7; pages=7" {
		t.Error(got)
	}
	if err := req.Set("tune.shceduler", "none", tunable()); err == nil {
		t.Error("a setting that there is not was set")
	}
}
