package judge

import (
	"reflect"
	"testing"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// uncounted makes a trial one of each kind that stands in no estimate.
func uncounted() []change {
	return []change{
		func(t *record.Trial) { t.Pilot = true },
		func(t *record.Trial) { t.Extra = true },
		func(t *record.Trial) { t.Capped = trialset.BelowSafe },
		profiled,
	}
}

// looking is the plan of session, whose only look is after n pairs.
func looking(n int) record.Plan {
	levels := []string{"0", "1"}
	p := record.Plan{Alpha: .05, Margin: .02, Replicates: n, Stop: &record.Stop{Looks: []int{n}, Alone: n},
		Factors: []record.Factor{{Name: "fill", Levels: levels}}}
	for _, level := range levels {
		p.Cells = append(p.Cells, record.Cell{Workload: "aes", Levels: map[string]string{"fill": level}})
	}
	return p
}

// TestEndingsAreOfTrialsThatCount: a trial near the safe rate has the cell and the replicate of the one at full load,
// and comes after it.
func TestEndingsAreOfTrialsThatCount(t *testing.T) {
	const n = 5
	p, trials := looking(n), session(n, .2, .001)
	want := sequential.Endings(p, trials)
	if len(want) != 1 || want[0].Verdict != trialset.Different || want[0].Pairs != n || want[0].A != "fill=0" ||
		want[0].B != "fill=1" {
		t.Fatalf("%+v", want)
	}
	for i, kind := range uncounted() {
		with := trials[:len(trials):len(trials)]
		for _, full := range trials {
			other := full
			other.Values = []record.Value{{Metric: full.Values[0].Metric, Value: 1}}
			kind(&other)
			with = append(with, other)
		}
		if got := sequential.Endings(p, with); !reflect.DeepEqual(got, want) {
			t.Errorf("with those of kind %d: %+v, want %+v", i, got, want)
		}
		if pairs, settled := sequential.Settled(p, []int{0, 1}, with); pairs != n || !settled {
			t.Errorf("with those of kind %d: %d pairs, settled %t", i, pairs, settled)
		}
	}
}

// TestSearchesHaveNoLooks: what a probe carried was asked for, and no look at it ends a search.
func TestSearchesHaveNoLooks(t *testing.T) {
	p := looking(5)
	for i := range p.Cells {
		p.Cells[i].Search = &record.Search{Probes: 6}
	}
	probes := session(5, .2, .001, func(t *record.Trial) { t.Probe = 7 })
	if got := sequential.Endings(p, probes); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestSafeRateIsOfTrialsThatCount: neither a pilot nor what was slowed down on purpose says what is safe.
func TestSafeRateIsOfTrialsThatCount(t *testing.T) {
	full := []record.Trial{held(0, quantumAt(.1))}
	for i, kind := range uncounted() {
		if rate, _, ok := trialset.SafeRateOf(append(full[:1:1], held(1, quantumAt(.2), kind))); !ok ||
			rate != *full[0].Regulation.SafeRate {
			t.Errorf("with one of kind %d: %v, %t", i, rate, ok)
		}
	}
}
