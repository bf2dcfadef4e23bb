package convert

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

const paper = "machine,workload,replicate,load,metric,value,unit,sd,n\n"

// TestMeansAsPapersPrintThem: in one cell or in three, in any unit.
func TestMeansAsPapersPrintThem(t *testing.T) {
	for _, row := range []string{"a,w,1,8,latency_p99,12.5 ± 0.4 (n=5),ms,,", "a,w,1,8,latency_p99,12.5±0.4,ms,,5",
		"a,w,1,8,latency_p99,12.5 +/- 0.4 ( n = 5 ),ms,,", "a,w,1,8,latency_p99,12.5,ms,0.4,5"} {
		_, trials := imported(t, csvFormat(), paper+row+"\n", given())
		m := trials[0].Moments["latency_p99"]
		if v, _ := trials[0].Value("latency_p99"); len(trials) != 1 || math.Abs(v.Value-.0125) > 1e-15 ||
			math.Abs(m.SD-.0004) > 1e-15 || m.N != 5 || m.Within {
			t.Errorf("%s: %+v", row, trials)
		}
		again(t, trials)
	}
	for row, want := range map[string]string{
		"a,w,1,8,x,12.5 ± 0.4,ms,,": "n must be a whole number from 2", "a,w,1,8,x,12.5,ms,0.4,": "n must be",
		"a,w,1,8,x,12.5,ms,,5":   "standard deviation",
		"a,w,1,8,x,12.5,ms,-1,5": "from 0", "a,w,1,8,x,12.5 ± 0.4 (n=5),ms,0.4,": "state it once",
		"a,w,1,8,x,12.5 ± 0.4 (n=1),ms,,": "from 2",
	} {
		if _, err := new(Import).Read(csvFormat(), strings.NewReader(paper+row+"\n"), given()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", row, err, want)
		}
	}
}

// TestMomentsOfSeveralMetricsStayTogether: rows of one run may stand anywhere.
func TestMomentsOfSeveralMetricsStayTogether(t *testing.T) {
	_, trials := imported(t, csvFormat(),
		paper+"a,w,1,8,throughput,100,op/s,5,4\na,w,2,8,throughput,100,op/s,6,4\na,w,1,8,latency_p99,2,ms,1,4\n", given())
	want := map[string]record.Moments{"throughput": {N: 4, SD: 5}, "latency_p99": {N: 4, SD: 1e-3}}
	if got := trials[0].Moments; len(got) != 2 || got["throughput"] != want["throughput"] ||
		got["latency_p99"] != want["latency_p99"] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
