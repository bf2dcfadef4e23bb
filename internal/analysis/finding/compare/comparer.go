// Package compare concludes about two sides of an axis, cell by cell, and presents the conclusions. It runs the
// analyzers that it is given and knows none of the rooms of pairs.
package compare

import (
	"errors"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/capacity"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// Question is the axis of a comparison and its rules.
type Question struct {
	By       string // "machine", trialset.ByType, axis.ByFile, a factor, or any key of the trials; "" for axis.Default
	Baseline string // a machine or level; "" for the factor's first level, or the first machine seen

	// AllowUnequalPaths also compares cells whose sides ran code of unequal kinds on two architectures.
	AllowUnequalPaths bool

	SplitTypes  bool // machines of one type whose silicon differs are several types
	MinMachines int  // fewest machines of each type for a verdict on types; never below estimate.MinReplicates
}

// comparer is a comparison in progress.
type comparer struct {
	in    *finding.Input
	all   []finding.Analyzer
	asked Question
	axis  axis.Axis
	loads capacity.Loads
	disks map[bottleneck.DeviceKey]bottleneck.DiskMost

	silicon map[string][]note.Note // of the machines of a type, by type
}

// In concludes about each other side of an axis against the baseline, and runs analyzers on the pairs. If the axis is
// neither machines nor their types, each machine is compared with itself.
//
// Errors: Unknown, Alone, Untyped, Disjoint, Halved and UnequalPaths are usage errors, NoValid is a side without a
// valid trial. With NoValid, Compared holds the sides that could be compared nevertheless.
func In(in *finding.Input, asked Question, all []finding.Analyzer) (finding.Compared, error) {
	if asked.By == "" {
		asked.By = axis.Default(in.Trials, in.PlanLines)
	}
	x := comparer{in: in, all: all, asked: asked, disks: bottleneck.DisksMeasured(in.Trials)}
	trials := loadline.Condensed(trialset.PrimaryFirst(trialset.InPlanOrder(trialset.WithExtras(in.Trials)), in.Plans),
		in.Plans, in.Ask.Objectives)
	trials, untyped, err := x.byAxis(trials)
	if err != nil {
		return finding.Compared{Pairs: []finding.Pair{}}, err
	}
	x.loads = capacity.LoadsOf(trials, x.axis.By)
	trials = append(slices.Clip(trials), x.sweptLines(trials)...)
	out, err := x.pairs(trials)
	for _, a := range all {
		if a.Sides != nil && !in.Halted() {
			out.Found = append(out.Found, a.Sides(&finding.Sides{Input: in, By: x.axis.By, Trials: trials,
				Pairs: out.Pairs})...)
		}
	}
	notes := append([]note.Note{}, integrity.OfSessions(in.Read.Events, in.Trials)...)
	for i := range out.Pairs {
		p := &out.Pairs[i]
		p.Warnings = append(slices.Clone(notes),
			slices.Concat(p.Warnings, leftUntyped(untyped), x.silicon[p.A], x.silicon[p.B])...)
	}
	return out, err
}

// byAxis finds the axis, and returns the trials that have a level of it.
func (x *comparer) byAxis(trials []record.Trial) (out []record.Trial, untyped []string, err error) {
	by := x.asked.By
	if by == trialset.ByType && hasFactor(trialset.ByType, trials) {
		by = record.FactorPrefix + trialset.ByType
	}
	if by == trialset.ByType {
		if trials, untyped = x.typed(trials); len(trials) == 0 {
			return nil, nil, Untyped{untyped}
		}
	}
	if by, err = axis.InFull(by, trials); err != nil {
		return nil, nil, err
	}
	also := x.alsoCalled
	if by != record.KeyMachine {
		also = nil
	}
	x.axis, err = axis.New(by, x.asked.Baseline, also, trials, x.in.PlanLines)
	return trials, untyped, err
}

// alsoCalled returns the other names of a machine: its instance type, and its host name if it goes by another.
func (x comparer) alsoCalled(machine string) []string {
	out := []string{x.in.BasisOf(machine).Type}
	if m, ok := x.in.Fleet[machine]; ok {
		out = append(out, m.Cloud.Type, m.Host)
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// pairs concludes about all sides in all scopes.
func (x comparer) pairs(trials []record.Trial) (finding.Compared, error) {
	out := finding.Compared{Pairs: []finding.Pair{}}
	var invalid []error
	var incomparable []Incomparable
	for _, scope := range x.axis.Scopes(trials) {
		levels, of := x.axis.LevelsIn(scope), x.axis.Sides(scope)
		for _, b := range levels[min(1, len(levels)):] {
			if x.in.Halted() {
				return out, nil
			}
			p, err := x.pair(scope[0].Keys[record.KeyMachine], of(levels[0], b), levels[0], b)
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
	return out, x.failure(&out, invalid, incomparable)
}

// failure returns the comparison's error: a pair that cannot be compared is only a warning if others can.
func (x comparer) failure(out *finding.Compared, invalid []error, incomparable []Incomparable) error {
	switch {
	case len(invalid) > 0 || len(out.Pairs) > 0:
	case len(incomparable) > 0:
		return incomparable[0]
	default:
		return Scattered{x.axis.By}
	}
	for _, apart := range incomparable {
		var disjoint Disjoint
		out.Missing = append(out.Missing, finding.Missing{Why: note.New("incomparable", apart.cause()),
			Absent: errors.As(apart, &disjoint)})
	}
	for i := range out.Pairs {
		for _, apart := range incomparable {
			out.Pairs[i].Warnings = append(out.Pairs[i].Warnings, note.New("incomparable", apart.cause()))
		}
	}
	return errors.Join(invalid...)
}

// pair concludes about side b against side a by their trials, of which a machine of several may have none.
func (x comparer) pair(machine string, trials []record.Trial, a, b string) (finding.Pair, error) {
	p := finding.Pair{A: a, B: b, By: x.axis.By, Verdicts: []finding.Comparison{}, Warnings: []note.Note{}}
	if !trialset.AcrossMachines(x.axis.By) {
		p.Machine = machine
	}
	both, onlyA, onlyB := x.axis.Match(trials, a, b)
	x.relate(&p, trials)
	clusters := x.clusters(&p, trials)
	onlyA, onlyB = withoutClusters(onlyA, clusters), withoutClusters(onlyB, clusters)
	if len(both) == 0 && clusters == nil {
		return p, x.apart(p, trials, onlyA, onlyB)
	}
	if clusters != nil && len(both) == 0 {
		if err := x.bothValid(p, clusters.Both); err != nil {
			return p, err
		}
	}
	both, refused, err := x.comparable(p, both)
	if err != nil {
		return p, err
	}
	cells := x.conclusions(&p, both)
	if x.in.Halted() {
		return p, nil
	}
	judged := both
	if clusters != nil {
		judged = slices.Concat(both, clusters.Both)
	}
	x.find(&finding.Pairing{
		Input: x.in, Pair: &p, Scope: trials, Both: both, Cells: cells, Clusters: clusters, Judged: x.plansIn(judged),
		Varied: x.axis.Varied,
	})
	x.warnUnlikeVCPUs(&p, trials)
	warnNoValue(&p)
	x.addExtra(&p, both, trials)
	p.Warnings = append(p.Warnings, togetherIn(p, both)...)
	p.Warnings = append(p.Warnings, refused...)
	for _, text := range refused {
		p.Missing = append(p.Missing, finding.Missing{Why: text})
	}
	p.Missing = append(append(p.Missing, x.absent(b, onlyA, trials)...), x.absent(a, onlyB, trials)...)
	p.Warnings = append(p.Warnings, uncompared(a, onlyA)...)
	p.Warnings = append(p.Warnings, uncompared(b, onlyB)...)
	return p, nil
}

// apart returns the error of two sides without a common cell.
func (x comparer) apart(p finding.Pair, trials []record.Trial, onlyA, onlyB []trialset.Key) error {
	if factorial.Halved(x.axis.By, trials, x.in.Plans) {
		return Halved{x.axis.By}
	}
	out := Disjoint{A: p.A, B: p.B, Machine: p.Machine}
	out.HasA, out.HasB = unlike(onlyA, onlyB)
	out.Nodes = trialset.AcrossMachines(p.By) && len(cost.NodeCounts(trials)) > 1
	return out
}

// comparable returns the cells of both sides that may be compared, and notes on the others; none of none.
func (x comparer) comparable(p finding.Pair, both []trialset.Matched) ([]trialset.Matched, []note.Note, error) {
	if len(both) == 0 {
		return nil, nil, nil
	}
	if err := x.bothValid(p, both); err != nil {
		return nil, nil, err
	}
	alike, refused := x.likeForLike(both)
	apart := UnequalPaths{A: p.A, B: p.B, Cells: refused}
	if len(alike) == 0 {
		return nil, nil, apart
	}
	return alike, apart.warnings(), nil
}

// conclusions compares each cell, and returns the comparisons of each.
func (x comparer) conclusions(p *finding.Pair, both []trialset.Matched) [][]finding.Comparison {
	type concluded struct {
		cs    []finding.Comparison
		apart gaps
	}
	each := list.Concurrently(both, func(m trialset.Matched) (out concluded) {
		if !x.in.Halted() {
			out.cs = x.withShares(*p, m, x.compareCell(*p, m, &out.apart))
		}
		return out
	})
	n := 0
	for _, e := range each {
		n += len(e.cs)
	}
	p.Verdicts = slices.Grow(p.Verdicts, n)
	var cells [][]finding.Comparison // parts of the verdicts: a second copy of all would be large
	var apart gaps
	for _, e := range each {
		p.Verdicts = append(p.Verdicts, e.cs...)
		end := len(p.Verdicts)
		cells = append(cells, p.Verdicts[end-len(e.cs):end:end])
		apart.append(e.apart)
	}
	p.Missing = append(p.Missing, apart.missing...)
	p.Warnings = append(p.Warnings, apart.warnings()...)
	return cells
}

// find adds the findings about two sides.
func (x comparer) find(p *finding.Pairing) {
	for _, a := range x.all {
		if a.Pair != nil && !x.in.Halted() {
			p.Pair.Add(a.Pair(p))
		}
	}
}
