package judge

import (
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// ExplainOptions control the explanation of differences.
type ExplainOptions struct {
	Profile finding.ProfileReader // nil: there are none

	NoKnownIssues bool // leave the rules of known issues out
}

// Options are those of a comparison of trials without an Input.
type Options struct {
	By                string
	Baseline          string
	AllowUnequalPaths bool
	Basis             func(record.Machine) finding.Basis
	EqualCost         bool
	Explain           *ExplainOptions // nil: differences are not explained
	HashOf            func(record.Plan) string
}

// Compare compares the sides of an axis by trials alone; see CompareIn.
func Compare(trials []record.Trial, machines []record.Machine, plans []record.PlanLine, o Options) (finding.Compared,
	error) {
	in := finding.NewInput(trials, machines, plans)
	in.Read.Basis, in.Read.HashOf, in.Ask.EqualCost = o.Basis, o.HashOf, o.EqualCost
	if o.Explain != nil {
		in.Ask.NoKnownIssues, in.Read.Profile = o.Explain.NoKnownIssues, o.Explain.Profile
		if in.Read.Profile == nil {
			in.Read.Profile = func(record.Trial, string) (p record.Profile, ok bool, err error) { return p, false, nil }
		}
	}
	return CompareIn(in, compare.Question{By: o.By, Baseline: o.Baseline, AllowUnequalPaths: o.AllowUnequalPaths})
}

// CompareIn compares the sides of an axis, with the findings of all analyzers. It may return Unpriced besides the
// errors of compare.In.
func CompareIn(in *finding.Input, asked compare.Question) (finding.Compared, error) {
	if in.Ask.Demand != nil && in.Cells == nil {
		Analyze(in)
	}
	out, err := compare.In(in, asked, Analyzers())
	for _, p := range out.Pairs {
		if !in.Ask.EqualCost || !trialset.AcrossMachines(p.By) {
			continue
		}
		if err := cost.CheckEqualCost(p); err != nil {
			return finding.Compared{Pairs: []finding.Pair{}}, err
		}
	}
	return out, err
}
