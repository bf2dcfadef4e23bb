package trialset

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// BoundaryOf returns the boundary that a plan sets for its intervals: the ordinary one if the number of pairs was
// fixed, the repeated one if interim analyses may stop it (docs/method.md#when-a-comparison-stops).
func BoundaryOf(p record.Plan) (stat.Boundary, error) {
	if p.Stop == nil || len(p.Stop.Looks) == 0 { // a file may have any plan
		return stat.Fixed(p.Alpha), nil
	}
	table := stat.Repeated
	if p.Stop.Early {
		table = stat.Early
	}
	b, err := table(p.Alpha, p.Stop.Looks[len(p.Stop.Looks)-1])
	b.Looks, b.Futile = p.Stop.Looks, p.Stop.Futile
	return b, err
}

// The defaults if no plan says otherwise, as for imported trials.
const (
	ClaimMachine = "machine"
	ClaimType    = "type"
)

// Preregistered holds the decisions made before the first trial.
type Preregistered struct {
	Alpha, Margin float64
	Boundary      stat.Boundary // of the plan that demands most evidence
	Quick         bool
	claim         string
	Sequential    int // plans with interim analyses
}

// PreregisteredFor returns the strictest registration among the sample's plans: the smaller error rate and margin, and
// the narrower claim.
func PreregisteredFor(s Sample, plans map[string]record.Plan) Preregistered {
	r := Preregistered{claim: ClaimType}
	for _, hash := range PlansOf(s.A, s.B) {
		p, ok := plans[hash]
		if !ok {
			r.claim = ClaimMachine
			continue
		}
		r.Add(p)
	}
	return r.WithDefaults()
}

// Confidence returns the confidence of intervals, as a fraction; 0 for the usual 95%.
func (r Preregistered) Confidence() float64 {
	if r.Alpha == estimate.Alpha {
		return 0
	}
	return 1 - r.Alpha
}

// WithDefaults fills in the defaults if no plan says otherwise.
func (r Preregistered) WithDefaults() Preregistered {
	if r.Alpha == 0 {
		r.Alpha = estimate.Alpha
	}
	if r.Margin == 0 {
		r.Margin = estimate.Margin
	}
	if r.Boundary.Rate == 0 {
		r.Boundary = stat.Fixed(r.Alpha)
	}
	return r
}

// Add makes r as strict as the plan.
func (r *Preregistered) Add(p record.Plan) {
	r.Alpha, r.Margin = minNonZero(r.Alpha, p.Alpha), minNonZero(r.Margin, p.Margin)
	if b, err := BoundaryOf(p); err == nil && b.Rate > 0 && (r.Boundary.Rate == 0 || b.Rate < r.Boundary.Rate) {
		r.Boundary = b
	}
	r.Quick = r.Quick || p.Quick
	if p.Claim != ClaimType {
		r.claim = ClaimMachine
	}
	if p.Stop != nil {
		r.Sequential++
	}
}

// PlansOf returns the hashes of the trials' plans, each once.
func PlansOf(sides ...[]record.Trial) []string {
	var out []string
	seen := map[string]bool{}
	for _, trials := range sides {
		for i := range trials {
			if hash := trials[i].Plan; !seen[hash] {
				seen[hash] = true
				out = append(out, hash)
			}
		}
	}
	return out
}

// PlansByHash returns the plans by their hash.
func PlansByHash(plans []record.PlanLine) map[string]record.Plan {
	out := map[string]record.Plan{}
	for _, p := range plans {
		out[p.Hash] = p.Plan
	}
	return out
}

// minNonZero returns the smaller of a and b, ignoring zeros.
func minNonZero(a, b float64) float64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// Verdict is the conclusion of a comparison, by the rule of package stat that also ends a session.
type Verdict = stat.Verdict

// The verdicts. Equivalent wins if both could hold.
const (
	Different  = stat.Different
	Equivalent = stat.Equivalent
	Undecided  = stat.Undecided
)

// Rule returns the registered rule for verdicts.
func (r Preregistered) Rule() stat.Rule {
	return stat.RuleFor(r.Boundary, r.Margin, r.Quick)
}

// Within reports whether an interval lies inside the margin.
func (r Preregistered) Within(ratio stat.LogRatio) bool {
	delta := math.Log1p(r.Margin)
	return ratio.Hull.Within(-delta, delta)
}

// Winner returns which side of a log ratio of b to a is better.
func Winner(r stat.LogRatio, better record.Better) string {
	if (r.Mean > 0) == (better == record.Higher) {
		return "b"
	}
	return "a"
}

// Decidable reports whether one direction of the metric is better, so that there can be a verdict.
func Decidable(m record.Metric) bool { return m.Better == record.Higher || m.Better == record.Lower }
