package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// byName takes the type of a machine from its name: "old-3" is of type "old".
func byName(m record.Machine) finding.Basis {
	of, _, _ := strings.Cut(m.Name, "-")
	return finding.Basis{Type: of, VCPUs: 8, PricePerHour: 1}
}

// fleetRuns are runs of two types' instances: ln of a trial is truth plus its instance's own plus noise. Where
// paired, instance i of both ran side by side under a plan of their own.
func fleetRuns(r *rand.Rand, instances, runs int, effect, sdInstance, sdRun float64, paired bool) ([]record.Trial,
	[]record.PlanLine) {
	var trials []record.Trial
	var lines []record.PlanLine
	for i := range instances {
		shared := fmt.Sprint("launch", i)
		for side, of := range []string{"new", "old"} {
			own := sdInstance * r.NormFloat64()
			plan := shared
			if !paired {
				plan += of
			}
			if !slices.ContainsFunc(lines, func(l record.PlanLine) bool { return l.Hash == plan }) {
				lines = append(lines,
					record.PlanLine{Hash: plan, Plan: record.Plan{Alpha: .05, Margin: .02, Claim: trialset.ClaimType}})
			}
			for k := range runs {
				v := math.Exp(20 + effect*float64(side) + own + sdRun*r.NormFloat64())
				trials = append(trials, trial(fmt.Sprintf("%s-%d", of, i), k, v, planned(plan), cellNo(side), lasting(60)))
			}
		}
	}
	return trials, lines
}

func lasting(seconds float64) change { return func(t *record.Trial) { t.DurationS = seconds } }

// compareByType is the comparison of "old" against "new".
func compareByType(t *testing.T, trials []record.Trial, lines []record.PlanLine) (finding.Comparison, finding.Pair) {
	t.Helper()
	got, err := Compare(trials, nil, lines, Options{By: trialset.ByType, Basis: byName})
	if err != nil || len(got.Pairs) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	return got.Pairs[0].Verdicts[0], got.Pairs[0]
}

// TestTypesRestOnInstances: equal types whose instances differ by 2% and runs by 1%. Means of instances hold
// the error rate; runs taken for replicates would not (METHOD section 1: 4.9 against 37.6%).
func TestTypesRestOnInstances(t *testing.T) {
	simtest.Long(t)
	const seed = 17
	sessions := simtest.Times(600, 300)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, paired := range []bool{false, true} {
		claims, byRuns := 0, 0
		for range sessions {
			trials, lines := fleetRuns(r, 5, 5, 0, .02, .01, paired)
			c, _ := compareByType(t, trials, lines)
			if c.N != 5 || c.Paired != paired || c.Claim != trialset.ClaimType {
				t.Fatalf("paired %t: %+v", paired, c)
			}
			if c.Verdict == trialset.Different {
				claims++
			}
			if s := trialset.NewSample(ofType("new", trials), ofType("old", trials), record.Throughput); runsDiffer(s) {
				byRuns++
			}
		}
		t.Logf("seed %d, paired %t: equal types called different by means of instances %d, by runs %d of %d", seed, paired,
			claims, byRuns, sessions)
		if off := 3 * math.Sqrt(float64(sessions)*.05*.95); math.Abs(float64(claims)-float64(sessions)*.05) > off {
			t.Errorf("seed %d, paired %t: %d of %d equal types are called different", seed, paired, claims, sessions)
		}
		if byRuns < sessions/5 {
			t.Errorf("seed %d, paired %t: of runs only %d of %d claim a difference, so that the test tests nothing", seed,
				paired, byRuns, sessions)
		}
	}
}

func ofType(of string, trials []record.Trial) []record.Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t record.Trial) bool {
		return !strings.HasPrefix(t.Keys[record.KeyMachine], of)
	})
}

func runsDiffer(s trialset.Sample) bool {
	s.Ordered = false // for the order of runs of several machines would tell
	r, ok := s.Ratio(record.Throughput, trialset.Preregistered{Alpha: .05, Margin: .02}.WithDefaults().Rule().Opts)
	return ok && r.Hull.Excludes(0)
}

func TestOneInstanceIsNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for instances, flag := range map[int]string{1: "more than one instance", 2: "at least 3 instances of each"} {
		trials, lines := fleetRuns(r, instances, 10, .1, .001, .001, false)
		c, _ := compareByType(t, trials, lines)
		if c.N != instances || c.Verdict != "" || c.Lo != nil || !flagged(c.Flags, flag) ||
			math.Abs(c.Ratio-math.Exp(.1)) > .01 {
			t.Errorf("%d instances: %+v", instances, c)
		}
	}
}

// blockedRuns are runs of two types in blocks of one plan: a block's machines share what its time and place add.
func blockedRuns(r *rand.Rand, blocks, runs int, effect, sdBlock, sdRun float64) ([]record.Trial, []record.PlanLine) {
	var trials []record.Trial
	for i := range blocks {
		shared := sdBlock * r.NormFloat64()
		for side, of := range []string{"new", "old"} {
			for k := range runs {
				v := math.Exp(20 + effect*float64(side) + shared + sdRun*r.NormFloat64())
				trials = append(trials, trial(fmt.Sprintf("%s-%d", of, (i+side)%blocks), k, v, planned("p"),
					cellNo(2*((i+side)%blocks)+side), lasting(60), key(record.KeyBlock, fmt.Sprint(i+1))))
			}
		}
	}
	return trials, []record.PlanLine{{Hash: "p", Plan: record.Plan{Alpha: .05, Margin: .02, Claim: trialset.ClaimType}}}
}

// TestTypesArePairedInBlocks: what a block's machines share is in no interval, and a block that has lost one does not
// count.
func TestTypesArePairedInBlocks(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	trials, lines := blockedRuns(r, 6, 4, .1, .2, .002)
	c, _ := compareByType(t, trials, lines)
	if !c.Paired || c.N != 6 || c.Verdict != trialset.Different || c.Lo == nil || *c.Hi-*c.Lo > .02 {
		t.Errorf("seed %d: %+v", seed, c)
	}
	without := slices.DeleteFunc(slices.Clone(trials),
		func(t record.Trial) bool { return t.Keys[record.KeyMachine] == "old-2" })
	c, _ = compareByType(t, without, lines)
	if !c.Paired || c.N != 5 || !flagged(c.Flags,
		"runs without a machine of the other type in their block are left out: new-1") {
		t.Errorf("seed %d: %+v", seed, c)
	}
	for i := range trials {
		delete(trials[i].Keys, record.KeyBlock)
	}
	if c, _ = compareByType(t, trials, lines); c.Paired && c.N == 6 && c.Verdict != "" && *c.Hi-*c.Lo < .02 {
		t.Errorf("seed %d: without blocks it is the same: %+v", seed, c)
	}
}

// TestBlocksHoldTheErrorRate: equal types whose machines differ by 2% and whose blocks by 10%.
func TestBlocksHoldTheErrorRate(t *testing.T) {
	simtest.Long(t)
	const seed = 21
	sessions := simtest.Times(600, 300)
	r := rand.New(rand.NewPCG(seed, 0))
	claims := 0
	for range sessions {
		trials, lines := blockedRuns(r, 5, 2, 0, .1, .02)
		if c, _ := compareByType(t, trials, lines); c.Verdict == trialset.Different {
			claims++
		}
	}
	t.Logf("seed %d: equal types called different in %d of %d sessions", seed, claims, sessions)
	if off := 3.2 * math.Sqrt(float64(sessions)*.05*.95); math.Abs(float64(claims)-float64(sessions)*.05) > off {
		t.Errorf("seed %d: %d of %d equal types are called different", seed, claims, sessions)
	}
}

// TestMinMachines: a verdict on types takes as many machines as were asked for; the interval stays.
func TestMinMachines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	trials, lines := fleetRuns(r, 4, 3, .1, .001, .001, false)
	for least, verdict := range map[int]trialset.Verdict{0: trialset.Different, 4: trialset.Different, 5: ""} {
		in := finding.NewInput(trials, nil, lines)
		in.Read.Basis = byName
		got, err := CompareIn(in, compare.Question{By: trialset.ByType, MinMachines: least})
		if err != nil {
			t.Fatal(err)
		}
		c := got.Pairs[0].Verdicts[0]
		if c.Verdict != verdict || c.Lo == nil || flagged(c.Flags, "but --min-machines requires 5") != (verdict == "") {
			t.Errorf("at least %d: %+v", least, c)
		}
	}
}

// TestLostHostsAreSaid: with the runs that remain and the cause.
func TestLostHostsAreSaid(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	trials, lines := fleetRuns(r, 3, 2, .1, .001, .001, false)
	in := finding.NewInput(trials, nil, lines)
	in.Read.Basis = byName
	in.Read.Events = []record.Event{
		{Name: record.HostAway, OfHost: record.OfHost{Plan: "launch1new", Machine: "new-1"}},
		{Name: record.HostLost, Detail: "no route", OfHost: record.OfHost{Plan: "launch1new", Machine: "new-1"}},
	}
	const want = "host new-1 was lost after 2 valid runs, and the others continued without it: no route"
	got, err := CompareIn(in, compare.Question{By: trialset.ByType})
	if err != nil || !slices.Contains(note.Texts(got.Pairs[0].Warnings), want) {
		t.Errorf("compare: %v, %v", note.Texts(got.Pairs[0].Warnings), err)
	}
	if got := note.Texts(Analyze(in).Warnings); !slices.Contains(got, want) || len(got) != 1 {
		t.Errorf("show: %q", got)
	}
}

// TestRepetition: the formula's numbers for types of known scatter (stat.Repetitions has its own oracle).
func TestRepetition(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	trials, lines := fleetRuns(r, 300, 3, .1, .02, .01, false)
	c, _ := compareByType(t, trials, lines)
	e := c.Repeat
	if e == nil || math.Abs(e.TrialSD-.01) > .001 || math.Abs(e.InstanceSD-.02) > .002 || e.BootSD != nil {
		t.Fatalf("seed %d: %+v", seed, e)
	}
	// ⌈√(300/60 · .01²/.02²)⌉ = 2; the fewest n with t(2n-2)·√(2(.02²+.01²/2)/n) ≤ ln 1.02 is 11.
	if e.Trials != 2 || e.Launches < 8 || e.Launches > 14 {
		t.Errorf("seed %d: %+v", seed, e)
	}
	trials, lines = fleetRuns(r, 5, 1, .1, .02, .01, false)
	if c, _ := compareByType(t, trials, lines); c.Repeat != nil {
		t.Errorf("of one trial each nothing is known about trials: %+v", c.Repeat)
	}
}

// TestBootsAreTheMiddleLevel: what boots add is told from what instances add.
func TestBootsAreTheMiddleLevel(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	var trials []record.Trial
	for side, of := range []string{"new", "old"} {
		for i := range 60 {
			for boot := range 3 {
				own := .03 * r.NormFloat64()
				for k := range 3 {
					at := key(record.KeyBoot, fmt.Sprint(of, i, boot))
					trials = append(trials, trial(fmt.Sprintf("%s-%d", of, i), 3*boot+k, math.Exp(20+own+.01*r.NormFloat64()),
						planned(fmt.Sprint(of, i)), cellNo(side), lasting(60), at))
				}
			}
		}
	}
	c, p := compareByType(t, trials, nil)
	if e := c.Repeat; e == nil || e.BootSD == nil || math.Abs(*e.BootSD-.03) > .003 || math.Abs(e.TrialSD-.01) > .001 ||
		e.InstanceSD > .012 {
		t.Errorf("seed %d: %+v", seed, e)
	}
	if slices.ContainsFunc(compare.KindResidue.All(p),
		func(d compare.Difference) bool { return d.Key == record.KeyBoot }) {
		t.Errorf("no two machines share a boot: %+v", compare.KindResidue.All(p))
	}
}

func TestMachinesWithoutAType(t *testing.T) {
	none := func(record.Machine) finding.Basis { return finding.Basis{} }
	_, err := Compare(session(3, 0, .01), nil, nil, Options{By: trialset.ByType, Basis: none})
	if _, ok := err.(compare.Untyped); !ok {
		t.Errorf("%v", err)
	}
	r := rand.New(rand.NewPCG(2, 0))
	trials, lines := fleetRuns(r, 3, 2, .1, .001, .001, false)
	trials = append(trials, trial("-stray", 0, 5))
	_, p := compareByType(t, trials, lines)
	if !flagged(p.Warnings, "the instance type of -stray is unknown") {
		t.Errorf("%q", p.Warnings)
	}
}

// TestClaim: single machines carry no claim about their types, whatever was registered.
func TestClaim(t *testing.T) {
	registered := plans(func(p *record.Plan) { p.Claim = trialset.ClaimType })
	got, err := Compare(session(4, 0, .01), nil, registered, Options{})
	if v := only(t, got, err); v.Claim != trialset.ClaimMachine ||
		!flagged(compare.Changed(got.Pairs[0]), "compare --by type") {
		t.Errorf("%+v, %q", v, compare.Changed(got.Pairs[0]))
	}
	r := rand.New(rand.NewPCG(2, 0))
	trials, lines := fleetRuns(r, 3, 2, .1, .001, .001, true)
	if c, p := compareByType(t, trials, lines); c.Claim != trialset.ClaimType || len(compare.Changed(p)) > 0 {
		t.Errorf("%+v, %q", c, compare.Changed(p))
	}
	for i := range lines {
		lines[i].Plan.Claim = trialset.ClaimMachine
	}
	if _, p := compareByType(t, trials, lines); !flagged(compare.Changed(p),
		"the claim was registered for machines, not for their type") {
		t.Errorf("%q", compare.Changed(p))
	}
}
