package loadline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// searches returns searches of an M/M/1 server whose last run confirms the line of p99.
func searches(n int) []record.Trial {
	r := rand.New(rand.NewPCG(5, 0))
	var trials []record.Trial
	for replicate := range n {
		probes := search(replicate, []float64{150, 100, 50, 850, 870, 890, 900, 905, 910, 915, 920, 940, 908}, r)
		probes[len(probes)-1].Confirms = "p99"
		trials = append(trials, probes...)
	}
	return trials
}

// confirmed returns the p99 line of searches whose confirming runs are changed.
func confirmed(t *testing.T, trials []record.Trial, change func(*record.Trial)) Line {
	t.Helper()
	trials = slices.Clone(trials)
	for i := range trials {
		if trials[i].Confirms != "" {
			trials[i].Values = slices.Clone(trials[i].Values)
			change(&trials[i])
		}
	}
	plan := record.Plan{Cells: []record.Cell{
		{Search: &record.Search{Probes: 10, Objectives: map[string]float64{"p99": .050}, Confirm: true}}}}
	found := map[trialset.Key]LineFinding{}
	AddSearched(found, trials, map[string]record.Plan{"p": plan}, nil)
	for _, f := range found {
		if l, ok := f.Lines["p99"]; ok {
			return l
		}
	}
	t.Fatalf("no line: %+v", found)
	return Line{}
}

func slower(factor float64) func(*record.Trial) {
	return func(t *record.Trial) {
		for i := range t.Values {
			t.Values[i].Value *= factor
		}
	}
}

func against(l Line) *note.Note {
	for i := range l.Doubts {
		if l.Doubts[i].Code == "line-not-confirmed" {
			return &l.Doubts[i]
		}
	}
	return nil
}

// TestConfirmations: runs like those of the search confirm its line, and enter none of its figures. If the search's
// probes were better than a fresh run, that is found out, and the run is one more probe.
func TestConfirmations(t *testing.T) {
	made := searches(4)
	fair := confirmed(t, made, slower(1))
	if n := len(fair.Confirmations); n != 4 || against(fair) != nil {
		t.Fatalf("%d: %+v, %+v", n, fair.Confirmations, fair.Doubts)
	}
	for _, c := range fair.Confirmations {
		if !c.Confirmed || !c.Handled || c.Load != 908 || c.Limit != .050 || math.Abs(*c.OfLimit-1) > .1 || c.Most < 1.01 ||
			c.Most > 1.25 {
			t.Errorf("%+v", c)
		}
	}
	planted := confirmed(t, made, slower(1.4))
	if d := against(planted); d == nil || d.Text() != note.New("line-not-confirmed", 4, 4).Text() {
		t.Errorf("planted: %+v", planted.Doubts)
	}
	if planted.MaxSustained >= fair.MaxSustained {
		t.Errorf("runs that were slower leave the line at %v, not below %v", planted.MaxSustained, fair.MaxSustained)
	}
	good, better := confirmed(t, made, slower(.9)), confirmed(t, made, slower(.8))
	if better.MaxSustained != good.MaxSustained || *better.Lo != *good.Lo || *better.Hi != *good.Hi {
		t.Error("a run that confirms the line moved it")
	}
}

// TestConfirmationsThatSayLess: a load that was not handled contradicts the line, and a failed run says nothing; most
// decide, and a half are not most.
func TestConfirmationsThatSayLess(t *testing.T) {
	over := func(t *record.Trial) { t.Void, t.Over, t.Values = "the target fell behind", true, nil }
	if l := confirmed(t, searches(3), over); against(l) == nil || l.Confirmations[0].Handled ||
		l.Confirmations[0].Latency != nil {
		t.Errorf("%+v", l.Confirmations)
	}
	failed := confirmed(t, searches(3), func(t *record.Trial) { t.Void, t.Values = "the generator was late", nil })
	if c := failed.Confirmations[0]; against(failed) != nil || c.Failed != "the generator was late" || c.Confirmed {
		t.Errorf("%+v", c)
	}
	half := confirmed(t, searches(4), func(t *record.Trial) {
		if t.Replicate < 2 {
			over(t)
		}
	})
	if against(half) != nil {
		t.Errorf("%+v", half.Doubts)
	}
}
