package hostlist

import (
	"maps"
	"testing"
)

func TestNamed(t *testing.T) {
	for on, want := range map[string]map[string]string{
		"ssh m6gd":             nil,
		"db=ssh 10.0.0.7":      {"ssh 10.0.0.7": "db"},
		"web-1.a=ssh x":        {"ssh x": "web-1.a"},
		"env A=b ssh x":        nil,
		"SSH_AUTH_SOCK=/x ssh": nil,
		"=ssh x":               nil,
		"sh -c 'A=b exec x'":   nil,
	} {
		commands, names, err := Named([]string{on})
		if err != nil || !maps.Equal(names, want) || want == nil && commands[0] != on {
			t.Errorf("--on %q: %q, %v, %v", on, commands, names, err)
		}
	}
}
