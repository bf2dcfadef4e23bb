package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/compare"
	coded "plimsoll/internal/note"
	"plimsoll/internal/sequential"
)

// registeredText says in a line what was fixed before the first trial.
func registeredText(r *sequential.Registered) string {
	if r == nil {
		return ""
	}
	var parts []string
	if len(r.Margins) > 0 {
		parts = append(parts, fmt.Sprintf("margin %s, error rate %s", figure.PercentText(r.Margins[0]), figure.PercentText(r.Alphas[0])))
	}
	if n := len(r.Looks); n > 0 {
		parts = append(parts, fmt.Sprintf("%d looks after %d to %d pairs", n, r.Looks[0], r.Looks[n-1]))
	}
	for _, workload := range slices.Sorted(maps.Keys(r.Primary)) {
		parts = append(parts, fmt.Sprintf("%s decided by %s", workload, strings.Join(r.Primary[workload], " or ")))
	}
	text := ""
	if len(parts) > 0 {
		text = "registered: " + strings.Join(parts, ", ")
	}
	if r.Imported {
		text = strings.Join(figure.NonEmpty(text, "nothing was registered before the imported trials"), "; ")
	}
	return text
}

// changesSaid returns the departures from the registered plan, before the verdicts that rest on them.
func changesSaid(v *finding.PairView) []block.Block {
	var out []block.Sentence
	for _, text := range coded.Texts(compare.Changed(v.Pair)) {
		out = append(out, block.Sentence{Lead: "changed", Tone: block.Bad, Text: text})
	}
	return finding.Verdicts(out...)
}

// chanceSaid holds many verdicts against chance.
func chanceSaid(v *finding.PairView) []block.Block {
	c := compare.KindByChance.Of(v.Pair)
	if c == nil {
		return nil
	}
	expected := "about " + figure.Fixed(c.Expected, 0)
	if c.Expected < 1 {
		expected = "perhaps one"
	}
	return finding.Sentences(block.Sentence{Lead: "by chance", Tone: block.Warn, Text: fmt.Sprintf("at an error rate of %s %s of these %d verdicts would be DIFFERENT, were the sides alike", figure.PercentText(c.Alpha), expected, c.Verdicts)})
}

// residueSaid names all keys that also differ in a line, and then their values.
func residueSaid(v *finding.PairView) []block.Block {
	residue := compare.KindResidue.All(v.Pair)
	if len(residue) == 0 {
		return nil
	}
	keys := make([]string, len(residue))
	for i, d := range residue {
		keys[i] = d.Key
	}
	out := []block.Sentence{{Lead: "also differs", Tone: block.Warn, Text: strings.Join(keys, ", ")}}
	for _, d := range residue {
		out = append(out, block.Sentence{Lead: "differs", Tone: block.Dim, Text: d.Key + " " + listText(d.A) + " / " + listText(d.B)})
	}
	return finding.Sentences(out...)
}

func listText(values []string) string {
	const few = 4
	switch {
	case len(values) == 0:
		return "not given"
	case len(values) > few:
		return fmt.Sprintf("%s and %d more", strings.Join(values[:few], ", "), len(values)-few)
	}
	return strings.Join(values, ", ")
}

// repeatNotes say what repeating trials and launches is worth.
func repeatNotes(c finding.Comparison) []block.Sentence {
	r := c.Repeat
	if r == nil {
		return nil
	}
	text := fmt.Sprintf("trials scatter by %s", figure.PercentText(r.TrialSD))
	if r.BootSD != nil {
		text += fmt.Sprintf(", boots add %s", figure.PercentText(*r.BootSD))
	}
	text += fmt.Sprintf(", instances add %s: ", figure.PercentText(r.InstanceSD))
	trials := "trials as many as there are"
	if r.Trials > 0 {
		trials = figure.Count(r.Trials, "trial") + " each"
	}
	if r.Launches > 0 {
		text += fmt.Sprintf("%d launches of each type, %s, would bring the interval to within ± %s", r.Launches, trials, figure.PercentText(r.Margin))
	} else {
		text += fmt.Sprintf("no thousand launches would bring the interval to within ± %s", figure.PercentText(r.Margin))
	}
	return []block.Sentence{{Lead: "repeat", Tone: block.Dim, Text: text + fmt.Sprintf(" (a launch taken to cost %s)", figure.Duration(r.LaunchS))}}
}
