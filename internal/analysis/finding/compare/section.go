package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// View returns two sides as a document presents them. An equivalence margin of 0 is not drawn.
func View(id string, p finding.Pair, margin float64) *finding.PairView {
	p.A, p.B = axis.Names(p.By, p.A, p.B)
	return &finding.PairView{Pair: p, ID: id, LabelA: axis.Label(p.By, p.A), LabelB: axis.Label(p.By, p.B), Margin: margin}
}

// Section returns the document of two sides: verdicts, plots, the sections of findings, tables, then notes. Sentences
// that a finding returns in a section of class block.Verdicts stand among the verdicts.
func Section(v *finding.PairView, all []finding.Analyzer) block.Section {
	p, a, b := v.Pair, v.LabelA, v.LabelB
	out := block.Section{Title: fmt.Sprintf("%s against %s (baseline)", b, a), Level: block.PartLevel, Class: block.Pair}
	if p.Machine != "" {
		out.Title += " on " + p.Machine
	}
	for _, text := range figure.NonEmpty(claimText(p.Verdicts), registeredText(KindRegistered.Of(p))) {
		out.Blocks = append(out.Blocks, block.Sentence{Text: text, Detail: true})
	}
	said, sections, told := says(v, all)
	var tables, notes []block.Block
	for _, group := range finding.GroupBy(distinctComparisons(p),
		func(c finding.Comparison) string { return c.Workload }) {
		split := finding.SplitOf(comparedParams(group))
		said = append(said, block.Details(finding.Blocks(verdictSentences(group, split, a, b)))...)
		same := list.Filter(group, isConstant)
		group = slices.DeleteFunc(group, isConstant)
		notes = append(notes, slices.Concat(finding.Blocks(flagNotes(group, split)),
			finding.Blocks(constantNotes(same, split)))...)
		for _, sub := range finding.Subdivided(group, func(c finding.Comparison) map[string]string { return c.Shown() }) {
			tables = append(tables, comparisonSection(p, sub))
		}
	}
	add := func(s block.Section) {
		if len(s.Blocks) > 0 {
			out.Blocks = append(out.Blocks, s)
		}
	}
	add(block.Section{Class: block.Verdicts, Blocks: said})
	plots := slices.Concat(forestPlot(v.ID+"-forest", p, v.Margin), valuePlot(v.ID+"-value", p),
		block.Of[block.Plot](told))
	add(block.Section{Blocks: append(finding.Blocks(plots), finding.Blocks(block.Of[block.Chart](told))...)})
	for _, s := range sections {
		add(s)
	}
	out.Blocks = append(out.Blocks, tables...)
	last := slices.Concat(block.Of[block.Sentence](notes),
		block.Of[block.Sentence](block.Details(finding.Blocks(basisNotes(p)))), block.Of[block.Sentence](told),
		finding.Warnings(note.Texts(p.Warnings)))
	add(block.Section{Blocks: finding.Blocks(block.Unique(last))})
	return out
}

// says returns the blocks of all findings about two sides: those of the verdicts, sections, and others.
func says(v *finding.PairView, all []finding.Analyzer) (said []block.Block, sections []block.Section,
	rest []block.Block) {
	for _, a := range all {
		if a.Says == nil {
			continue
		}
		for _, b := range a.Worded(a.Says(v)) {
			switch s, ok := b.(block.Section); {
			case !ok:
				rest = append(rest, b)
			case s.Class == block.Verdicts:
				said = append(said, a.Worded(s.Blocks)...)
			default:
				sections = append(sections, s)
			}
		}
	}
	return said, sections, rest
}

// comparisonSection returns the table of comparisons of one workload.
func comparisonSection(p finding.Pair, cs []finding.Comparison) block.Section {
	split := finding.SplitOf(comparedParams(cs))
	out := block.Section{Title: cs[0].Workload,
		Fixed: figure.Joined(split.Fixed, finding.FixedTraits(finding.ComparedTraits(cs)), countText(cs)),
		Level: block.ResultLevel}
	out.Blocks = append([]block.Block{comparisonTable(cs, split, p.A, p.B)},
		block.Details(finding.Blocks(kindNotes(cs, split)))...)
	return out
}

func comparedParams(cs []finding.Comparison) []map[string]string {
	out := make([]map[string]string, len(cs))
	for i, c := range cs {
		out[i] = c.Shown()
	}
	return out
}

// claimText states the scope of the verdicts: these machines, or their types.
func claimText(cs []finding.Comparison) string {
	ofType := func(c finding.Comparison) bool { return c.Claim == "type" }
	switch {
	case len(cs) == 0:
		return ""
	case !slices.ContainsFunc(cs, ofType):
		return "for these machines, not for their types"
	case slices.ContainsFunc(cs, func(c finding.Comparison) bool { return !ofType(c) }):
		return "some verdicts are for the machine types, others for these machines"
	}
	return "for the machine types"
}

func comparisonNote(c finding.Comparison, split finding.Split, a, b string) block.Sentence {
	text := claimOf(c, a, b).Sentence()
	if appeared(c) {
		text = fmt.Sprintf("%s's %s against %s's: %s", b, c.Metric, a, differenceText(c))
	}
	return block.Sentence{Lead: verdictText(c.Verdict), Tone: finding.VerdictInk(c.Verdict),
		Text: text + ": " + whatText(c, split)}
}

// whatText names the compared cell and metric.
func whatText(c finding.Comparison, split finding.Split) string {
	return strings.Join(figure.NonEmpty(c.Workload, split.Behind(c.Shown(), c.Load), c.Metric), ", ")
}

func verdictText(v trialset.Verdict) string {
	if v == "" {
		return "no verdict"
	}
	return string(v)
}

// judged reports whether a comparison is one that answers.
func judged(c finding.Comparison) bool { return c.Primary || c.Verdict != "" }

// flagNotes states each flag once, with its comparisons unless all have it.
func flagNotes(cs []finding.Comparison, split finding.Split) []block.Sentence {
	some := slices.ContainsFunc(cs, judged)
	chief := list.Filter(cs, func(c finding.Comparison) bool {
		return c.Per == finding.PerMachine && (judged(c) || !some)
	})
	var order []string
	of := map[string]*flagged{}
	for _, c := range cs {
		for _, f := range c.Flags {
			key := f.Likeness()
			if of[key] == nil {
				of[key], order = &flagged{}, append(order, key)
			}
			of[key].add(f, whatText(c, split)+figure.PerUnit(c.Per))
		}
	}
	for _, c := range chief {
		for _, f := range c.Flags {
			of[f.Likeness()].chief++
		}
	}
	var at, details []block.Sentence
	for _, key := range order {
		g := of[key]
		said := g.sentences(len(chief) > 1 && g.chief == len(chief))
		if g.chief > 0 && weakens(g.flags[0]) {
			at = append(at, said...)
		} else {
			details = append(details, said...)
		}
	}
	return append(at, block.Of[block.Sentence](block.Details(finding.Blocks(details)))...)
}

// flagged is flags of one likeness and their comparisons.
type flagged struct {
	flags  []note.Note
	places []string
	chief  int // of these, the comparisons that decide
}

func (g *flagged) add(f note.Note, place string) {
	g.flags, g.places = append(g.flags, f), append(g.places, place)
}

// sentences returns a sentence for each text, or one with ranges if there are many. It names the comparisons, unless
// everything that decides has the flag.
func (g *flagged) sentences(everywhere bool) []block.Sentence {
	texts := note.Remarks(g.flags) // a line has no room for a hint, and the answer has the next step
	if note.Joinable(g.flags) {
		joined := note.Joined(g.flags).Remark()
		if everywhere {
			return []block.Sentence{{Lead: "note", Tone: block.Warn, Text: joined}}
		}
		texts = slices.Repeat([]string{joined}, len(texts))
	}
	var at block.Gathered
	for i, text := range texts {
		at.Add(text, g.places[i])
	}
	return at.Sentences("note", block.Warn, func(text string) string { return text })
}

// maxSentences is the number of comparisons of one workload that get a sentence each; more are counted, with the rest
// in their table.
const maxSentences = 6

// verdictSentences returns a sentence for each primary comparison of a workload or, if there are many, a count for each
// basis. The number of missing CPUs is stated for one cell of a sweep only.
func verdictSentences(group []finding.Comparison, split finding.Split, a, b string) []block.Sentence {
	group = list.Filter(group, func(c finding.Comparison) bool { return (c.Primary || c.Verdict != "") && !idle(c) })
	few := len(group) <= maxSentences
	var each, extra, costs []block.Sentence
	tally := map[string]*verdicts{}
	var order []string
	for _, c := range group {
		more := slices.Concat(repeatNotes(c), extraNotes(c, a, b, whatText(c, split)),
			replacementNotes(c, a, b, whatText(c, split)))
		if few {
			each = append(each, comparisonNote(c, split, a, b))
			each = append(append(each, breakEvenNotes(c, a, b)...), more...)
			continue
		}
		extra = append(extra, more...)
		costs = append(costs, perOpNotes(c, a, b, split.Label(c.Shown(), c.Load)+": ")...)
		if tally[c.Per] == nil {
			tally[c.Per] = &verdicts{}
			order = append(order, c.Per)
		}
		tally[c.Per].add(c)
	}
	if few {
		return each
	}
	var out []block.Sentence
	for _, per := range order {
		out = append(out, block.Sentence{Lead: "verdicts", Tone: block.Dim,
			Text: fmt.Sprintf("%s%s: %s", group[0].Workload, figure.PerUnit(per), tally[per].text(a, b))})
	}
	if len(costs) <= maxSentences {
		out = append(out, costs...)
	}
	return append(out, extra...)
}

// verdicts counts comparisons by verdict.
type verdicts struct{ a, b, equivalent, undecided, none int }

func (v *verdicts) add(c finding.Comparison) {
	switch {
	case c.Verdict == trialset.Different && c.Better == "a":
		v.a++
	case c.Verdict == trialset.Different:
		v.b++
	case c.Verdict == trialset.Equivalent:
		v.equivalent++
	case c.Verdict == trialset.Undecided:
		v.undecided++
	default:
		v.none++
	}
}

func (v verdicts) text(a, b string) string {
	var parts []string
	add := func(n int, before, after string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s%d%s", before, n, after))
		}
	}
	add(v.b, b+" is better in ", "")
	add(v.a, a+" is better in ", "")
	add(v.equivalent, "", " EQUIVALENT")
	add(v.undecided, "", " UNDECIDED")
	add(v.none, "", " without a verdict")
	return figure.Count(v.a+v.b+v.equivalent+v.undecided+v.none, "comparison") + ", " + strings.Join(parts, ", ")
}

// distinctComparisons omits redundant comparisons: memory traffic, which is throughput times a constant, and figures
// per vCPU or core of machines with equal numbers of them.
func distinctComparisons(p finding.Pair) []finding.Comparison {
	return slices.DeleteFunc(slices.Clone(p.Verdicts), func(c finding.Comparison) bool {
		return c.Metric == record.MemoryTraffic && !c.Primary || repeats(c, p.BasisA, p.BasisB)
	})
}

// isConstant reports whether a comparison tells nothing: all runs of both sides state one value.
func isConstant(c finding.Comparison) bool { return c.Constant && c.Verdict == "" }

// constantNotes says once which latencies are in no table, since all runs of both sides state the same.
func constantNotes(cs []finding.Comparison, split finding.Split) []block.Sentence {
	var out []block.Sentence
	for _, of := range finding.GroupBy(cs, func(c finding.Comparison) string {
		return split.Label(c.Shown(), c.Load)
	}) {
		var values []string
		for _, c := range of {
			values = append(values, c.Metric+" "+figure.Quantity(c.A, c.Unit))
		}
		out = append(out, block.Sentence{Lead: "note", Tone: block.Dim, Text: "the same in all runs of both sides, perhaps " +
			"rounded: " + strings.Join(values, ", ") + ": " + figure.Joined(of[0].Workload, split.Behind(of[0].Shown(),
			of[0].Load))})
	}
	return out
}

func repeats(c finding.Comparison, a, b *finding.Basis) bool {
	if a == nil || b == nil {
		return false
	}
	return c.Per == "vcpu" && a.VCPUs == b.VCPUs || c.Per == "core" && a.Cores == b.Cores
}

// idle reports whether a figure per vCPU or core lacks a verdict since the load left part of the machine idle: it is in
// the table only.
func idle(c finding.Comparison) bool {
	return (c.Per == "vcpu" || c.Per == "core") && c.Verdict == "" && len(c.Flags) > 0
}

// kindNotes lists the cells by each kind that varies: a comparison's table has no room for them.
func kindNotes(cs []finding.Comparison, split finding.Split) []block.Sentence {
	cells := slices.DeleteFunc(slices.Clone(cs), func(c finding.Comparison) bool {
		return !c.Primary || c.Per != "machine"
	})
	var out []block.Sentence
	for _, k := range finding.VaryingTraits(finding.ComparedTraits(cells)) {
		var at block.Gathered
		for i, c := range cells {
			at.Add(k.Texts[i], split.Label(c.Shown(), c.Load))
		}
		out = append(out, at.Sentences(k.Name, block.Dim, func(text string) string { return cmp.Or(text, "not known") })...)
	}
	return out
}
