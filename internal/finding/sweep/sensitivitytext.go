package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

func sensitivitySentence(v *finding.View, c finding.Cell, d Sensitivity) []block.Sentence {
	where := v.Along(c, d.Param)
	if d.Param == record.ParamClients {
		where = v.Sweep(c)
	}
	return []block.Sentence{{Lead: "sensitivity", Tone: block.Strong, Text: where + sensitivityText(d)}}
}

func fewLargeSentence(_ *finding.View, _ finding.Cell, f FewLarge) []block.Sentence {
	return []block.Sentence{{Lead: "clients", Tone: block.Strong, Text: fewLargeText(f)}}
}

func sensitivityText(d Sensitivity) string {
	byValue := func(a, b SensitivityPoint) int { return cmp.Compare(a.Value, b.Value) }
	low, high := slices.MinFunc(d.Points, byValue), slices.MaxFunc(d.Points, byValue)
	at := func(p SensitivityPoint) string { return d.Param + "=" + xText(p.X, d.Unit) }
	said := map[string]string{
		Sensitive: "depends strongly on " + d.Param, Insensitive: "does not depend strongly on " + d.Param,
		SensitivityUndecided: "may or may not depend strongly on " + d.Param,
	}[d.Verdict]
	return fmt.Sprintf("%s %s: the lowest, at %s, is %s of the highest, at %s", d.Metric, said, at(low),
		finding.ShareText(capped(d.Spread)), at(high))
}

// capped returns a share of the highest, clipped at 1.
func capped(t estimate.Estimate) estimate.Estimate {
	if t.Hi != nil && *t.Hi > 1 {
		t.Hi = new(1.0)
	}
	return t
}

func xText(x float64, unit string) string {
	if unit == "B" {
		return sizeText(x)
	}
	return figure.Exact(x) + unit
}

func fewLargeText(f FewLarge) string {
	shape := func(s Shape) string {
		return fmt.Sprintf("%s clients with %s=%s", figure.Exact(s.Clients), f.Param, sizeText(s.Size))
	}
	text := fmt.Sprintf("few large against many small: %s ingest %s, %s %s", shape(f.Few),
		figure.Quantity(f.Few.Value, "B/s"), shape(f.Many), figure.Quantity(f.Many.Value, "B/s"))
	if f.Ratio.Lo == nil {
		return text + fmt.Sprintf(": by estimate %s times as much, no interval: %d runs needed",
			figure.Scale{Factor: 1}.Number(f.Ratio.Value, figure.Digits), figure.MinReplicates)
	}
	verdict := map[string]string{"few": "few large is better", "many": "many small is better"}[f.Better]
	if verdict == "" {
		verdict = "undecided"
	}
	return text + ": " + figure.Times(*f.Ratio.Lo, *f.Ratio.Hi) + " as much: " + verdict
}
