package plan

import (
	"testing"

	"plimsoll/internal/record"
)

// TestPresets: a preset's values stand beneath those that were set, and may name parameters of the user's own.
func TestPresets(t *testing.T) {
	decl := record.Workload{
		Name: "w", Free: true, Presets: []record.Preset{
			{Name: "p", Set: map[string]string{"command": "c {size} {more}", "size": "5", "more": "x"}}},
		Params: []record.Param{
			{Name: "command", Kind: record.Text},
			{Name: record.ParamPreset, Kind: record.Enum, Default: "none", Choices: []string{"none", "p"}},
		},
	}
	for _, c := range []struct {
		set, want record.Params
	}{
		{record.Params{"preset": "p"}, record.Params{"command": "c {size} {more}", "size": "5", "more": "x", "preset": "p"}},
		{record.Params{"preset": "p", "size": "7"},
			record.Params{"command": "c {size} {more}", "size": "7", "more": "x", "preset": "p"}},
		{record.Params{"command": "d"}, record.Params{"command": "d", "preset": "none"}},
		{record.Params{"preset": "q"}, nil},
		{record.Params{"preset": "none", "size": "7"}, nil},
		{record.Params{"preset": "p", "other": "7"}, nil},
	} {
		got, err := resolveParams(decl, c.set)
		if c.want == nil {
			if err == nil {
				t.Errorf("%v gives %v", c.set, got)
			}
			continue
		}
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%v gives %v, %v", c.set, got, err)
		}
		for name, v := range c.want {
			if got[name] != v {
				t.Errorf("%v: %s is %q, want %q", c.set, name, got[name], v)
			}
		}
	}
	if len(decl.Presets[0].Set) != 3 {
		t.Error("the preset itself was changed")
	}
}

// TestDepthIsALoad: the operations in flight are the depth of all jobs, unless clients or a rate are set.
func TestDepthIsALoad(t *testing.T) {
	decl := record.Workload{Name: "w", Loads: []record.LoadKind{record.Closed, record.Open}, Params: []record.Param{
		{Name: record.ParamDepth, Kind: record.Int, Default: "8"}, {Name: record.ParamJobs, Kind: record.Int, Default: "4"},
		{Name: record.ParamClients, Kind: record.Int, Default: "0"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0"},
	}}
	for want, set := range map[string]record.Params{"32 clients": {}, "3 clients": {"clients": "3"}, "9/s": {"rate": "9"},
		"128 clients": {"depth": "32"}} {
		p, err := resolveParams(decl, set)
		if err != nil {
			t.Fatal(err)
		}
		l, err := loadOf(decl, p, 2)
		if err != nil || l.Key() != want {
			t.Errorf("%v is a load of %s, want %s: %v", set, l.Key(), want, err)
		}
	}
}
