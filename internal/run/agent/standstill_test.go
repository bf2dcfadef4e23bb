package agent

import (
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestGapsOfASide: those that touch the measured interval count; for a command that runs once, those at its start or
// end.
func TestGapsOfASide(t *testing.T) {
	ms := func(n int64) int64 { return n * 1e6 }
	gap := func(from, to int64) noise.Gap {
		return noise.Gap{From: ms(from), To: ms(to), Seconds: float64(to-from) / 1e3}
	}
	closed, once := record.LoadPoint{Kind: record.Closed}, record.LoadPoint{Kind: record.Once}
	for name, c := range map[string]struct {
		load         record.LoadPoint
		gaps         []noise.Gap
		longest, sum float64
	}{
		"none":                        {closed, nil, 0, 0},
		"before and after":            {closed, []noise.Gap{gap(0, 900), gap(3100, 4000)}, 0, 0},
		"within":                      {closed, []noise.Gap{gap(1500, 1600), gap(2000, 2300)}, .3, .4},
		"since the warm-up":           {closed, []noise.Gap{gap(500, 1100)}, .1, .1},
		"over the end":                {closed, []noise.Gap{gap(2900, 3400)}, .5, .5},
		"while a command runs":        {once, []noise.Gap{gap(1100, 1900)}, .8, 0},
		"when it begins":              {once, []noise.Gap{gap(990, 1500)}, .5, .5},
		"when it has just begun":      {once, []noise.Gap{gap(1040, 1500)}, .46, .46},
		"when it ends":                {once, []noise.Gap{gap(2500, 2990)}, .49, .49},
		"when the first of two ended": {once, []noise.Gap{gap(1800, 1990)}, .19, .19},
	} {
		s := &side{trial: record.Trial{Load: c.load, Ledger: &record.Ledger{}}, gaps: c.gaps}
		s.stoodStill(load.Result{Start: ms(1000), End: ms(3000), Lanes: []load.LaneResult{{Seconds: 2}, {Seconds: 1}}})
		if l := s.trial.Ledger; *l.GapMaxS != c.longest || *l.GapsS < c.sum-1e-9 || *l.GapsS > c.sum+1e-9 {
			t.Errorf("%s: longest %g, sum %g; want %g, %g", name, *l.GapMaxS, *l.GapsS, c.longest, c.sum)
		}
	}
}

func TestNeverWaits(t *testing.T) {
	for name, s := range map[string]*side{
		"a server's": {spec: workload.Spec{Charge: workload.Started}, cpus: []int{0},
			trial: record.Trial{Load: record.LoadPoint{Kind: record.Closed}}},
		"of a disk": {spec: workload.Spec{Waits: true}, cpus: []int{0},
			trial: record.Trial{Load: record.LoadPoint{Kind: record.Closed}}},
		"not on CPUs":   {trial: record.Trial{Load: record.LoadPoint{Kind: record.Closed}}},
		"of a schedule": {cpus: []int{0}, trial: record.Trial{Load: record.LoadPoint{Kind: record.Open}}},
	} {
		if s.neverWaits() {
			t.Errorf("lanes %s never wait", name)
		}
	}
}
