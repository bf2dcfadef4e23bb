package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/compare"
	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
	"plimsoll/internal/trialset"
)

// pairSection is everything concluded about two sides. ID prefixes its drawings' IDs.
func pairSection(id string, p finding.Pair, margin float64) block.Section {
	a, b := side(p, p.A), side(p, p.B)
	out := block.Section{Title: fmt.Sprintf("%s against %s (baseline)", b, a), Level: partLevel}
	if p.Machine != "" {
		out.Title += " on " + p.Machine
	}
	for _, text := range figure.NonEmpty(claimText(p.Verdicts), registeredText(compare.KindRegistered.Of(p))) {
		out.Blocks = append(out.Blocks, block.Sentence{Text: text})
	}
	said := slices.Concat(changedNotes(p), overallNotes(p, a, b), equalCostNotes(p, a, b), fleetNotes(p, a, b))
	var tables, notes []block.Block
	for _, group := range finding.GroupBy(worthSaying(p), func(c finding.Comparison) string { return c.Workload }) {
		split := finding.SplitOf(comparedParams(group))
		said = append(said, saidOf(group, split, a, b)...)
		notes = append(notes, finding.Blocks(flagNotes(group, split))...)
		for _, sub := range finding.Subdivided(group, func(c finding.Comparison) map[string]string { return finding.Major(c.Params, c.Minor) }) {
			tables = append(tables, comparisonSection(p, sub))
		}
	}
	add := func(s block.Section) {
		if len(s.Blocks) > 0 {
			out.Blocks = append(out.Blocks, s)
		}
	}
	add(block.Section{Class: block.Verdicts, Blocks: finding.Blocks(said)})
	told := says(&finding.PairView{Pair: p, ID: "pair-" + id, LabelA: a, LabelB: b, Margin: margin})
	plots := slices.Concat(forestPlot("forest-"+id, p, margin), valuePlot("value-"+id, p), block.Of[block.Plot](told))
	add(block.Section{Blocks: append(finding.Blocks(plots), finding.Blocks(block.Of[block.Chart](told))...)})
	add(explainedSection("why-"+id, judge.KindExplain.All(p)))
	out.Blocks = append(out.Blocks, tables...)
	add(block.Section{Blocks: finding.Blocks(block.Unique(block.Of[block.Sentence](slices.Concat(notes, finding.Blocks(basisNotes(p)), finding.Blocks(block.Of[block.Sentence](told)), finding.Blocks(pairNotes(p))))))})
	return out
}

// comparisonSection is the table of comparisons of one workload.
func comparisonSection(p finding.Pair, cs []finding.Comparison) block.Section {
	split := finding.SplitOf(comparedParams(cs))
	out := block.Section{Title: cs[0].Workload, Fixed: figure.Joined(split.Fixed, finding.FixedTraits(finding.ComparedTraits(cs)), countText(cs)), Level: resultsLevel}
	out.Blocks = append([]block.Block{comparisonTable(cs, split, p.A, p.B)}, finding.Blocks(kindNotes(cs, split))...)
	return out
}

// side names one side: a machine as it is, a factor's level with its factor.
func side(p finding.Pair, name string) string {
	return axis.Label(p.By, name)
}

func comparedParams(cs []finding.Comparison) []map[string]string {
	out := make([]map[string]string, len(cs))
	for i, c := range cs {
		out[i] = finding.Major(c.Params, c.Minor)
	}
	return out
}

// claimText says what the verdicts are about: these machines, or their types.
func claimText(cs []finding.Comparison) string {
	ofType := func(c finding.Comparison) bool { return c.Claim == "type" }
	switch {
	case len(cs) == 0:
		return ""
	case !slices.ContainsFunc(cs, ofType):
		return "holds for these machines, not for their types"
	case slices.ContainsFunc(cs, func(c finding.Comparison) bool { return !ofType(c) }):
		return "some verdicts hold for the machine types, others for these machines"
	}
	return "holds for the machine types"
}

func comparisonNote(c finding.Comparison, split finding.Split, a, b string) block.Sentence {
	said := figure.Claim{
		Subject: b, Object: a, Verb: "carries", Metric: c.Metric, Per: c.Per, Direction: c.Direction,
		Ratio: figure.Span{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}, Within: c.Verdict == trialset.Equivalent, N: c.N, Each: each(c),
	}
	return block.Sentence{Lead: verdictText(c.Verdict), Tone: verdictInk(c.Verdict), Text: said.Sentence() + ": " + whatText(c, split)}
}

// whatText names what is compared.
func whatText(c finding.Comparison, split finding.Split) string {
	return strings.Join(figure.NonEmpty(c.Workload, split.Label(c.Params, c.Load), c.Metric), ", ")
}

// each is what a comparison's n counts.
func each(c finding.Comparison) string {
	switch {
	case c.Claim == "type" && c.Paired:
		return "instance pair"
	case c.Claim == "type":
		return "instance"
	case c.Paired:
		return "pair"
	}
	return "replicate"
}

func verdictText(v trialset.Verdict) string {
	if v == "" {
		return "no verdict"
	}
	return string(v)
}

func verdictInk(v trialset.Verdict) block.Tone {
	switch v {
	case trialset.Different:
		return block.Strong
	case trialset.Equivalent:
		return block.Good
	case trialset.Undecided:
		return block.Warn
	}
	return block.Dim
}

// flagNotes say each flag once, with the comparisons that bear it.
func flagNotes(cs []finding.Comparison, split finding.Split) []block.Sentence {
	var at block.Gathered
	for _, c := range cs {
		for _, f := range c.Flags {
			at.Add(f.Text(), whatText(c, split)+figure.PerUnit(c.Per))
		}
	}
	return at.Sentences("flag", block.Warn, func(flag string) string { return flag })
}

// pairNotes are the sentences about a pair as a whole.
func pairNotes(p finding.Pair) []block.Sentence {
	var out []block.Sentence
	out = append(out, chanceNotes(compare.KindByChance.Of(p))...)
	out = append(out, residueNotes(compare.KindResidue.All(p))...)
	return append(out, finding.Warnings(coded.Texts(p.Warnings))...)
}
