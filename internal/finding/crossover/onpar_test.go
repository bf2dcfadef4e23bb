package crossover

import "testing"

func TestOnParSentence(t *testing.T) {
	o := OnPar{Workload: "compile", Metric: "time", Params: map[string]string{"source": "openssl", "timeout": "1s"}, Minor: []string{"timeout"}, Side: "a", Until: 5, Of: 8}
	if got, want := onParText(o, "c6i", "c7g"), "c6i stays on par with c7g until 5 of 8 CPUs: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Side, o.Until = "b", 0
	if got, want := onParText(o, "c6i", "c7g"), "c7g falls behind c6i at every number of CPUs up to 8: compile, source=openssl, time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
