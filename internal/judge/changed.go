package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/trialset"
)

// registration states what was fixed before the first trial, and in its notes where what is used now is not that.
func (j judgement) registration(p finding.Pair, plans []record.PlanLine) []finding.Finding {
	r := sequential.RegisteredIn(plans)
	found := KindRegistered.New(r)
	for i := range found {
		found[i].Notes = j.changed(p, *r, plans)
	}
	return found
}

// Changed returns where what is used now is not what was registered.
func Changed(p finding.Pair) []note.Note {
	for _, f := range p.Found {
		if f.Kind == string(KindRegistered) {
			return f.Notes
		}
	}
	return nil
}

func (j judgement) changed(p finding.Pair, r sequential.Registered, plans []record.PlanLine) []note.Note {
	out := []note.Note{}
	add := func(n note.Note) {
		if !n.IsZero() {
			out = note.With(out, n)
		}
	}
	add(several("registered-margins", r.Margins))
	add(several("registered-error-rates", r.Alphas))
	add(j.changedClaim(r.Claims))
	for _, c := range p.Verdicts {
		if c.Primary && c.Per == finding.PerMachine {
			add(changedPrimary(c, r.Primary[c.Workload]))
		}
	}
	add(changedPrice(p.A, p.BasisA, plans))
	add(changedPrice(p.B, p.BasisB, plans))
	add(j.altered(plans))
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

func percentText(fraction float64) string { return fmt.Sprintf("%.4g %%", 100*fraction) }

// changedClaim holds a claim about a type to what was compared: machines say nothing of their
// types, and of machines that were to be compared nobody said beforehand that they stand for them.
func (j judgement) changedClaim(claims []string) note.Note {
	switch ofType := slices.Contains(claims, trialset.ClaimType); {
	case ofType && j.axis.By != trialset.ByType:
		return note.New("registered-for-type")
	case !ofType && len(claims) > 0 && j.axis.By == trialset.ByType:
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

// changedPrice compares the price used with those that the plans give the machine or, where they
// name it by that, its type.
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
	if len(registered) == 0 || len(registered) == 1 && registered[0] == used.PricePerHour {
		return note.Note{}
	}
	texts := make([]string, len(registered))
	for i, price := range registered {
		texts[i] = strconv.FormatFloat(price, 'f', -1, 64)
	}
	now := "none"
	if used.PricePerHour > 0 {
		now = strconv.FormatFloat(used.PricePerHour, 'f', -1, 64)
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

// altered says which plans are not what they were when they were hashed.
func (j judgement) altered(plans []record.PlanLine) note.Note {
	var out []string
	for _, p := range plans {
		if j.HashOf != nil && j.HashOf(p.Plan) != p.Hash {
			out = append(out, p.Hash)
		}
	}
	if len(out) == 0 {
		return note.Note{}
	}
	return note.New("plan-altered", trialset.FirstFew(out))
}
