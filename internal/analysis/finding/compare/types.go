package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/instances"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Untyped is a usage error: a comparison of instance types if none is known.
type Untyped struct{ Machines []string }

func (e Untyped) Error() string {
	return fmt.Sprintf("no instance type is known: machines %s are not named after one, and their firmware states none\n"+
		"hint: name a machine after its type: run --on m6gd.8xlarge='ssh HOST', import --machine m6gd.8xlarge",
		trialset.FirstFew(e.Machines))
}

// hasFactor reports whether trials have a level of a factor.
func hasFactor(name string, trials []record.Trial) bool {
	return slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Keys[record.FactorPrefix+name] != "" })
}

// typed adds its machine's instance type to the keys of each trial. Trials on machines of unknown type are left out;
// untyped are the names of these machines.
func (x *comparer) typed(trials []record.Trial) (out []record.Trial, untyped []string) {
	types, untyped := x.types(trials)
	for _, t := range trials {
		of := types[t.Keys[record.KeyMachine]]
		if of == "" {
			continue
		}
		t.Keys = maps.Clone(t.Keys)
		t.Keys[trialset.ByType] = of
		out = append(out, t)
	}
	return out, untyped
}

// types returns the instance type of each machine, split by silicon if that was asked for, and the names of those
// without. It notes the types whose machines differ in silicon.
func (x *comparer) types(trials []record.Trial) (types map[string]string, untyped []string) {
	seen, of := map[string]bool{}, map[string][]record.Machine{}
	for _, t := range trials {
		name := t.Keys[record.KeyMachine]
		if seen[name] {
			continue
		}
		seen[name] = true
		m := x.in.Fleet[name]
		m.Name = name
		if kind := x.in.BasisOf(name).Type; kind != "" {
			of[kind] = append(of[kind], m)
		} else {
			untyped = append(untyped, name)
		}
	}
	types, x.silicon = map[string]string{}, map[string][]note.Note{}
	for kind, machines := range of {
		if x.asked.SplitTypes {
			maps.Copy(types, instances.Split(kind, machines))
			continue
		}
		x.silicon[kind] = instances.UnlikeSilicon(kind, machines)
		for _, m := range machines {
			types[m.Name] = kind
		}
	}
	return types, untyped
}

// leftUntyped warns of the machines on neither side.
func leftUntyped(untyped []string) []note.Note {
	if len(untyped) == 0 {
		return nil
	}
	return []note.Note{note.New("untyped", strings.Join(untyped, ", "))}
}

// machineFor returns a machine of a side: itself, or the first of a type.
func (x comparer) machineFor(side string, trials []record.Trial) string {
	if x.axis.By != trialset.ByType {
		return side
	}
	at := slices.IndexFunc(trials, func(t record.Trial) bool { return t.Keys[trialset.ByType] == side })
	return trials[at].Keys[record.KeyMachine]
}

// compareTypes concludes about one metric of one cell of two instance types.
func (x comparer) compareTypes(m trialset.Matched, metric record.Metric, primary bool) finding.Comparison {
	l := instances.Launched(m.A, m.B, metric.Name)
	both := trialset.NewSample(m.A, m.B, metric.Name)
	reg := trialset.PreregisteredFor(both, x.in.Plans)
	reg.Boundary = stat.Fixed(reg.Alpha) // interim analyses were over pairs of runs, and none stopped the launches
	c := x.begin(m, metric, primary)
	c.A, c.B = l.A.Average(metric.Name), l.B.Average(metric.Name)
	c.N, c.Paired, c.Claim = l.N(), l.Paired, trialset.ClaimType
	c.Confidence = reg.Confidence()
	if primary && len(l.Alone) > 0 {
		c.Flag("without-block", trialset.FirstFew(l.Alone))
	}
	x.flagKinds(&c, m)
	if primary {
		flagWithin(&c, trialset.Having(trialset.Counting(m.A), metric.Name),
			trialset.Having(trialset.Counting(m.B), metric.Name))
	}
	r, ok := l.Ratio(reg.Rule().Opts)
	switch {
	case ok:
	case l.N() == 0:
		c.Flag("no-ratio", trialset.NotPositive(metric.Name, m.A, m.B))
		return c
	default:
		c.Flag("by-ranks", trialset.NotPositive(metric.Name, m.A, m.B))
		if x.emulated(both) {
			c.Flag("emulated-no-verdict")
			metric.Better = record.Neutral
		}
		c.Ranked, c.Paired = l.Ranked(reg.Alpha), false
		settleByRanks(&c, metric, primary && c.N >= x.asked.MinMachines, reg)
		return c
	}
	c.Ranked = l.Ranked(reg.Alpha)
	c.Ratio = math.Exp(r.Mean)
	if c.N < estimate.MinReplicates {
		c.Flags = append(c.Flags, tooFewInstances(c.N))
		return c
	}
	c.Bound(r.LogRatio)
	if primary && c.N < x.asked.MinMachines {
		c.Flag("under-min-machines", c.N, x.asked.MinMachines)
		return c
	}
	if primary && trialset.Decidable(metric) {
		c.Repeat = l.Repetition(m, reg)
		x.concludeType(&c, m, r.LogRatio, reg)
	}
	return c
}

// tooFewInstances returns the reason for no verdict on a type: of one instance each, ten runs per side would find a
// difference between equal types in 74.5% of comparisons (docs/method.md#machine-types).
func tooFewInstances(n int) note.Note {
	if n == 1 {
		return note.New("one-instance")
	}
	return note.New("too-few-instances", estimate.MinReplicates)
}

// concludeType sets the verdict, and checks whether it changes without disturbed trials.
func (x comparer) concludeType(c *finding.Comparison, m trialset.Matched, r stat.LogRatio, reg trialset.Preregistered) {
	if x.emulated(trialset.NewSample(m.A, m.B, c.Metric)) {
		c.Flag("emulated-no-verdict")
		return
	}
	c.Settle(r, reg)
	l := instances.Launched(m.A, m.B, c.Metric)
	flagFloor(c, reg, l.SD(), l.Ratio)
	calm, disturbed := undisturbedOf(m, c.Metric)
	if disturbed == 0 {
		return
	}
	rest := instances.Launched(calm.A, calm.B, c.Metric)
	quiet, ok := rest.Ratio(reg.Rule().Opts)
	if !ok || rest.N() < estimate.MinReplicates {
		c.Flag("too-few-undisturbed-instances", rest.N(), c.Each().Many())
		return
	}
	withoutDisturbed(c, quiet.LogRatio, reg, fmt.Sprintf("%d trials", disturbed))
}

// undisturbedOf returns a cell's trials for an estimate without the disturbed ones, and the number of these.
func undisturbedOf(m trialset.Matched, metric string) (trialset.Matched, int) {
	m.A, m.B = trialset.Having(trialset.Counting(m.A), metric), trialset.Having(trialset.Counting(m.B), metric)
	calm := m
	quiet := func(t *record.Trial) bool { return !trialset.Tainted(*t) }
	calm.A, calm.B = trialset.Filter(m.A, quiet), trialset.Filter(m.B, quiet)
	return calm, len(m.A) + len(m.B) - len(calm.A) - len(calm.B)
}

// repeatNotes states the value of repeating trials and launches.
func repeatNotes(c finding.Comparison) []block.Sentence {
	r := c.Repeat
	if r == nil {
		return nil
	}
	text := fmt.Sprintf("runs scatter by %s", figure.PercentText(r.TrialSD))
	if r.BootSD != nil {
		text += fmt.Sprintf(", boots add %s", figure.PercentText(*r.BootSD))
	}
	text += fmt.Sprintf(", instances add %s: ", figure.PercentText(r.InstanceSD))
	trials := "as many runs as there are"
	if r.Trials > 0 {
		trials = figure.Count(r.Trials, "run") + " each"
	}
	if r.Launches > 0 {
		text += fmt.Sprintf("%d launches of each type, %s, would bring the interval to within ± %s", r.Launches, trials,
			figure.PercentText(r.Margin))
	} else {
		text += fmt.Sprintf("no thousand launches would bring the interval to within ± %s", figure.PercentText(r.Margin))
	}
	return []block.Sentence{
		{Lead: "repeat", Tone: block.Dim, Text: text +
			fmt.Sprintf(" (a launch taken to cost %s)", figure.Duration(r.LaunchS))}}
}
