package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// registration returns the plan registered before the first trial, with notes on departures of this comparison.
func registration(p *finding.Pairing) []finding.Finding {
	r := sequential.RegisteredIn(p.Judged)
	found := KindRegistered.New(r)
	for i := range found {
		found[i].Notes = departures(p, *r)
	}
	return found
}

// Changed returns the departures of a comparison from the registered plan.
func Changed(p finding.Pair) []note.Note {
	for _, f := range p.Found {
		if f.Kind == string(KindRegistered) {
			return f.Notes
		}
	}
	return nil
}

func departures(p *finding.Pairing, r sequential.Registered) []note.Note {
	out := []note.Note{}
	add := func(n note.Note) {
		if !n.IsZero() {
			out = note.With(out, n)
		}
	}
	add(several("registered-margins", r.Margins))
	add(several("registered-error-rates", r.Alphas))
	add(changedClaim(p.Pair.By, r.Claims))
	for _, c := range p.Pair.Verdicts {
		if c.Primary && c.Per == finding.PerMachine {
			add(changedPrimary(c, r.Primary[c.Workload]))
		}
	}
	add(changedPrice(p.Pair.A, p.Pair.BasisA, p.Judged))
	add(changedPrice(p.Pair.B, p.Pair.BasisB, p.Judged))
	add(altered(p))
	return out
}

func several(code note.Code, fractions []float64) note.Note {
	if len(fractions) < 2 {
		return note.Note{}
	}
	texts := make([]string, len(fractions))
	for i, f := range fractions {
		texts[i] = percentText(f)
	}
	return note.New(code, strings.Join(texts, " and "), texts[0])
}

func percentText(fraction float64) string { return fmt.Sprintf("%.4g%%", 100*fraction) }

// changedClaim checks a claim about a type against the comparison: machines prove nothing about their types, and
// machines registered by name were not registered as samples of a type.
func changedClaim(by string, claims []string) note.Note {
	switch ofType := slices.Contains(claims, trialset.ClaimType); {
	case ofType && by != trialset.ByType:
		return note.New("registered-for-type")
	case !ofType && len(claims) > 0 && by == trialset.ByType:
		return note.New("registered-for-machines")
	}
	return note.Note{}
}

func changedPrimary(c finding.Comparison, registered []string) note.Note {
	if len(registered) == 0 || len(registered) == 1 && registered[0] == c.Metric || loadline.IsLine(c.Metric) {
		return note.Note{}
	}
	return note.New("registered-primary", c.Workload, strings.Join(registered, " and "), c.Metric)
}

// changedPrice compares the price used with the plans' prices for the machine or, if they name it so, its type.
func changedPrice(side string, used *finding.Basis, plans []record.PlanLine) note.Note {
	if used == nil {
		return note.Note{}
	}
	var registered []float64
	for _, p := range plans {
		if price, ok := priceIn(p.Plan.Prices, side, used.Type); ok {
			registered = trialset.AppendNew(registered, price)
		}
	}
	if len(registered) == 0 || len(registered) == 1 && used.Priced() && registered[0] == used.EachPerHour() {
		return note.Note{}
	}
	texts := make([]string, len(registered))
	for i, price := range registered {
		texts[i] = strconv.FormatFloat(price, 'f', -1, 64)
	}
	now := "none"
	if used.Priced() {
		now = strconv.FormatFloat(used.EachPerHour(), 'f', -1, 64)
	}
	return note.New("registered-price", side, strings.Join(texts, " and "), now)
}

func priceIn(prices map[string]float64, names ...string) (float64, bool) {
	for _, name := range names {
		for of, price := range prices {
			if strings.EqualFold(of, name) {
				return price, true
			}
		}
	}
	return 0, false
}

// altered names the plans that were altered since they were hashed.
func altered(p *finding.Pairing) note.Note {
	var out []string
	for _, l := range p.Judged {
		hash := func() bool { return p.Read.HashOf != nil && p.Read.HashOf(l.Plan) != l.Hash }
		if finding.Once(p.Input, hashed{l.Hash}, hash) {
			out = append(out, l.Hash)
		}
	}
	if len(out) == 0 {
		return note.Note{}
	}
	return note.New("plan-altered", trialset.FirstFew(out))
}

// hashed is the key of whether a plan was altered, which takes the time of the whole plan to tell.
type hashed struct{ plan string }

// plansIn returns the plans of the compared cells.
func (x comparer) plansIn(both []trialset.Matched) []record.PlanLine {
	var sides [][]record.Trial
	for _, m := range both {
		sides = append(sides, m.A, m.B)
	}
	var out []record.PlanLine
	for _, hash := range trialset.PlansOf(sides...) {
		if p, ok := x.in.Plans[hash]; ok {
			out = append(out, record.PlanLine{Hash: hash, Plan: p})
		}
	}
	return out
}

// registeredText summarizes the registered plan in a line.
func registeredText(r *sequential.Registered) string {
	if r == nil {
		return ""
	}
	var parts []string
	if len(r.Margins) > 0 {
		parts = append(parts, fmt.Sprintf("differences under %s count as equal", figure.PercentText(r.Margins[0])),
			"error rate "+figure.PercentText(r.Alphas[0]))
	}
	if n := len(r.Looks); n > 0 {
		parts = append(parts, fmt.Sprintf("up to %d interim analyses after %d to %d pairs, corrected for", n, r.Looks[0],
			r.Looks[n-1]))
		if r.Futile > 0 {
			parts = append(parts, fmt.Sprintf("ended where the pairs left decide with less than %s",
				figure.PercentText(r.Futile)))
		}
	}
	for _, workload := range slices.Sorted(maps.Keys(r.Primary)) {
		parts = append(parts, fmt.Sprintf("%s decided by %s", workload, strings.Join(r.Primary[workload], " or ")))
	}
	text := ""
	if len(parts) > 0 {
		text = "planned: " + strings.Join(parts, ", ")
	}
	return text
}

// changesSays returns the departures from the registered plan, before the verdicts that rest on them.
func changesSays(v *finding.PairView) []block.Block {
	var out []block.Sentence
	for _, text := range note.Texts(Changed(v.Pair)) {
		out = append(out, block.Sentence{Lead: "changed", Tone: block.Bad, Text: text})
	}
	return finding.Verdicts(out...)
}

// interimOf replays the interim analyses of a cell's session on its pairs, by the primary metric. Pairs of several
// sessions had none in common, and are all included.
func interimOf(m trialset.Matched, decider string, plans map[string]record.Plan) sequential.Cut {
	if trialset.PreregisteredFor(trialset.Sample{A: m.A, B: m.B}, plans).Sequential == 0 {
		return sequential.Cut{}
	}
	s := trialset.NewSample(m.A, m.B, decider)
	reg := trialset.PreregisteredFor(s, plans)
	if !s.Paired || reg.Sequential != 1 || reg.Boundary.Looks == nil {
		return sequential.Cut{}
	}
	return sequential.CutAt(s, decider, reg.Rule())
}

// flagInterim flags an undecided comparison, and pairs from sessions without common interim analyses.
func flagInterim(c *finding.Comparison, l sequential.Cut, reg trialset.Preregistered) {
	switch {
	case !c.Primary:
	case c.Paired && reg.Sequential > 1:
		c.Flag("looks-of-several-sessions", reg.Sequential)
	case l.None():
		c.Flag("no-look-yet", l.Next)
	case c.Verdict == trialset.Undecided && l.Next > 0:
		c.Flag("not-decided-yet", l.Next)
	case c.Verdict == trialset.Undecided && l.Futile != nil:
		flagFutile(c, *l.Futile)
	}
}

// flagFutile states that the comparison was ended since the pairs left would not have decided it, and what would.
func flagFutile(c *finding.Comparison, f stat.Futile) {
	c.Flags = slices.DeleteFunc(c.Flags, func(n note.Note) bool { return n.Code == "undecided" })
	if f.Sufficient == 0 {
		c.Flag("futile-by-far", f.Left, c.Each().Many(), 100*f.Chance, 100*f.SD)
		return
	}
	planned := c.N + f.Left
	c.Flag("futile", f.Left, c.Each().Many(), 100*f.Chance, f.Sufficient, planned, 100*f.SDFor(planned), 100*f.SD)
}

// flagCorrected states the mean of the pairs, if the estimate that is corrected for the stop reads otherwise.
func flagCorrected(c *finding.Comparison) {
	if c.MeanRatio != nil && figure.Percent(*c.MeanRatio) != figure.Percent(c.Ratio) {
		c.Flag("stop-corrected", figure.Percent(*c.MeanRatio))
	}
}
