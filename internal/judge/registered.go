package judge

import (
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// What holds where no plan says otherwise, as for imported trials.
const (
	claimMachine = "machine"
	claimType    = "type"
)

// registered is what was fixed before the first trial.
type registered struct {
	alpha, margin float64
	boundary      stat.Boundary // of the plan that asks for most evidence
	quick         bool
	claim         string
	sequential    int // plans with looks
}

// registeredFor is the strictest of what the sample's plans say: the smaller
// error rate and margin, and the narrower claim.
func registeredFor(s sample, plans map[string]record.Plan) registered {
	r := registered{claim: claimType}
	for _, hash := range plansOf(s.a, s.b) {
		p, ok := plans[hash]
		if !ok {
			r.claim = claimMachine
			continue
		}
		r.add(p)
	}
	return r.withDefaults()
}

// withDefaults takes what holds where no plan says otherwise.
func (r registered) withDefaults() registered {
	if r.alpha == 0 {
		r.alpha = Alpha
	}
	if r.margin == 0 {
		r.margin = Margin
	}
	if r.boundary.T == 0 {
		r.boundary = stat.Fixed(r.alpha)
	}
	return r
}

func (r *registered) add(p record.Plan) {
	r.alpha, r.margin = smaller(r.alpha, p.Alpha), smaller(r.margin, p.Margin)
	if b, err := boundaryOf(p); err == nil && b.T > 0 && (r.boundary.T == 0 || b.T < r.boundary.T) {
		r.boundary = b
	}
	r.quick = r.quick || p.Quick
	if p.Claim != claimType {
		r.claim = claimMachine
	}
	if p.Stop != nil {
		r.sequential++
	}
}

// plansOf are the hashes of the trials' plans, each once.
func plansOf(sides ...[]record.Trial) []string {
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

func plansByHash(plans []record.PlanLine) map[string]record.Plan {
	out := map[string]record.Plan{}
	for _, p := range plans {
		out[p.Hash] = p.Plan
	}
	return out
}

// minorOf lists the parameters of a trial's cell that tables leave out; none
// where the plan is not known.
func minorOf(t record.Trial, plans map[string]record.Plan) []string {
	if cells := plans[t.Plan].Cells; t.Cell >= 0 && t.Cell < len(cells) {
		return cells[t.Cell].Minor
	}
	return nil
}

// smaller is the smaller of two numbers of which 0 means none.
func smaller(a, b float64) float64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}
