package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// disturbedTrial is 10 s of work on 2 CPUs, with what its ledger says.
func disturbedTrial(l record.Ledger) record.Trial {
	return record.Trial{DurationS: 10, Ledger: &l, CPU: &record.CPUUse{Work: 5, CPUs: 2, GeneratorCPUs: 2}}
}

func TestTaints(t *testing.T) {
	is := func(v float64) *float64 { return &v }
	for name, c := range map[string]struct {
		ledger record.Ledger
		want   string
	}{
		"nothing is readable": {record.Ledger{}, ""},
		"nothing happened": {record.Ledger{StealPct: is(0), ThrottledS: is(0), ThermalEvents: is(0), SwapPages: is(0),
			ForeignCPU: is(0), InterruptCPU: is(3)}, ""},
		"steal at the limit":  {record.Ledger{StealPct: is(1)}, ""},
		"steal":               {record.Ledger{StealPct: is(1.1)}, "the hypervisor stole over 1% of the CPU time"},
		"quota":               {record.Ledger{ThrottledS: is(.001)}, "a CPU quota throttled the run"},
		"heat":                {record.Ledger{ThermalEvents: is(1)}, "the CPUs were thermally throttled"},
		"swapping":            {record.Ledger{SwapPages: is(1)}, "memory was swapped during the run"},
		"pressure is our own": {record.Ledger{PSICPUPct: is(90), RunDelayPct: is(90), LoadAvg1: is(9)}, ""},
		// The limit: 1% of 2 CPUs, and of 2,000 ticks three times √2000/2, which is 6.7% of a CPU.
		"others below it": {record.Ledger{ForeignCPU: is(8.7)}, ""},
		"others above it": {record.Ledger{ForeignCPU: is(8.8)},
			"other processes used over 1% of the CPU time"},
		"interrupts are no others": {record.Ledger{ForeignCPU: is(30), InterruptCPU: is(25)}, ""},
		"others beside interrupts": {record.Ledger{ForeignCPU: is(30), InterruptCPU: is(5)},
			"other processes used over 1% of the CPU time"},
		"all that can be": {record.Ledger{StealPct: is(9), SwapPages: is(2)},
			"the hypervisor stole over 1% of the CPU time; memory was swapped during the run"},
	} {
		trial := disturbedTrial(c.ledger)
		if got := strings.Join(note.Texts(trialset.Taints(trial)), "; "); got != c.want ||
			trialset.Tainted(trial) != (c.want != "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		trial.Values = []record.Value{{Value: math.NaN()}}
		if got := strings.Join(note.Texts(trialset.Taints(trial)), "; "); got != c.want {
			t.Errorf("%s: %q for its value", name, got)
		}
	}
}

// TestTaken: others that had much of the CPUs are an objection if the work waited for a CPU.
func TestTaken(t *testing.T) {
	for name, c := range map[string]struct {
		foreign, delay, psi float64
		share               float64
		waited              bool
	}{
		"quiet": {2, 0, 3, .01, false}, "crowded": {190, 90, 99, .95, true}, "a server's work": {60, 0, 80, .3, true},
		"a free CPU": {60, 2, 10, .3, false}, "below": {40, 90, 90, .2, false}, "more than all": {220, 90, 90, 1, true},
	} {
		trial := disturbedTrial(record.Ledger{ForeignCPU: &c.foreign, RunDelayPct: &c.delay, PSICPUPct: &c.psi})
		unknown := trial
		unknown.CPU = nil
		share, waited := trialset.Taken([]record.Trial{trial, unknown})
		if math.Abs(share-c.share) > 1e-9 || waited != c.waited {
			t.Errorf("%s: %g, %v", name, share, waited)
		}
	}
	if share, waited := trialset.Taken(nil); share != 0 || waited {
		t.Errorf("of none: %g, %v", share, waited)
	}
}

func TestFairCPU(t *testing.T) {
	at := func(load float64) record.Trial { return disturbedTrial(record.Ledger{LoadAvg1: &load}) }
	for want, trials := range map[float64][]record.Trial{
		0: {disturbedTrial(record.Ledger{}), {}}, 1: {at(0), at(2)}, .25: {at(1), at(8), at(4)},
	} {
		if got := trialset.FairCPU(trials); got != want {
			t.Errorf("%g, want %g", got, want)
		}
	}
}

// A server that was running before is foreign and is what is measured.
func TestForeignServerDoesNotTaint(t *testing.T) {
	busy := 150.0
	trial := disturbedTrial(record.Ledger{ForeignCPU: &busy})
	if !trialset.Tainted(trial) {
		t.Error("others had 150% of a CPU beside the work")
	}
	trial.CPU.Work = 0
	if got := trialset.Taints(trial); got != nil {
		t.Errorf("%q where nothing was started", got)
	}
	trial.CPU = nil
	if got := trialset.Taints(trial); got != nil {
		t.Errorf("%q where CPU time is not known", got)
	}
}

// Of a short trial ticks say little: 40 ms of one CPU are four of them.
func TestForeignLimitOfShortTrials(t *testing.T) {
	last := math.Inf(1)
	for _, seconds := range []float64{.04, .25, 1, 30, 300} {
		trial := record.Trial{DurationS: seconds, CPU: &record.CPUUse{CPUs: 1, GeneratorCPUs: 2}}
		limit := trialset.ForeignLimit(trial)
		if !(limit < last) || limit <= 2*trialset.MaxForeign {
			t.Errorf("%g s: %.1f%% of a CPU, and %.1f of a shorter one", seconds, limit, last)
		}
		last = limit
	}
	if last > 4 {
		t.Errorf("of 300 s %.2f%% of a CPU, want nearly 2", last)
	}
}

// Where the server and its generator have CPUs of their own, the trial could use both.
func TestForeignLimitCountsAllCPUs(t *testing.T) {
	of := func(u record.CPUUse) float64 { return trialset.ForeignLimit(record.Trial{DurationS: 1e6, CPU: &u}) }
	shared, split, remote := of(record.CPUUse{CPUs: 8, GeneratorCPUs: 8}),
		of(record.CPUUse{CPUs: 6, GeneratorCPUs: 2, Split: true}), of(record.CPUUse{CPUs: 8})
	if shared != split || shared != remote {
		t.Errorf("of eight CPUs %.3f%% shared, %.3f%% split, %.3f%% loaded from elsewhere", shared, split, remote)
	}
}
