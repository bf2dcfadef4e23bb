package crossover

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/figure"
	"testing"
)

func TestOnParSentence(t *testing.T) {
	o := OnPar{Workload: "compile", Metric: "time", Params: map[string]string{"source": "openssl", "timeout": "1s"},
		Wording: finding.Wording{Minor: []string{"timeout"}}, Side: "a", Until: 5, From: 6, Of: 8, Even: []int{1, 2, 5}}
	if got, want := onParText(o, "c6i", "c7g"),
		"of c6i and c7g neither is ahead at 1, 2, 5 CPUs; c6i first falls behind at 6 of 8: compile, source=openssl, "+
			"time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Even, o.Lead = []int{1, 2, 3, 4, 5}, nil, &Lead{CPUs: 1, Ratio: 3, Bounds: figure.Between(2.9, 3.1)}
	if got, want := onParText(o, "c6i", "c7g"), "c6i is ahead of c7g at 1, 2, 3, 4, 5 CPUs, by +190.0% to +210.0% "+
		"at 1 CPU; c6i first falls behind at 6 of 8: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Even, o.Runs = []int{1, 2}, []int{3, 4, 5}, 1
	if got, want := onParText(o, "c6i", "c7g"), "c6i is ahead of c7g at 1, 2 CPUs, by estimate +200.0% at 1 CPU; "+
		"neither is ahead at 3, 4, 5; c6i first falls behind at 6 of 8: compile, source=openssl, time, by estimate of 1 "+
		"run per side, no verdict"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Ahead, o.Even, o.Lead, o.Runs = nil, nil, nil, 0
	o.Side, o.Until, o.From = "b", 0, 1
	if got, want := onParText(o, "c6i", "c7g"), "c7g is behind c6i already at 1 CPU, the fewest of the numbers up to 8 "+
		"that were measured: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
