package judge

import (
	"maps"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// pgbenchRW is the ratio and the two machines of the PostgreSQL article
// (claims PG2 and PG13): m6gd.8xlarge against m5d.8xlarge.
func pgbenchRW(lo, hi float64) finding.Comparison {
	return finding.Comparison{
		Metric: record.Throughput, Unit: "op/s", Direction: record.Higher, Primary: true, Per: finding.PerMachine,
		A: 1000, B: 1191.53, Ratio: 1.19153, Bounds: figure.Between(lo, hi), N: 5, Paired: true,
		Verdict: trialset.Different, Better: "b",
		Flags: []note.Note{note.FromRecord("kept apart")},
	}
}

func m5d() finding.Basis {
	return finding.Basis{VCPUs: 32, Cores: 16, PricePerHour: 1.808,
		Watts: &finding.Watts{Value: 200, Kind: catalog.Measured}}
}

func m6gd() finding.Basis {
	return finding.Basis{VCPUs: 32, Cores: 32, PricePerHour: 1.4464,
		Watts: &finding.Watts{Value: 100, Kind: catalog.Measured}}
}

func TestPerBasis(t *testing.T) {
	for _, want := range []struct {
		per, unit  string
		a, ratio   float64
		lo, hi     float64
		verdict    trialset.Verdict
		better     string
		flag       string
		breakPrice float64
	}{
		{"vcpu", "op/s/vCPU", 31.25, 1.19153, 1.15, 1.23, trialset.Different, "b",
			"vCPUs differ: threads per core are 2 and 1", 0},
		{"core", "op/s/core", 62.5, .595765, .575, .615, trialset.Different, "a", "", 0},
		{"dollar", "op/$", 1000 * 3600 / 1.808, 1.48941, 1.4375, 1.5375, trialset.Different, "b", "", 1.808 * 1.19153},
		{"watt", "op/J", 5, 2.38306, 2.3, 2.46, "", "", "not measured but taken from the catalogue", 0},
	} {
		got := find(t, cost.PerBasis(pgbenchRW(1.15, 1.23), m5d(), m6gd(), .02, false), want.per)
		if got.Unit != want.unit || !near(got.A, want.a) || !near(got.B, want.a*got.Ratio) || !near(got.Ratio, want.ratio) ||
			!near(*got.Lo, want.lo) || !near(*got.Hi, want.hi) {
			t.Errorf("%s: %+v, want %+v", want.per, got, want)
		}
		if got.Verdict != want.verdict || got.Better != want.better || got.N != 5 {
			t.Errorf("%s: %s for %q, want %s for %q", want.per, got.Verdict, got.Better, want.verdict, want.better)
		}
		if text := strings.Join(note.Texts(got.Flags), "; "); !strings.Contains(text, want.flag) ||
			(text == "") != (want.flag == "") {
			t.Errorf("%s: flags %q, want %q", want.per, text, want.flag)
		}
		if e := got.BreakEven; (e != nil) != (want.breakPrice > 0) ||
			e != nil && (!near(e.PricePerHour, want.breakPrice) || e.Ratio != 1.19153 || *e.Lo != 1.15) {
			t.Errorf("%s: break-even %+v, want a price of %v", want.per, e, want.breakPrice)
		}
	}
}

// TestPerBasisVerdict: the shift moves the interval against the same margin.
func TestPerBasisVerdict(t *testing.T) {
	price := func(ratio float64) (a, b finding.Basis) {
		return finding.Basis{PricePerHour: 1}, finding.Basis{PricePerHour: ratio}
	}
	for _, c := range []struct {
		name           string
		priceRatio     float64
		lo, hi, margin float64
		quick          bool
		want           trialset.Verdict
		better         string
	}{
		{"dearer as much as faster", 1.19153, 1.185, 1.198, .02, false, trialset.Equivalent, ""},
		{"but quick", 1.19153, 1.185, 1.198, .02, true, trialset.Undecided, ""},
		{"within no smaller margin", 1.19153, 1.185, 1.198, .001, false, trialset.Undecided, ""},
		{"dearer than faster", 1.5, 1.185, 1.198, .02, false, trialset.Different, "a"},
		{"cheaper", .8, 1.185, 1.198, .02, false, trialset.Different, "b"},
		{"too wide", 1.19153, 1.1, 1.29, .02, false, trialset.Undecided, ""},
	} {
		a, b := price(c.priceRatio)
		got := find(t, cost.PerBasis(pgbenchRW(c.lo, c.hi), a, b, c.margin, c.quick), "dollar")
		if got.Verdict != c.want || got.Better != c.better {
			t.Errorf("%s: %s for %q, want %s for %q", c.name, got.Verdict, got.Better, c.want, c.better)
		}
		if got.Verdict == trialset.Undecided && len(got.Flags) == 0 {
			t.Errorf("%s: undecided, and nothing says why", c.name)
		}
	}
}

func TestPerBasisWithoutVerdict(t *testing.T) {
	quiet := pgbenchRW(1.15, 1.23)
	quiet.Verdict, quiet.Better = "", ""
	few := pgbenchRW(1, 1)
	few.Lo, few.Hi, few.Verdict = nil, nil, ""
	for name, c := range map[string]finding.Comparison{"none per machine": quiet, "no interval": few} {
		for _, got := range cost.PerBasis(c, m5d(), m6gd(), .02, false) {
			if got.Verdict != "" || got.Better != "" || (c.Lo == nil) != (got.Lo == nil) {
				t.Errorf("%s, per %s: %+v", name, got.Per, got)
			}
		}
	}
	for _, kind := range []catalog.Kind{catalog.Measured, catalog.Rated, catalog.Estimated, catalog.Rumoured} {
		b := m6gd()
		b.Watts.Kind = kind
		got := find(t, cost.PerBasis(pgbenchRW(1.15, 1.23), m5d(), b, .02, false), "watt")
		if got.Verdict != "" || !got.Estimate || !flagged(got.Flags, string(kind)) || !near(got.Ratio, 2.38306) {
			t.Errorf("%s power: %+v", kind, got)
		}
	}
}

func TestPerBasisOfWhatIsKnown(t *testing.T) {
	latency := pgbenchRW(1.15, 1.23)
	latency.Unit, latency.Direction = "s", record.Lower
	share := pgbenchRW(1.15, 1.23)
	share.Unit = "%"
	for name, c := range map[string]finding.Comparison{"latency": latency, "not a rate": share,
		"no ratio": {Unit: "op/s", Direction: record.Higher}} {
		if got := cost.PerBasis(c, m5d(), m6gd(), .02, false); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := cost.PerBasis(pgbenchRW(1.15, 1.23), m5d(), finding.Basis{Cores: 4}, .02, false); len(got) != 1 ||
		got[0].Per != "core" {
		t.Errorf("one side's cores known: %+v", got)
	}
}

func TestCompareAsksForTheBasis(t *testing.T) {
	trials := alter(session(5, .19, .01), func(record.Trial) bool { return true }, func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: 8, Unit: "cpus"}
		t.Keys = maps.Clone(t.Keys)
		t.Keys[record.KeyLoad] = t.Load.Key()
	}, measured("latency_p50", "s", record.Lower, 1e-3))
	asked := map[string]string{}
	basis := func(m record.Machine) finding.Basis {
		asked[m.Name] = m.Kernel
		if m.Name == "m1" {
			return m5d()
		}
		b := m6gd()
		b.Doubts = []note.Note{note.FromRecord("called so, but has 2 vCPUs")}
		return b
	}
	got, err := Compare(trials, []record.Machine{{Name: "m2", Kernel: "6.1"}}, plans(nil), Options{Basis: basis})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	var per []string
	for _, c := range got.Pairs[0].Verdicts {
		per = append(per, c.Metric+" "+c.Per)
		if c.Per == "dollar" && (c.Verdict != "" || !flagged(c.Flags, "the load used 8 of 32 vCPUs")) {
			t.Errorf("per dollar: %+v", c)
		}
	}
	want := "throughput machine, throughput vcpu, throughput core, throughput dollar, throughput watt, latency_p50 machine"
	if strings.Join(per, ", ") != want {
		t.Errorf("compared %q, want %q", per, want)
	}
	if len(asked) != 2 || asked["m2"] != "6.1" || !flagged(got.Pairs[0].Warnings, "m2: called so") ||
		got.Pairs[0].BasisA.PricePerHour != 1.808 {
		t.Errorf("asked for %v, warnings %q, basis %+v", asked, got.Pairs[0].Warnings, got.Pairs[0].BasisA)
	}
}

func TestFactorsHaveNoBasis(t *testing.T) {
	got, err := Compare(factorialTrials("m1", 4), nil, plans(tlsFactor),
		Options{By: "tls", Basis: func(record.Machine) finding.Basis { return m5d() }})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Pairs[0].Verdicts {
		if c.Per != finding.PerMachine {
			t.Errorf("a factor's effect per %s", c.Per)
		}
	}
}

func find(t *testing.T, cs []finding.Comparison, per string) finding.Comparison {
	t.Helper()
	for _, c := range cs {
		if c.Per == per {
			return c
		}
	}
	t.Fatalf("nothing per %s in %+v", per, cs)
	return finding.Comparison{}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-5*math.Abs(want) }

// TestPerTB: bytes a dollar are dollars a TB the other way up; of what counts no bytes there are none.
func TestPerTB(t *testing.T) {
	c := pgbenchRW(1.15, 1.23)
	c.Unit, c.A, c.B = "B/s", 1e9, 2e9
	for _, got := range cost.PerBasis(c, m5d(), m6gd(), .02, false) {
		if (got.PerTB != nil) != (got.Per == "dollar") {
			t.Errorf("%s: %+v", got.Per, got.PerTB)
		}
		// 1 GB/s for an hour at 1.808 $ is 3.6 TB.
		if p := got.PerTB; p != nil && (!near(p.A, 1.808/3.6) || !near(p.B*got.B, 1e12)) {
			t.Errorf("%s: %+v", got.Per, p)
		}
	}
	for _, got := range cost.PerBasis(pgbenchRW(1.15, 1.23), m5d(), m6gd(), .02, false) {
		if got.PerTB != nil {
			t.Errorf("%s has %+v", got.Unit, got.PerTB)
		}
	}
}
