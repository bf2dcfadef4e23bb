package crossover

import (
	"plimsoll/internal/finding"
	"testing"
)

func TestOnParSentence(t *testing.T) {
	o := OnPar{Workload: "compile", Metric: "time", Params: map[string]string{"source": "openssl", "timeout": "1s"},
		Wording: finding.Wording{Minor: []string{"timeout"}}, Side: "a", Until: 5, Of: 8}
	if got, want := onParText(o, "c6i", "c7g"),
		"c6i stays on par with c7g until 5 of 8 CPUs: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Lead = []int{1, 2, 3, 4, 5}, &Lead{CPUs: 1, Ratio: 3, Lo: 2.9, Hi: 3.1}
	if got, want := onParText(o, "c6i", "c7g"), "c6i is ahead of c7g until 5 CPUs, by +190.0 % to +210.0 % at 1 CPU, "+
		"and falls behind beyond 5 of 8: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Even, o.Runs = []int{1, 2}, []int{3, 4, 5}, 1
	if got, want := onParText(o, "c6i", "c7g"), "c6i is ahead of c7g at 1, 2 CPUs and on par at 3, 4, 5, by estimate "+
		"+200.0 % at 1 CPU, and falls behind beyond 5 of 8: compile, source=openssl, time, by estimate of one run a "+
		"cell, no verdict"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Even, o.Lead, o.Runs = nil, nil, nil, 0
	o.Side, o.Until = "b", 0
	if got, want := onParText(o, "c6i", "c7g"), "c7g falls behind c6i at every number of CPUs up to 8: compile, "+
		"source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
