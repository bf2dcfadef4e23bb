package factorial

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Attribution is the part of each factor in the ratio of a metric between the two corners of a factorial: all factors
// at their second level over all at their first. Ratios are of the second level over the first.
type Attribution struct {
	Design string `json:"design"` // "full factorial" or "half fraction"
	// of a half fraction: its defining relation, with the factors A to D in their order
	Relation string      `json:"relation,omitempty"`
	Factors  []TwoLevels `json:"factors"`
	Blocks   int         `json:"blocks"`          // replicates that have all combinations, which the figures rest on
	LeftOut  int         `json:"blocks_left_out"` // replicates that lack some
	Total    *Share      `json:"total"`           // nil if nothing can be said, as Doubts state
	Shares   []Share     `json:"shares"`          // Shapley's, one a factor: their ratios multiply to Total's
	Mains    []Share     `json:"mains"`           // one a factor: on average over all combinations of the others
	Alone    []Share     `json:"alone"`           // one a factor: the others at their first level; none of a half fraction

	Interactions []Share     `json:"interactions"` // of two or more together, beyond their parts
	SD           float64     `json:"sd"`           // of the logarithm of one run, without the scatter that blocks share
	DF           float64     `json:"df"`
	Alpha        float64     `json:"alpha"` // error rate of the intervals, two-sided
	Doubts       []note.Note `json:"-"`
}

// Caveats returns the notes of the finding.
func (a Attribution) Caveats() []note.Note { return a.Doubts }

// TwoLevels is a factor of a factorial.
type TwoLevels struct {
	Factor string `json:"factor"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Share is a ratio with its interval that factors have a part in.
type Share struct {
	Factors []string `json:"factors"`
	Alias   []string `json:"alias,omitempty"` // factors whose interaction stands in it too, and cannot be told from theirs
	Ratio   float64  `json:"ratio"`
	figure.Bounds
	// of ln of the total; of shares only, if the total's interval excludes 1 and none goes against it
	OfTotal *float64 `json:"of_total,omitempty"`
}

// attribution returns the shares of one layout.
func (l *layout) attribution() Attribution {
	a := l.blank()
	f, ok := l.factorial(&a)
	if !ok {
		return a
	}
	got, err := f.Attribute()
	if err != nil {
		a.doubt("not-attributable", usage.FirstLine(err))
		return a
	}
	a.fill(got, l.design)
	return a
}

// blank returns an attribution without figures.
func (l *layout) blank() Attribution {
	a := Attribution{Design: l.design.name(), Alpha: l.alpha,
		Shares: []Share{}, Mains: []Share{}, Alone: []Share{}, Interactions: []Share{}, Doubts: []note.Note{}}
	if l.design.half {
		a.Relation = record.HalfRelation
	}
	for _, f := range l.design.factors {
		a.Factors = append(a.Factors, TwoLevels{f.Name, f.Levels[0], f.Levels[1]})
	}
	a.Doubts = append(a.Doubts, l.doubts...)
	return a
}

func (a *Attribution) doubt(code note.Code, args ...any) {
	a.Doubts = append(a.Doubts, note.New(code, args...))
}

// factorial returns the values of all combinations in the complete blocks. If there are too few of these, it is all
// trials, if every combination has some; else there are no shares, and a doubt names the combinations that lack them.
func (l *layout) factorial(a *Attribution) (stat.Factorial, bool) {
	f := stat.Factorial{Half: l.design.half, Blocked: true, SDFloor: stat.SDFloor, Alpha: l.alpha}
	complete := l.complete()
	a.Blocks, a.LeftOut = len(complete), len(l.order)-len(complete)
	if len(complete) >= minBlocks {
		if a.LeftOut > 0 {
			a.doubt("blocks-left-out", a.LeftOut, len(l.order))
		}
		f.Cells = l.column(complete)
		return f, true
	}
	f.Cells, f.Blocked = l.column(l.order), false
	var lacking []string
	most := 0
	for at, values := range f.Cells {
		if len(values) == 0 {
			lacking = append(lacking, l.design.named(at))
		}
		most = max(most, len(values))
	}
	switch {
	case len(lacking) > 0:
		a.doubt("no-shares-lacking", trialset.FirstFew(lacking))
		return f, false
	case most < minBlocks:
		a.doubt("no-shares-one-block", minBlocks)
		return f, false
	}
	a.doubt("blocks-incomplete")
	return f, true
}

// AttributedCPU is the metric beside the primary one that attributions are formed of: CPU time of the work for an
// operation.
const AttributedCPU = record.CPUPerOp

// minBlocks is how many blocks give the pooled scatter of a factorial a degree of freedom at least: of four
// combinations three.
const minBlocks = 2

// fill takes an attribution off the log scale.
func (a *Attribution) fill(got stat.Attribution, d design) {
	a.SD, a.DF = got.SD, got.DF
	total := d.share(got.Total)
	total.Alias = nil
	a.Total = &total
	a.Shares, a.Mains, a.Alone = d.shares(got.Shares), d.shares(got.Mains), d.shares(got.Alone)
	a.Interactions = d.shares(got.Interactions)
	partsOf(total, a.Shares)
}

// partsOf sets the part of a total that each share is, if the data tell the total from nothing and no share goes
// against it: else parts add up to 100% too, and mean nothing.
func partsOf(total Share, shares []Share) {
	whole := math.Log(total.Ratio)
	against := func(s Share) bool { return s.Excludes(1) && math.Log(s.Ratio)*whole < 0 }
	if !total.Excludes(1) || slices.ContainsFunc(shares, against) {
		return
	}
	for i := range shares {
		of := math.Log(shares[i].Ratio) / whole
		shares[i].OfTotal = &of
	}
}

// shares returns contrasts as ratios with the factors that have a part in each.
func (d design) shares(contrasts []stat.Contrast) []Share {
	out := []Share{}
	for _, c := range contrasts {
		out = append(out, d.share(c))
	}
	return out
}

// share returns a contrast as a ratio with the factors that have a part in it.
func (d design) share(c stat.Contrast) Share {
	s := Share{Ratio: math.Exp(c.Mean), Bounds: estimate.BoundsOf(c.Interval.Exp())}
	for _, i := range c.Factors {
		s.Factors = append(s.Factors, d.factors[i].Name)
	}
	for _, i := range c.Alias {
		s.Alias = append(s.Alias, d.factors[i].Name)
	}
	return s
}

// Unattributed returns notes about the groups of cells that vary several factors and have no shares, with the reason.
func Unattributed(plans []record.PlanLine) []note.Note {
	var out []note.Note
	for _, p := range plans {
		for _, cells := range cellsByHost(p.Plan) {
			d, why := designOf(p.Plan, cells)
			if len(d.factors) < 2 || why.IsZero() {
				continue
			}
			var names []string
			for _, f := range d.factors {
				names = append(names, f.Name)
			}
			out = note.With(out, note.New("no-shares", strings.Join(names, ", "), why))
		}
	}
	return out
}

// Gap is the ratio of two machines at one combination of levels.
type Gap struct {
	Levels []string `json:"levels"` // of the factors, in their order
	Ratio  float64  `json:"ratio"`
	figure.Bounds
}

// gap returns the ratio of the machines at one combination; nil if a side has too few values for an interval.
func (d design) gap(at int, c stat.Contrast) *Gap {
	g := Gap{Levels: d.levels(at), Ratio: math.Exp(c.Mean), Bounds: estimate.BoundsOf(c.Interval.Exp())}
	if !g.Bounded() {
		return nil
	}
	return &g
}
