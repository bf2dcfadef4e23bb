package judge

import (
	"errors"
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/capacity"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Options says how trials are compared.
type Options struct {
	By       string // "machine", ByType, ByFile, a factor, or any key of the trials; "": DefaultAxis
	Baseline string // a machine or level; "": the factor's first level, or the first machine seen

	// AllowUnequalPaths also compares cells whose sides ran code of unequal
	// kinds on two architectures.
	AllowUnequalPaths bool

	// Basis says what a machine has, costs and takes; nil: figures per machine only.
	Basis func(record.Machine) finding.Basis

	// EqualCost asks what as much money carries on both sides.
	EqualCost bool

	// Explain says how differences are explained; nil: they are not.
	Explain *ExplainOptions

	// HashOf is how a plan's hash is made, to find plans that were altered; nil: not looked for.
	HashOf func(record.Plan) string
}

// judgement is a comparison in progress.
type judgement struct {
	Options
	in    *finding.Input // all that is known; nil for effects
	axis  axis.Axis
	plans map[string]record.Plan // by hash
	fleet trialset.Fleet
	loads capacity.Loads
	disks map[bottleneck.DeviceKey]bottleneck.DiskMost

	explainer *explainer // nil: differences are not explained
}

// Compare compares the sides of an axis by what trials alone tell; see CompareIn.
func Compare(trials []record.Trial, machines []record.Machine, plans []record.PlanLine, o Options) (finding.Compared, error) {
	in := finding.NewInput(trials, machines, plans)
	in.Read.Basis, in.Ask.EqualCost = o.Basis, o.EqualCost
	if o.Explain != nil {
		in.Ask.NoKnownIssues, in.Read.Profile = o.Explain.NoKnownIssues, o.Explain.Profile
		if in.Read.Profile == nil {
			in.Read.Profile = func(record.Trial, string) (p record.Profile, ok bool, err error) { return p, false, nil }
		}
	}
	return CompareIn(in, o)
}

// CompareIn concludes about each other side of an axis against the baseline. Where the axis is neither machines nor
// their types, each machine stands for itself.
//
// Errors: Unknown, Alone, Unpriced, Untyped, Disjoint, Halved and UnequalPaths are wrong questions, NoValid is a
// side without a valid trial. With NoValid, Compared holds what could be
// compared nevertheless.
func CompareIn(in *finding.Input, o Options) (finding.Compared, error) {
	trials, plans := in.Trials, in.PlanLines
	if o.By == "" {
		o.By = axis.Default(trials, plans)
	}
	o.Basis = in.Read.Basis
	j := judgement{Options: o, in: in, plans: in.Plans, fleet: in.Fleet, disks: bottleneck.DisksMeasured(trials)}
	notes := trialset.SetAside(trials)
	if in.Read.Profile != nil {
		j.explainer = explainerOf(in)
	}
	trials = loadline.Condensed(trialset.PrimaryFirst(trialset.InPlanOrder(trialset.WithExtras(trials)), j.plans), j.plans)
	trials, untyped, err := j.byAxis(trials, plans)
	if err != nil {
		return finding.Compared{Pairs: []finding.Pair{}}, err
	}
	j.loads = capacity.LoadsOf(trials, j.axis.By)
	trials = append(slices.Clone(trials), j.sweptLines(trials)...)
	out, err := j.compare(trials)
	out.Found = KindFamily.Each(j.familiesOf(trials))
	for i := range out.Pairs {
		p := &out.Pairs[i]
		if in.Ask.EqualCost && trialset.AcrossMachines(p.By) {
			if err := SetEqualCost(p); err != nil {
				return finding.Compared{Pairs: []finding.Pair{}}, err
			}
		}
		p.Warnings = append(append(slices.Clone(notes), p.Warnings...), leftUntyped(untyped)...)
	}
	if in.Ask.Demand != nil && j.axis.By == record.KeyMachine {
		if in.Cells == nil {
			Analyze(in)
		}
		SetFleets(out, in.Cells)
	}
	return out, err
}

// byAxis finds the axis, and gives the trials that have a place on it.
func (j *judgement) byAxis(trials []record.Trial, plans []record.PlanLine) (out []record.Trial, untyped []string, err error) {
	if j.By == trialset.ByType && hasFactor(trialset.ByType, trials) {
		j.By = record.FactorPrefix + trialset.ByType
	}
	if j.By == trialset.ByType {
		if trials, untyped = j.typed(trials); len(trials) == 0 {
			return nil, nil, Untyped{untyped}
		}
	}
	if j.By, err = axis.InFull(j.By, trials); err != nil {
		return nil, nil, err
	}
	j.axis, err = axis.New(j.By, j.Baseline, j.alsoCalled, trials, plans)
	return trials, untyped, err
}

// alsoCalled are the other names of a machine: its instance type, and its host name where that is not what it is called.
func (j judgement) alsoCalled(machine string) []string {
	m, ok := j.fleet[machine]
	if j.By != record.KeyMachine {
		return nil
	}
	var out []string
	if j.Basis != nil {
		out = append(out, j.basisOf(machine).Type)
	}
	if ok {
		out = append(out, m.Cloud.Type, m.Host)
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// compare concludes about all sides in all scopes.
func (j judgement) compare(trials []record.Trial) (finding.Compared, error) {
	out := finding.Compared{Pairs: []finding.Pair{}}
	var invalid []error
	var incomparable []Incomparable
	for _, scope := range j.axis.Scopes(trials) {
		levels := j.axis.LevelsIn(scope)
		for _, b := range levels[min(1, len(levels)):] {
			p, err := j.pair(scope, levels[0], b)
			var apart Incomparable
			switch {
			case errors.As(err, &apart):
				incomparable = append(incomparable, apart)
			case err != nil:
				invalid = append(invalid, err)
			default:
				out.Pairs = append(out.Pairs, p)
			}
		}
	}
	return out, j.failure(&out, invalid, incomparable)
}

// failure decides which of the pairs' errors is the comparison's: a pair that
// cannot be compared is only a warning beside pairs that can.
func (j judgement) failure(out *finding.Compared, invalid []error, incomparable []Incomparable) error {
	switch {
	case len(invalid) > 0 || len(out.Pairs) > 0:
	case len(incomparable) > 0:
		return incomparable[0]
	default:
		return Scattered{j.axis.By}
	}
	for i := range out.Pairs {
		for _, apart := range incomparable {
			out.Pairs[i].Warnings = append(out.Pairs[i].Warnings, note.New("incomparable", apart.cause()))
		}
	}
	return errors.Join(invalid...)
}

func newJudgement(o Options, ax axis.Axis, machines []record.Machine, plans []record.PlanLine) judgement {
	return judgement{Options: o, axis: ax, plans: trialset.PlansByHash(plans), fleet: trialset.FleetOf(machines)}
}

// pair concludes about side b against side a.
func (j judgement) pair(trials []record.Trial, a, b string) (finding.Pair, error) {
	p := finding.Pair{A: a, B: b, By: j.axis.By, Verdicts: []finding.Comparison{}, Warnings: []note.Note{}}
	if !trialset.AcrossMachines(j.axis.By) {
		p.Machine = trials[0].Keys[record.KeyMachine]
	}
	both, onlyA, onlyB := j.axis.Match(trials, a, b)
	if len(both) == 0 && factorial.Halved(j.axis.By, trials, j.plans) {
		return p, Halved{j.axis.By}
	}
	if len(both) == 0 {
		return p, Disjoint{A: a, B: b, Machine: p.Machine, HasA: trialset.Texts(onlyA), HasB: trialset.Texts(onlyB)}
	}
	if err := bothValid(p, both); err != nil {
		return p, err
	}
	both, refused := j.likeForLike(both)
	if len(both) == 0 {
		return p, UnequalPaths{A: a, B: b, Cells: refused}
	}
	j.relate(&p, trials)
	cells := j.conclusions(&p, both)
	registered := j.plansIn(both)
	pairFindings(&finding.Pairing{Input: j.in, Pair: &p, Scope: trials, Both: both, Cells: cells, Judged: registered})
	j.warnUnlikeVCPUs(&p, trials)
	warnNoValue(&p)
	j.addExtra(&p, both, trials)
	p.Add(KindExplain.Each(j.explain(p, both)))
	p.Add(j.registration(p, registered), KindResidue.Each(j.residue(both)))
	p.Warnings = append(p.Warnings, j.togetherIn(p, both)...)
	p.Warnings = append(p.Warnings, UnequalPaths{A: a, B: b, Cells: refused}.warnings()...)
	p.Warnings = append(p.Warnings, uncompared(a, onlyA)...)
	p.Warnings = append(p.Warnings, uncompared(b, onlyB)...)
	return p, nil
}

// pairFindings adds the findings about two sides, each analyzer's after those that it reads.
func pairFindings(p *finding.Pairing) {
	for _, a := range Analyzers() {
		if a.Pair != nil {
			p.Pair.Add(a.Pair(p))
		}
	}
}

// conclusions compares each cell, and says what the cells say together. It returns the comparisons of each.
func (j judgement) conclusions(p *finding.Pair, both []trialset.Matched) [][]finding.Comparison {
	var cells [][]finding.Comparison
	var parts []summand
	var apart gaps
	for _, m := range both {
		cs := j.withShares(*p, m, j.compareCell(*p, m, &apart))
		p.Verdicts = append(p.Verdicts, cs...)
		cells = append(cells, cs)
		if part := j.summandOf(m, cs); part != nil {
			parts = append(parts, *part)
		}
	}
	p.Add(KindOverall.Each(j.overalls(*p, parts)), KindByChance.New(byChanceOf(p.Verdicts)))
	p.Warnings = append(p.Warnings, apart.warnings()...)
	return cells
}
