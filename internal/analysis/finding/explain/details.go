package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// Detail is a part of a cause that differs most inside of it: a function, a system call with its kind of file, the
// threads, the kind of code, or a statement.
type Detail struct {
	Kind string `json:"kind"` // Detail*
	Name string `json:"name"`
	// of a function: the innermost of its callees that has most of its difference
	Inside string  `json:"inside,omitempty"`
	Caller string  `json:"caller,omitempty"` // of a function: its direct caller, if it has nearly one alone
	A      float64 `json:"a"`                // s per operation, callees included
	B      float64 `json:"b"`
	Diff   float64 `json:"difference"` // b less a, within lo and hi at 95%
	figure.Bounds
	// probability of such a difference between equal sides, or of such a difference in its share of all CPU time if that
	// is smaller, adjusted for both and for all details tested in the category (Bonferroni)
	P       float64  `json:"p"`
	Share   float64  `json:"share"` // of the difference in the category; over 1 if another part is opposite
	ShareLo *float64 `json:"share_lo"`
	ShareHi *float64 `json:"share_hi"`
}

// The kinds of details.
const (
	DetailFunction  = "function"    // with its callees
	DetailFile      = "file"        // the kind of file or socket that system calls work with
	DetailCall      = "system_call" // by name
	DetailThread    = "thread"      // by name, numbers as #
	DetailCode      = "code"        // of a Java runtime: interpreted, compiled, inlined
	DetailStatement = "statement"   // of a database's script
)

// Thresholds of details.
const (
	mostDetails = 3
	// leastDetail is the least share of the category's difference to be named.
	leastDetail = .25
	// leastTested is the least share of the category's cost on either side for a detail to count as tested.
	leastTested = .1
	// ofItsOwn is the least ratio of a thread's share of a difference to its share of all CPU time of the cheaper side:
	// below, the difference is spread like everything else.
	ofItsOwn = 1.25
	// nearlyBest is the share of the best score from which a caller precedes its callee, if it costs the cheaper side no
	// more but for a rounding of the same size and fewSampled samples.
	nearlyBest = .98
	fewSampled = 3
	// nearlyAll is the share of a function's cost from which a caller is its only one.
	nearlyAll = .9
	// mostOfIt is the share of a function's difference that a callee must have to be named as its place.
	mostOfIt = .5
)

// amounts are the costs per operation of one part in each trial of both sides.
type amounts struct{ a, b []float64 }

func newAmounts(s sides) amounts {
	return amounts{make([]float64, len(s.a)), make([]float64, len(s.b))}
}

func (v amounts) means() (a, b float64) { return stat.Mean(v.a), stat.Mean(v.b) }

func (v amounts) diff() float64 {
	a, b := v.means()
	return b - a
}

func (v amounts) largest() float64 { return math.Max(v.means()) }

// add adds a stack's cost to its trial.
func (v amounts) add(st costed) {
	if st.side == 0 {
		v.a[st.trial] += st.cost
		return
	}
	v.b[st.trial] += st.cost
}

// costed is a stack of one category with its cost per operation.
type costed struct {
	record.Stack
	side, trial int
	cost        float64
}

// part is the inside of one category: all its stacks, and the whole of which details are shares.
type part struct {
	s      sides
	waits  bool
	of     CostPart
	stacks []costed
	whole  amounts
	tested int // details that count as tested

	everywhere map[string]float64 // cost per operation of each function in all categories, the sum of both sides' means
}

// details names for each named category and each named wait of the profiles what differs most inside.
func (e *explainer) details(x *Explanation, s sides) {
	if t := x.Throughput; t != nil && (len(x.Causes) > 0 || t.Excludes(1)) {
		t.Details = statementDetails(s)
	}
	if !s.profiled || x.N < estimate.MinReplicates {
		return
	}
	for _, of := range [][]CostPart{x.Categories, x.Waits} {
		for i, c := range of {
			if !c.Named || c.Source == fromServer || !category.Broad(c.Category) {
				continue
			}
			if p, ok := e.inside(s, c.Source == fromProfile, c); ok {
				of[i].Details = p.details(e.threadShares(s))
			}
		}
	}
}

// inside reads the stacks of a category again: profiles are not kept, since most explanations need none.
func (e *explainer) inside(s sides, waits bool, of CostPart) (part, bool) {
	p := part{s: s, waits: waits, of: of, whole: newAmounts(s), everywhere: map[string]float64{}}
	for side, trials := range [][]profiledTrial{s.a, s.b} {
		for i, c := range trials {
			if !e.eachStack(c, waits, func(st record.Stack, name category.Name, cost float64) {
				if name == of.Category {
					k := costed{st, side, i, cost}
					p.stacks = append(p.stacks, k)
					p.whole.add(k)
				}
				for f := range functionsIn(st) {
					p.everywhere[f] += cost / float64(len(trials))
				}
			}) {
				return p, false
			}
		}
	}
	return p, p.whole.diff()*of.Diff > 0
}

// eachStack calls do for each stack of a trial, with its category and its cost per operation; it reports false if the
// profile cannot be read.
func (e *explainer) eachStack(c profiledTrial, waits bool, do func(record.Stack, category.Name, float64)) bool {
	series, categories := record.ProfileCPU, e.sorted.OfCPU
	if waits {
		series, categories = record.ProfileWait, e.sorted.OfWaits
	}
	costs := c.costs(waits)
	p, ok, err := e.read(*c.trial, series)
	if err != nil || !ok || costs == nil || costs.Samples <= 0 {
		return false
	}
	for i, name := range categories(p) {
		do(p.Stacks[i], name, costs.PerOp*float64(p.Stacks[i].N)/float64(costs.Samples))
	}
	return true
}

// threadShares returns the share of each pool of threads in all CPU time of the side that uses less.
func (e *explainer) threadShares(s sides) map[string]float64 {
	cheaper := s.a
	if a, _ := totals(s.a); len(a) > 0 {
		if b, _ := totals(s.b); len(b) > 0 && stat.Mean(b) < stat.Mean(a) {
			cheaper = s.b
		}
	}
	out, all := map[string]float64{}, 0.0
	for _, c := range cheaper {
		e.eachStack(c, false, func(st record.Stack, _ category.Name, cost float64) {
			out[category.PoolOf(st.Thread)] += cost
			all += cost
		})
	}
	for name := range out {
		out[name] /= all
	}
	return out
}

// details returns the significant parts of a category's difference, by kind, largest first.
func (p *part) details(threads map[string]float64) []Detail {
	objects := category.NewObjects()
	byKind := []struct {
		kind string
		of   func(record.Stack) string
	}{
		{DetailFile, objects.Of}, {DetailCall, category.SystemCallOf},
		{DetailThread, func(st record.Stack) string { return category.PoolOf(st.Thread) }}, {DetailCode, category.RuntimeOf},
	}
	sums := make([]map[string]amounts, len(byKind))
	for i, k := range byKind {
		sums[i] = p.sums(k.of)
		p.tested += p.count(sums[i])
	}
	functions := p.functions()
	var out []Detail
	for _, f := range functions {
		out = p.keep(out, Detail{Kind: DetailFunction, Name: f.name, Inside: f.inside, Caller: f.caller}, f.amounts)
	}
	for i, k := range byKind {
		of := len(out)
		for name, v := range sums[i] {
			if k.kind == DetailThread && !(v.diff()/p.whole.diff() >= ofItsOwn*threads[name]) {
				continue
			}
			out = p.keep(out, Detail{Kind: k.kind, Name: name}, v)
		}
		sortDetails(out[of:])
	}
	return out
}

// sums adds up the costs of a category's stacks by a property; those without it are left out.
func (p *part) sums(of func(record.Stack) string) map[string]amounts {
	out := map[string]amounts{}
	for _, st := range p.stacks {
		name := of(st.Stack)
		if name == "" {
			continue
		}
		if _, ok := out[name]; !ok {
			out[name] = newAmounts(p.s)
		}
		out[name].add(st)
	}
	return out
}

// count returns the number of parts that are large enough on either side to count as tested.
func (p *part) count(of map[string]amounts) int {
	n := 0
	for _, v := range of {
		if v.largest() >= leastTested*p.whole.largest() {
			n++
		}
	}
	return n
}

// keep appends a detail if its difference is large and significant.
func (p *part) keep(out []Detail, d Detail, v amounts) []Detail {
	whole := p.whole.diff()
	if v.diff()/whole < leastDetail {
		return out
	}
	test := stat.DifferenceOf(v.a, v.b, p.s.paired, p.floor(v))
	least, _ := twice(test.P(), p.shareP(v))
	if d.P = math.Min(1, least*float64(max(p.tested, 1))); d.P > explainAlpha {
		return out
	}
	d.Diff, d.Share = test.Mean, v.diff()/whole
	d.A, d.B = v.means()
	d.Bounds = estimate.BoundsOf(test.Interval(explainAlpha))
	of := estimate.BoundsOf(stat.PartOf(v.a, p.whole.a, v.b, p.whole.b, p.s.paired, explainAlpha).Interval)
	d.ShareLo, d.ShareHi = of.Lo, of.Hi
	return append(out, d)
}

// shareP returns the probability that a part's share of all CPU time differs as much between equal sides: what disturbs
// a whole trial multiplies all of its costs, and leaves shares alone. It is 1 if the shares differ the other way, and
// for waits, which have no whole.
func (p *part) shareP(v amounts) float64 {
	if p.waits {
		return 1
	}
	shares := newAmounts(p.s)
	p.each(v, func(side, trial int, of *category.Costs, cost float64) {
		shares.add(costed{side: side, trial: trial, cost: cost / of.PerOp})
	})
	d := stat.DifferenceOf(shares.a, shares.b, p.s.paired, math.Max(p.sampling(v, false), stat.SDFloor))
	if d.Mean*p.of.Diff <= 0 {
		return 1
	}
	return d.P()
}

// floor returns the standard deviation of a part's difference due to sampling alone, and never less than a share of the
// category's cost.
func (p *part) floor(v amounts) float64 {
	return math.Max(p.sampling(v, true), stat.SDFloor*p.whole.largest())
}

// sampling returns the standard deviation due to sampling alone of a part's difference in seconds, or in shares of its
// trials.
func (p *part) sampling(v amounts, seconds bool) float64 {
	squares := 0.0
	p.each(v, func(side, _ int, of *category.Costs, cost float64) {
		unit := 1.0
		if seconds {
			unit = of.PerOp
		}
		// A part of no samples may have missed one.
		share := math.Max(cost/of.PerOp, 1/float64(of.Samples))
		squares += unit * unit * share * (1 - math.Min(share, 1)) / float64(of.Samples) /
			float64(len([][]float64{v.a, v.b}[side]))
	})
	return math.Sqrt(squares)
}

// each calls do for a part's cost in each trial.
func (p *part) each(v amounts, do func(side, trial int, of *category.Costs, cost float64)) {
	for i, cost := range v.a {
		do(0, i, p.s.a[i].costs(p.waits), cost)
	}
	for i, cost := range v.b {
		do(1, i, p.s.b[i].costs(p.waits), cost)
	}
}

// sortDetails puts the largest share first.
func sortDetails(of []Detail) {
	slices.SortFunc(of, func(a, b Detail) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name))
	})
}

// leastSaid is the share of the gap from which the inside of a category is put into words.
const leastSaid = .1

// detailTexts returns a sentence for each statement that differs, and for each cause whose inside is known.
func (x *Explanation) detailTexts() []string {
	out := x.scriptTexts()
	for _, c := range x.named() {
		if len(c.Details) > 0 && (c.Share == nil || math.Abs(*c.Share) >= leastSaid) {
			out = append(out, fmt.Sprintf("%s: %s", insideOf(c), strings.Join(insideTexts(c.Details), "; ")))
		}
	}
	return out
}

// scriptTexts returns a sentence for each statement and for each table's scans that differ.
func (x *Explanation) scriptTexts() []string {
	var out []string
	if x.Throughput != nil {
		for _, d := range x.Throughput.Details {
			out = append(out, x.statementText(d))
		}
	}
	for _, s := range x.Scans {
		out = append(out,
			fmt.Sprintf("a transaction reads about %s rows of the table %s by sequential scan on %s, and %s on "+
				"%s", rows(s.A), s.Table, x.labelA, rows(s.B), x.labelB))
	}
	return out
}

// rows is a number of rows as a text.
func rows(n float64) string { return figure.Exact(figure.RoundTo(n, 2)) }

func insideOf(c CostPart) string {
	if c.Source == fromProfile {
		return "waits for " + waitText(c.Category)
	}
	return string(c.Category)
}

// insideTexts returns the clauses of one category, kind by kind.
func insideTexts(of []Detail) []string {
	var out []string
	for _, kind := range []struct{ kind, lead, join string }{
		{DetailFunction, "under ", ", "}, {DetailFile, "in system calls on ", ", "},
		{DetailCall, "in the system call ", ", "},
		{DetailThread, "in threads named ", ", "}, {DetailCode, "in code that is ", ", "},
	} {
		var parts []string
		for _, d := range of {
			if d.Kind == kind.kind {
				share := d.shareText()
				if len(out)+len(parts) == 0 {
					share = d.shareOf("the difference") + " is"
				}
				parts = append(parts, share+" "+kind.lead+d.placeText())
			}
		}
		if len(parts) > 0 {
			out = append(out, strings.Join(parts, kind.join))
		}
	}
	return out
}

func (d Detail) placeText() string {
	var notes []string
	if d.Caller != "" {
		notes = append(notes, "called by "+d.Caller)
	}
	if d.Inside != "" {
		notes = append(notes, "mostly in "+d.Inside)
	}
	if len(notes) > 0 {
		return d.Name + " (" + strings.Join(notes, ", ") + ")"
	}
	return d.Name
}

// shareText is a share of a difference that is named before.
func (d Detail) shareText() string {
	return strings.TrimSuffix(strings.TrimSuffix(d.shareOf("it"), " of it"), " it")
}

// shareOf is a share of a difference with its interval. See ofWhole.
func (d Detail) shareOf(whole string) string {
	if d.ShareLo == nil || d.ShareHi == nil {
		return "by estimate " + ofWhole(d.Share, whole)
	}
	lo, hi := math.Max(*d.ShareLo, 0), *d.ShareHi
	switch {
	case math.Round(100*lo) == math.Round(100*hi):
		return ofWhole(d.Share, whole)
	case hi >= overWhole:
		return fmt.Sprintf("%.2f to %.2f times %s", lo, hi, whole)
	}
	return fmt.Sprintf("%.0f to %.0f%% of %s", 100*lo, 100*hi, whole)
}

func (x *Explanation) statementText(d Detail) string {
	more, other, diff := x.labelB, x.labelA, d.Diff
	if diff < 0 {
		more, other, diff = x.labelA, x.labelB, -diff
	}
	took := roughly(diff)
	if d.Bounded() {
		took = between(math.Min(math.Abs(*d.Lo), math.Abs(*d.Hi)), math.Max(math.Abs(*d.Lo), math.Abs(*d.Hi)))
	}
	return fmt.Sprintf("statement %s takes %s more on %s than on %s, %s", d.Name, took, more, other,
		ofWhole(d.Share, "what its statements take more"))
}
