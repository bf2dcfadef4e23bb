package setup

import (
	"strings"
	"testing"

	"plimsoll/internal/engine"
)

func TestOnlyRootMayInstall(t *testing.T) {
	pkg := engine.Step{Does: "install a package", Command: []string{"apt-get", "install", "thing"}, Env: []string{"A=b"},
		Root: true}
	own := engine.Step{Does: "fetch", Command: []string{"mvn", "thing"}}
	for _, c := range []struct {
		steps []engine.Step
		euid  int
		sudo  bool
		want  string // the first step; "": an error
	}{
		{[]engine.Step{pkg, own}, 0, false, "apt-get install thing"},
		{[]engine.Step{pkg, own}, 0, true, "apt-get install thing"},
		{[]engine.Step{own}, 1000, false, "mvn thing"},
		{[]engine.Step{pkg, own}, 1000, true, "sudo -n env A=b apt-get install thing"},
		{[]engine.Step{pkg, own}, 1000, false, ""},
	} {
		got, err := Here{Sudo: c.sudo, Dry: true}.permitted(t.Context(), "thing", c.steps, c.euid)
		if c.want == "" {
			if err == nil ||
				!strings.HasPrefix(err.Error(), "setting up thing needs root for: apt-get install thing\nhint: --sudo") {
				t.Errorf("%+v: %v", c, err)
			}
		} else if err != nil || got[0].Line() != c.want || len(got) != len(c.steps) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}
