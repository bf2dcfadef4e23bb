package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
	"plimsoll/internal/trialset"
)

// pairing is everything concluded about two sides, ready for either medium.
type pairing struct {
	Title      string // "m7gd.xlarge against m6gd.xlarge (baseline)"
	Claim      string
	Registered string           // what was fixed before the first trial
	Said       []block.Sentence // one sentence for each primary comparison; Lead is the verdict
	Why        explained
	Tables     []results
	Notes      []block.Sentence // flags, crossings, trends, residue, warnings
}

func pairingOf(p finding.Pair) pairing {
	a, b := side(p, p.A), side(p, p.B)
	out := pairing{Title: fmt.Sprintf("%s against %s (baseline)", b, a), Claim: claimText(p.Verdicts), Registered: registeredText(judge.KindRegistered.Of(p))}
	if p.Machine != "" {
		out.Title += " on " + p.Machine
	}
	out.Said = append(changedNotes(p), overallNotes(p, a, b)...)
	out.Said = append(out.Said, equalCostNotes(p, a, b)...)
	out.Said = append(out.Said, fleetNotes(p, a, b)...)
	out.Why = explainedOf(judge.KindExplain.All(p))
	byWorkload := groupBy(worthSaying(p), func(c finding.Comparison) string { return c.Workload })
	for _, group := range byWorkload {
		split := splitParams(comparedParams(group))
		out.Said = append(out.Said, saidOf(group, split, a, b)...)
		out.Notes = append(out.Notes, flagNotes(group, split)...)
		for _, sub := range subdivided(group, func(c finding.Comparison) map[string]string { return major(c.Params, c.Minor) }) {
			split := splitParams(comparedParams(sub))
			out.Tables = append(out.Tables, results{
				Workload: group[0].Workload, Fixed: figure.Joined(split.Fixed, fixedKinds(comparedKinds(sub)), countText(sub)),
				Table: comparisonTable(sub, split, p.A, p.B), Notes: kindNotes(sub, split),
			})
		}
	}
	out.Notes = append(out.Notes, basisNotes(p)...)
	out.Notes = unique(append(out.Notes, pairNotes(p)...))
	return out
}

// side names one side: a machine as it is, a factor's level with its factor.
func side(p finding.Pair, name string) string {
	return judge.SideLabel(p.By, name)
}

func comparedParams(cs []finding.Comparison) []map[string]string {
	out := make([]map[string]string, len(cs))
	for i, c := range cs {
		out[i] = major(c.Params, c.Minor)
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

func comparisonNote(c finding.Comparison, split paramSplit, a, b string) block.Sentence {
	said := figure.Claim{
		Subject: b, Object: a, Verb: "carries", Metric: c.Metric, Per: c.Per, Direction: c.Direction,
		Ratio: figure.Span{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}, Within: c.Verdict == trialset.Equivalent, N: c.N, Each: each(c),
	}
	return block.Sentence{Lead: verdictText(c.Verdict), Tone: verdictInk(c.Verdict), Text: said.Sentence() + ": " + whatText(c, split)}
}

// whatText names what is compared.
func whatText(c finding.Comparison, split paramSplit) string {
	return strings.Join(figure.NonEmpty(c.Workload, split.label(c.Params, c.Load), c.Metric), ", ")
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
func flagNotes(cs []finding.Comparison, split paramSplit) []block.Sentence {
	var at gathered
	for _, c := range cs {
		for _, f := range c.Flags {
			at.add(f.Text(), whatText(c, split)+figure.PerUnit(c.Per))
		}
	}
	return at.notes("flag", block.Warn, func(flag string) string { return flag })
}

// pairNotes are the sentences about a pair as a whole.
func pairNotes(p finding.Pair) []block.Sentence {
	var out []block.Sentence
	for _, c := range judge.KindCrossing.All(p) {
		out = append(out, block.Sentence{Lead: "crossing", Tone: block.Warn, Text: crossingText(c, side(p, p.A), side(p, p.B))})
	}
	for _, o := range judge.KindOnPar.All(p) {
		out = append(out, block.Sentence{Lead: "on par", Tone: block.Warn, Text: onParText(o, side(p, p.A), side(p, p.B))})
	}
	for _, t := range judge.KindTrend.All(p) {
		out = append(out, block.Sentence{Lead: "trend", Tone: block.Dim, Text: trendText(t, side(p, p.A), side(p, p.B))})
	}
	out = append(out, byFactorNotes(p)...)
	out = append(out, chanceNotes(judge.KindByChance.Of(p))...)
	out = append(out, residueNotes(judge.KindResidue.All(p))...)
	return append(out, warningNotes(coded.Texts(p.Warnings))...)
}
