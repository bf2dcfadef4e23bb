package headroom

import (
	"fmt"
	"slices"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// confirmationText states how many of the fresh runs at the lines found confirm them, and their latency over the limit.
func confirmationText(l loadline.Line) string {
	if len(l.Confirmations) == 0 {
		return ""
	}
	confirmed, unhandled, failed := 0, 0, 0
	var latencies, ofLimit []float64
	for _, c := range l.Confirmations {
		switch {
		case c.Confirmed:
			confirmed++
		case c.Failed != "":
			failed++
		case !c.Handled:
			unhandled++
		}
		if c.OfLimit != nil {
			latencies, ofLimit = append(latencies, *c.Latency), append(ofLimit, *c.OfLimit)
		}
	}
	text := fmt.Sprintf("%d of %s at the load found confirm it", confirmed,
		figure.Count(len(l.Confirmations), "fresh run"))
	if len(ofLimit) > 0 {
		text += fmt.Sprintf(": %s %s, %s of the limit", latencyName(l.Statistic), figure.Quantity(stat.Mean(latencies), "s"),
			timesText(ofLimit))
	}
	if unhandled > 0 {
		text += fmt.Sprintf("; %d did not handle the load", unhandled)
	}
	if failed > 0 {
		text += fmt.Sprintf("; %d failed", failed)
	}
	return text
}

// timesText returns the mean of ratios, and their range if there are several.
func timesText(ratios []float64) string {
	percent := func(v float64) string { return figure.PercentOf(v, 0) }
	text := percent(stat.Mean(ratios)) + "%"
	if len(ratios) > 1 {
		text += fmt.Sprintf(" (%s to %s%%)", percent(slices.Min(ratios)), percent(slices.Max(ratios)))
	}
	return text
}
