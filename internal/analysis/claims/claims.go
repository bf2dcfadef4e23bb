// Package claims recomputes the derived figures of articles. A claim is a figure stated by an article, with the formula
// that derives it from facts; the result shows whether the claim holds. docs/claims.md is the manual of the two tables
// and of the verdicts.
//
// The package is pure: it gets the text of files and reads none.
package claims

import (
	"errors"
	"path"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/catalog"
)

// Claim is one claim of an article and its recomputed value. Figures are in Unit.
type Claim struct {
	ID       string   `json:"id"`
	Source   string   `json:"source"` // the article
	Words    string   `json:"claim"`
	Stated   *Stated  `json:"stated"`          // nil if the article states no figure
	Bound    string   `json:"bound,omitempty"` // ">", ">=", "<" or "<=" Stated, or "between" that and StatedTo
	StatedTo *Stated  `json:"stated_to,omitempty"`
	Unit     string   `json:"unit"`
	Computed float64  `json:"computed"`
	DiffPct  *float64 `json:"diff_pct"` // % of the stated figure; nil without one
	Verdict  Verdict  `json:"verdict"`
	Why      string   `json:"why,omitempty"` // how it is wrong
	Note     string   `json:"note"`
	Formula  string   `json:"formula"`
}

// Summary counts claims by verdict.
type Summary struct {
	Claims  int `json:"claims"`
	Holds   int `json:"holds"`
	Exact   int `json:"exact"`
	Rounded int `json:"rounded"`
	Loose   int `json:"loose"`
	Wrong   int `json:"wrong"`
	Info    int `json:"info"`
}

// Report is the result for all claims.
type Report struct {
	Claims  []Claim  `json:"claims"`
	Summary Summary  `json:"summary"`
	Skipped []string `json:"-"` // files with neither facts nor claims
}

func claimColumns() []string { return []string{"id", "source", "claim", "stated", "unit", "formula"} }

// Check computes the claims of tables from their facts and measurements, and if one is missing from those of builtIn,
// whose claims are not computed, and from the catalogue. If the tables contain errors, it returns a usage.Error that
// lists them, and no report.
func Check(files, builtIn []File, c *catalog.Catalog) (Report, error) {
	var p problems
	report := Report{Claims: []Claim{}}
	known, _, _ := tablesOf(builtIn, &p)
	all, ofClaims, skipped := tablesOf(files, &p)
	all.builtIn, all.catalog, report.Skipped = &known, c, skipped
	seen := map[string]place{}
	for _, t := range ofClaims {
		report.Claims = append(report.Claims, all.check(t, seen, &p)...)
	}
	report.Summary = summed(report.Claims)
	return report, p.err()
}

// tablesOf reads the facts and measurements of files, and returns the tables of claims, and the files that are neither.
func tablesOf(files []File, p *problems) (known facts, ofClaims []table, skipped []string) {
	known.byID = map[string]fact{}
	for _, f := range files {
		t, ok := openTable(f, p)
		if !ok {
			continue
		}
		switch kindOf(t) {
		case kindFacts:
			known.read(t, p)
		case kindClaims:
			ofClaims = append(ofClaims, t)
		case kindData:
			t.each(dataColumns()[:3], p, func(r row) { known.data = append(known.data, r) })
		default:
			skipped = append(skipped, t.file)
		}
	}
	known.data.void()
	return known, ofClaims, skipped
}

// kind is the kind of a table.
type kind int

const (
	kindOther kind = iota
	kindFacts
	kindClaims
	kindData
)

// kindOf returns the kind by the columns or, for incomplete tables, by the file's name.
func kindOf(t table) kind {
	named := strings.TrimSuffix(path.Base(t.file), ".csv")
	has := func(column string) bool { return slices.Contains(t.columns, column) }
	switch {
	case strings.HasSuffix(named, "claims"), has("id") && (has("formula") || has("stated")):
		return kindClaims
	case strings.HasSuffix(named, "facts"), has("id") && has("value"):
		return kindFacts
	case !slices.ContainsFunc(dataColumns(), func(c string) bool { return !has(c) }):
		return kindData
	}
	return kindOther
}

func (f facts) check(t table, seen map[string]place, p *problems) []Claim {
	if !t.need("claims", claimColumns(), p) {
		return nil
	}
	var out []Claim
	t.each(slices.DeleteFunc(claimColumns(), func(c string) bool { return c == "stated" }), p, func(r row) {
		if len(*p) > most {
			return // enough to fix; each further one would be compared with all facts
		}
		id := r.cells["id"]
		if first, twice := seen[id]; twice {
			p.add(r.place, "ids must be unique over all files", "claim %s is defined already, in %s", shortened(id), first)
			return
		}
		seen[id] = r.place
		if c, ok := f.claim(r, p); ok {
			out = append(out, c)
		}
	})
	return out
}

func (f facts) claim(r row, p *problems) (Claim, bool) {
	c := Claim{
		ID: r.cells["id"], Source: r.cells["source"], Words: r.cells["claim"], Unit: r.cells["unit"],
		Note: r.cells["note"], Formula: r.cells["formula"],
	}
	if text := r.cells["stated"]; text != "" {
		s, err := parseStated(text)
		if err != nil {
			p.add(r.place, "a stated figure is a number such as 57, 1.70 or 3e-10, or a bound such as >= 2 or between 15 20, "+
				"with its unit in a separate column; leave it empty if none is stated",
				"stated: %v", err)
			return c, false
		}
		c.Stated, c.Bound, c.StatedTo = &s, s.Bound, s.Most
	}
	var err error
	if c.Computed, err = evaluate(c.Formula, f.value); err != nil {
		var fault formulaError
		errors.As(err, &fault)
		p.add(r.place, fault.hint, "claim %s: %v", shortened(c.ID), err)
		return c, false
	}
	if c.Computed, err = converted(c.Computed, f.unitOf(c.Formula), c.Unit); err != nil {
		text, hint := usage.Parts(err)
		p.add(r.place, hint, "claim %s: %s %s", shortened(c.ID), shortened(c.Formula), text)
		return c, false
	}
	c.Verdict, c.Why = judge(c.Stated, c.Computed, c.Unit, c.Formula)
	c.DiffPct = c.Stated.difference(c.Computed)
	return c, true
}

func summed(all []Claim) Summary {
	s := Summary{Claims: len(all)}
	for _, c := range all {
		switch c.Verdict {
		case Holds:
			s.Holds++
		case Exact:
			s.Exact++
		case Rounded:
			s.Rounded++
		case Loose:
			s.Loose++
		case Wrong:
			s.Wrong++
		case Info:
			s.Info++
		}
	}
	return s
}
