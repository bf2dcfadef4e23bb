package judge

import (
	"errors"

	"plimsoll/internal/record"
)

// Options says how trials are compared.
type Options struct {
	By       string // "machine" (also ""), a factor, or any key of the trials
	Baseline string // a machine or level; "": the factor's first level, or the first machine seen

	// AllowUnequalPaths also compares cells whose sides ran code of unequal
	// kinds on two architectures.
	AllowUnequalPaths bool

	// Basis says what a machine has, costs and takes; nil: figures per machine only.
	Basis func(record.Machine) Basis
}

// judgement is a comparison in progress.
type judgement struct {
	Options
	axis  axis
	plans map[string]record.Plan // by hash
	fleet fleet
	swept map[place]bool // the cells of sweeps of load
}

// Compare concludes about each other side of an axis against the baseline.
// Where the axis is not the machine, each machine stands for itself.
//
// Errors: Unknown, Alone, Disjoint and UnequalPaths are wrong questions, NoValid is a
// side without a valid trial. With NoValid, Compared holds what could be
// compared nevertheless.
func Compare(trials []record.Trial, machines []record.Machine, plans []record.PlanLine, o Options) (Compared, error) {
	if o.By == "" {
		o.By = record.KeyMachine
	}
	trials = inPlanOrder(trials)
	ax, err := newAxis(o.By, o.Baseline, trials, plans)
	if err != nil {
		return Compared{Pairs: []Pair{}}, err
	}
	j := newJudgement(o, ax, machines, plans)
	j.swept = sweptPlaces(rampsOf(trials))
	out := Compared{Pairs: []Pair{}}
	var invalid []error
	var incomparable []Incomparable
	for _, scope := range j.scopes(trials) {
		for _, b := range ax.levels[1:] {
			p, err := j.pair(scope, ax.levels[0], b)
			switch apart, ok := err.(Incomparable); {
			case ok:
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
func (j judgement) failure(out *Compared, invalid []error, incomparable []Incomparable) error {
	if len(invalid) == 0 && len(out.Pairs) == 0 && len(incomparable) > 0 {
		return incomparable[0]
	}
	for i := range out.Pairs {
		for _, apart := range incomparable {
			out.Pairs[i].Warnings = append(out.Pairs[i].Warnings, apart.cause())
		}
	}
	return errors.Join(invalid...)
}

func newJudgement(o Options, ax axis, machines []record.Machine, plans []record.PlanLine) judgement {
	return judgement{Options: o, axis: ax, plans: plansByHash(plans), fleet: fleetOf(machines)}
}

// scopes are the sets of trials among which sides are sought: all of them, or
// one machine's.
func (j judgement) scopes(trials []record.Trial) [][]record.Trial {
	order, groups := grouped(trials, func(t record.Trial) string {
		if j.axis.by == record.KeyMachine {
			return ""
		}
		return t.Keys[record.KeyMachine]
	})
	var out [][]record.Trial
	for _, name := range order {
		out = append(out, groups[name])
	}
	return out
}

// pair concludes about side b against side a.
func (j judgement) pair(trials []record.Trial, a, b string) (Pair, error) {
	p := Pair{A: a, B: b, By: j.axis.by, Verdicts: []Comparison{}, Overall: []Overall{}, Crossings: []Crossing{}, Trends: []Trend{}, OnPar: []OnPar{}, Residue: []Difference{}, Warnings: []string{}}
	if j.axis.by != record.KeyMachine {
		p.Machine = trials[0].Keys[record.KeyMachine]
	}
	both, onlyA, onlyB := j.match(trials, a, b)
	if len(both) == 0 {
		return p, Disjoint{A: a, B: b, Machine: p.Machine, HasA: texts(onlyA), HasB: texts(onlyB)}
	}
	if err := bothValid(p, both); err != nil {
		return p, err
	}
	both, refused := j.likeForLike(both)
	if len(both) == 0 {
		return p, UnequalPaths{A: a, B: b, Cells: refused}
	}
	j.relate(&p)
	var along []located
	var parts []summand
	for _, m := range both {
		cs := j.withShares(p, m, j.compareCell(&p, m))
		p.Verdicts = append(p.Verdicts, cs...)
		along = append(along, locate(m, cs)...)
		if part := summandOf(m, cs); part != nil {
			parts = append(parts, *part)
		}
	}
	p.Overall = j.overalls(p, parts)
	p.Crossings, p.Trends, p.OnPar = crossingsOf(along), trendsOf(along), onParsOf(along)
	j.addExtra(&p, both, trials)
	p.Residue = append(p.Residue, j.residue(both)...)
	p.Warnings = append(p.Warnings, UnequalPaths{A: a, B: b, Cells: refused}.warnings()...)
	p.Warnings = append(p.Warnings, uncompared(a, onlyA)...)
	p.Warnings = append(p.Warnings, uncompared(b, onlyB)...)
	return p, nil
}
