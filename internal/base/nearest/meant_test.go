package nearest

import (
	"slices"
	"testing"
)

func TestMeant(t *testing.T) {
	known := []Known{
		{"m5d.8xlarge", []string{"ip-10-0-0-1"}}, {"m5dn.8xlarge", nil}, {"db", []string{"m6gd.8xlarge"}},
		{"m6g.large#1", []string{"m6g.large"}}, {"m6g.large#2", []string{"m6g.large"}}, {"i3en.3xlarge", nil}, {"DB2", nil},
	}
	for name, want := range map[string][]string{
		"m5d.8xlarge":  {"m5d.8xlarge"},
		"M5D.8XLARGE":  {"m5d.8xlarge"},
		"m5d":          {"m5d.8xlarge"},
		"m5dn":         {"m5dn.8xlarge"},
		"m5":           {"m5d.8xlarge", "m5dn.8xlarge"},
		"ip-10-0-0-1":  {"m5d.8xlarge"},
		"m6gd":         {"db"},
		"m6gd.8xlarge": {"db"},
		"m6g.large":    {"m6g.large#1", "m6g.large#2"},
		"m6g.large#2":  {"m6g.large#2"},
		"db":           {"db"},
		"db2":          {"DB2"},
		"i3":           {"i3en.3xlarge"},
		"c7g":          nil,
		"":             nil,
	} {
		if got := Meant(name, known); !slices.Equal(got, want) {
			t.Errorf("%q means %q, want %q", name, got, want)
		}
	}
}
