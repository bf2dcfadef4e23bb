package factorial

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
	"plimsoll/internal/usage"
)

// Attribution says where the ratio of a metric between the two corners of a factorial is from, that with all factors at their second
// level over that with all at their first: the document of `attribution` in `show --json`. Ratios are of the second level over the first.
type Attribution struct {
	Machine  string        `json:"-"`
	Metric   string        `json:"-"`
	Better   record.Better `json:"-"`
	Design   string        `json:"design"`             // "full factorial" or "half fraction"
	Relation string        `json:"relation,omitempty"` // of a half fraction: its defining relation, with the factors A to D in their order
	Factors  []TwoLevels   `json:"factors"`
	Blocks   int           `json:"blocks"`          // replicates that have all combinations, which the figures rest on
	LeftOut  int           `json:"blocks_left_out"` // replicates that lack some
	Total    *Share        `json:"total"`           // nil where nothing can be said, as Doubts say
	Shares   []Share       `json:"shares"`          // Shapley's, one a factor: their ratios multiply to Total's
	Mains    []Share       `json:"mains"`           // one a factor: on average over all combinations of the others
	Alone    []Share       `json:"alone"`           // one a factor: the others at their first level; none of a half fraction

	Interactions []Share     `json:"interactions"` // what two or more do together beyond what they do apart
	SD           float64     `json:"sd"`           // of the logarithm of one trial, what blocks share taken out
	DF           float64     `json:"df"`
	Alpha        float64     `json:"alpha"` // error rate of the intervals, two-sided
	Doubts       []note.Note `json:"-"`

	place trialset.Key // of the cell that it stands with
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
	Lo      float64  `json:"lo"`
	Hi      float64  `json:"hi"`
	OfTotal *float64 `json:"of_total,omitempty"` // of ln of the total; of shares only, where the total's interval excludes 1 and none goes against it
}

// Excludes says whether the interval excludes 1: the data tell it from nothing.
func (s Share) Excludes() bool { return s.Lo > 1 || s.Hi < 1 }

// Attributions explains the metric ("": the primary one of each cell) of every factorial among trials, machine by machine: each group of
// cells in which one to four factors of two levels vary together. Void trials may be among them. It is what `show` prints of two factors and
// more; of one factor the share is its effect.
func Attributions(trials []record.Trial, plans []record.PlanLine, metric string) []Attribution {
	byHash := trialset.PlansByHash(plans)
	trials = loadline.Condensed(trialset.PrimaryFirst(trialset.InPlanOrder(trialset.Counting(trials)), byHash), byHash)
	var out []Attribution
	for _, l := range Layouts(trials, byHash, metric) {
		out = append(out, l.attribution())
	}
	return out
}

// attribution explains one layout.
func (l *Layout) attribution() Attribution {
	a := l.Blank()
	f, ok := l.Factorial(&a)
	if !ok {
		return a
	}
	got, err := f.Attribute()
	if err != nil {
		a.doubt("not-attributable", usage.FirstLine(err))
		return a
	}
	a.fill(got, l.Design)
	return a
}

// Blank is an attribution without figures.
func (l *Layout) Blank() Attribution {
	a := Attribution{Machine: l.Machine, Metric: l.Metric.Name, Better: l.Metric.Better, Design: l.Design.Name(), Alpha: l.Alpha, place: l.Place,
		Shares: []Share{}, Mains: []Share{}, Alone: []Share{}, Interactions: []Share{}, Doubts: []note.Note{}}
	if l.Design.Half {
		a.Relation = HalfRelation
	}
	for _, f := range l.Design.Factors {
		a.Factors = append(a.Factors, TwoLevels{f.Name, f.Levels[0], f.Levels[1]})
	}
	a.Doubts = append(a.Doubts, l.doubts...)
	return a
}

func (a *Attribution) doubt(code note.Code, args ...any) {
	a.Doubts = append(a.Doubts, note.New(code, args...))
}

// Factorial is what is known of all combinations: the complete blocks. Where there are too few of these, it is all trials, if every
// combination has some; else nothing can be said of shares, and it says which combinations lack.
func (l *Layout) Factorial(a *Attribution) (stat.Factorial, bool) {
	f := stat.Factorial{Half: l.Design.Half, Blocked: true, SDFloor: stat.SDFloor, Alpha: l.Alpha}
	complete := l.Complete()
	a.Blocks, a.LeftOut = len(complete), len(l.order)-len(complete)
	if len(complete) >= MinBlocks {
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
			lacking = append(lacking, l.Design.named(at))
		}
		most = max(most, len(values))
	}
	switch {
	case len(lacking) > 0:
		a.doubt("no-shares-lacking", trialset.FirstFew(lacking))
		return f, false
	case most < MinBlocks:
		a.doubt("no-shares-one-block", MinBlocks)
		return f, false
	}
	a.doubt("blocks-incomplete")
	return f, true
}

// AttributedCPU is the metric beside the primary one that attributions are formed of: CPU time of the work for an operation.
const AttributedCPU = record.CPUPerOp

// MinBlocks is how many blocks give the pooled scatter of a factorial a degree of freedom at least: of four combinations three.
const MinBlocks = 2

// fill takes an attribution off the log scale.
func (a *Attribution) fill(got stat.Attribution, d Design) {
	a.SD, a.DF = got.SD, got.DF
	total := d.Share(got.Total)
	total.Alias = nil
	a.Total = &total
	a.Shares, a.Mains, a.Alone = d.Shares(got.Shares), d.Shares(got.Mains), d.Shares(got.Alone)
	a.Interactions = d.Shares(got.Interactions)
	PartsOf(total, a.Shares)
}

// PartsOf says what part of a total each share is, where the data tell the total from nothing and no share from what does not go against it: of
// shares that do, parts add up to 100 % too, and mean nothing.
func PartsOf(total Share, shares []Share) {
	whole := math.Log(total.Ratio)
	against := func(s Share) bool { return s.Excludes() && math.Log(s.Ratio)*whole < 0 }
	if !total.Excludes() || slices.ContainsFunc(shares, against) {
		return
	}
	for i := range shares {
		of := math.Log(shares[i].Ratio) / whole
		shares[i].OfTotal = &of
	}
}

// Shares returns contrasts as ratios with the factors that have a part in each.
func (d Design) Shares(contrasts []stat.Contrast) []Share {
	out := []Share{}
	for _, c := range contrasts {
		out = append(out, d.Share(c))
	}
	return out
}

// Share returns a contrast as a ratio with the factors that have a part in it.
func (d Design) Share(c stat.Contrast) Share {
	s := Share{Ratio: math.Exp(c.Mean), Lo: math.Exp(c.Interval.Lo), Hi: math.Exp(c.Interval.Hi)}
	for _, i := range c.Factors {
		s.Factors = append(s.Factors, d.Factors[i].Name)
	}
	for _, i := range c.Alias {
		s.Alias = append(s.Alias, d.Factors[i].Name)
	}
	return s
}

// Attributed are the attributions of two factors or more of the primary metrics and of CPU time per operation, by the cell that they stand with.
func Attributed(trials []record.Trial, plans map[string]record.Plan) map[EffectKey]*Attribution {
	out := map[EffectKey]*Attribution{}
	for _, metric := range []string{"", AttributedCPU} {
		for _, l := range Layouts(trials, plans, metric) {
			if len(l.Design.Factors) > 1 {
				a := l.attribution()
				out[EffectKey{a.place, a.Metric}] = &a
			}
		}
	}
	return out
}

// Unattributed says of which groups that vary several factors there are no shares, and why.
func Unattributed(plans []record.PlanLine) []note.Note {
	var out []note.Note
	for _, p := range plans {
		for _, cells := range CellsByHost(p.Plan) {
			d, why := DesignOf(p.Plan, cells)
			if len(d.Factors) < 2 || why.IsZero() {
				continue
			}
			var names []string
			for _, f := range d.Factors {
				names = append(names, f.Name)
			}
			out = note.With(out, note.New("no-shares", strings.Join(names, ", "), why))
		}
	}
	return out
}

// EffectKey is one metric of the cell at a factor's first level.
type EffectKey struct {
	Place  trialset.Key
	Metric string
}
