package energy_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/energy"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// trials are three of a cell on a machine, whose package draws so much, and 40 W at rest. Each scatters a little.
func trials(machine string, cell int, watts, rate float64, alter func(*record.Trial)) []record.Trial {
	var out []record.Trial
	for r := range 5 {
		wobble := 1 + .002*float64(r%3)
		t := record.Trial{ID: fmt.Sprintf("%s-%d", machine, r), Slot: record.Slot{Plan: "p1", Replicate: r, Cell: cell},
			Keys: map[string]string{record.KeyMachine: machine, record.KeyMachineID: machine, record.KeyWorkload: "aes-gcm",
				record.KeyLoad: "2 cpus"},
			Load: record.LoadPoint{Kind: record.Closed, Unit: record.ParamCPUs, Level: 2},
			Values: []record.Value{{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
				Value: rate * wobble}},
			Energy: &record.EnergyUse{Parts: []record.EnergyOf{{Name: "package-0", Scope: "package", Source: record.PowerRAPL,
				Joules: 10 * watts * wobble, Seconds: 10, IdleWatts: 40, IdleS: .5}}},
		}
		if alter != nil {
			alter(&t)
		}
		t.Values = append(t.Values, t.Energy.PerJoule(t.Values[0])...)
		out = append(out, t)
	}
	return out
}

func plans() []record.PlanLine {
	return []record.PlanLine{{Hash: "p1", Plan: record.Plan{Alpha: .05, Margin: .02, Claim: "machine"}}}
}

func shown(t *testing.T, all []record.Trial) []finding.Cell {
	t.Helper()
	primary := slices.DeleteFunc(judge.Show(all, nil, plans()).Workloads, func(c finding.Cell) bool { return !c.Primary })
	if len(primary) != 1 {
		t.Fatalf("%d cells", len(primary))
	}
	return primary
}

func said(cells []finding.Cell) string {
	var out []string
	for _, s := range block.Of[block.Sentence](energy.Analyzers()[0].Show(finding.NewView(cells))) {
		out = append(out, s.Lead+": "+s.Text)
	}
	return strings.Join(out, "\n")
}

func TestPowerUnderLoadAndAtRest(t *testing.T) {
	cells := shown(t, trials("m1", 0, 100, 3e9, nil))
	got := said(cells)
	want := regexp.MustCompile(`package drew (99|100)[.\d]* to 100[.\d]* W, and .* W at rest \(measured by rapl, n=5\)`)
	if !want.MatchString(got) {
		t.Error(got)
	}
	e := energy.KindEnergy.Of(cells[0])
	if e == nil || e.Scope != "package" || e.N != 5 || len(e.Parts) != 1 || e.Parts[0].Watts != 100 ||
		e.Parts[0].Idle != 40 {
		t.Errorf("%+v", e)
	}
}

// TestWithoutMeters: no joules, nothing to say.
func TestWithoutMeters(t *testing.T) {
	none := trials("m1", 0, 100, 3e9, func(t *record.Trial) { t.Energy = nil })
	if got := said(shown(t, none)); got != "" {
		t.Error(got)
	}
}

// TestVerdictPerJoule: twice the rate for three times the power above rest is worse per joule.
func TestVerdictPerJoule(t *testing.T) {
	both := append(trials("m1", 0, 60, 3e9, nil), trials("m2", 1, 100, 6e9, nil)...)
	got, err := judge.Compare(both, nil, plans(), judge.Options{})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	found := false
	for _, c := range got.Pairs[0].Verdicts {
		if c.Metric != "work_per_joule_package" {
			continue
		}
		found = true
		if c.Lo == nil || *c.Lo < .65 || *c.Hi > .69 || c.N != 5 || c.Unit != "B/J" {
			t.Errorf("%+v", c)
		}
	}
	if !found {
		t.Error("no work per joule")
	}
}

// TestUnlikeScopes: joules of a package are never compared with a board's.
func TestUnlikeScopes(t *testing.T) {
	both := append(trials("m1", 0, 60, 3e9, nil), trials("m2", 1, 100, 6e9, func(t *record.Trial) {
		t.Energy.Parts[0].Scope = record.ScopeBoard
	})...)
	got, err := judge.Compare(both, nil, plans(), judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Pairs[0].Verdicts {
		if strings.HasPrefix(c.Metric, record.WorkPerJoule) {
			t.Errorf("%+v", c)
		}
	}
}
