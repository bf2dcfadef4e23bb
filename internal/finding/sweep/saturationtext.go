package sweep

import (
	"fmt"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

func saturationSentence(v *finding.View, c finding.Cell, s PastSaturation) []block.Sentence {
	return []block.Sentence{{Lead: "saturated", Tone: block.Strong, Text: v.Sweep(c) + saturationText(s)}}
}

func saturationText(s PastSaturation) string {
	loss := fmt.Sprintf("%s %% less by estimate, no interval: %d replicates needed", figure.PercentOf(s.Loss.Value, 1), figure.MinReplicates)
	if s.Loss.Lo != nil {
		loss = lossText(s.Loss) + " less"
	}
	u := figure.ScaleFor(s.Unit, s.AtPeak, s.AtMost)
	return fmt.Sprintf("most is carried by %s clients, by estimate %s; %s clients carry %s (n %d)", figure.Exact(s.Peak), u.Text(s.AtPeak, figure.Digits), figure.Exact(s.Most), loss, s.N)
}
