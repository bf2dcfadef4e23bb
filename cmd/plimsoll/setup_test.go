package main

import (
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestOnlyRootMayInstall(t *testing.T) {
	pkg := engine.Step{Does: "install a package", Command: []string{"apt-get", "install", "thing"}, Root: true}
	own := engine.Step{Does: "fetch", Command: []string{"mvn", "thing"}}
	for _, c := range []struct {
		steps []engine.Step
		euid  int
		hint  string // "": it may
	}{
		{[]engine.Step{pkg, own}, 0, ""},
		{[]engine.Step{own}, 1000, ""},
		{[]engine.Step{pkg}, 1000, "\nhint: sudo plimsoll setup thing"},
		{[]engine.Step{pkg, own}, 1000, "\nhint: sudo apt-get install thing && plimsoll setup thing"},
	} {
		err := mayRun("thing", c.steps, c.euid)
		if (err == nil) != (c.hint == "") || err != nil && !strings.HasSuffix(err.Error(), c.hint) {
			t.Errorf("user %d, %d steps: %v, want an error that ends in %q", c.euid, len(c.steps), err, c.hint)
		}
	}
}
