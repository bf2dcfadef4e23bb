package render

import (
	"fmt"
	"io"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

const (
	// mostEndings is the number of comparisons listed one by one.
	mostEndings = 12
)

// Endings writes how the comparisons of a session with interim analyses ended, and after how long.
func Endings(w io.Writer, style term.Style, endings []sequential.Ending) error {
	if len(endings) == 0 {
		return nil
	}
	p := term.NewPrinter(w, style)
	p.Line("")
	decided, spent := 0, 0.0
	for i, e := range endings {
		if e.Verdict != "" && e.Verdict != trialset.Undecided {
			decided++
		}
		spent += e.SpentS
		if i < mostEndings {
			p.Line(block.Clean(ending(e)))
		}
	}
	if n := len(endings) - mostEndings; n > 0 {
		p.Line(fmt.Sprintf("and %s more; plimsoll compare shows them", figure.Count(n, "comparison")))
	}
	p.Line(fmt.Sprintf("%d of %s decided; %v measured", decided, figure.Count(len(endings), "comparison"),
		figure.Duration(spent)))
	return p.Err
}

// ending describes the end of one comparison: its interval before its verdict.
func ending(e sequential.Ending) string {
	text := fmt.Sprintf("%s, %s over %s: ", e.What, e.B, e.A)
	if e.Pairs == 0 {
		return text + "no interim analysis yet"
	}
	if e.P != nil {
		text += fmt.Sprintf("by ranks, p %.2g, ", *e.P)
	} else {
		lo, hi := e.Ends()
		text += fmt.Sprintf("%.3f to %.3f, ", lo, hi)
	}
	switch e.Verdict {
	case "":
		text += "not decided yet"
	default:
		text += string(e.Verdict)
	}
	text += fmt.Sprintf(" after %s in %v", figure.Pair.Count(e.Pairs), figure.Duration(e.SpentS))
	switch {
	case e.Futile != nil:
		text += futile(e)
	case e.Verdict == trialset.Undecided && e.Needed > 0:
		text += fmt.Sprintf("; about %d would be needed", e.Needed)
		if e.Needed <= sequential.MostPairs {
			text += fmt.Sprintf(" (--max-replicates %d)", e.Needed)
		}
	}
	return text
}

// futile states why a comparison ended undecided, and what would decide it.
func futile(e sequential.Ending) string {
	f := e.Futile
	text := fmt.Sprintf("; stopped: %s would not decide it (a chance of %.1f%%)", figure.Count(f.Left, "more pair"),
		100*f.Chance)
	if f.Sufficient == 0 {
		return text + fmt.Sprintf(", and no thousand would at a scatter of %.3g%%", 100*f.SD)
	}
	planned := e.Pairs + f.Left
	return text + fmt.Sprintf("; about %d would (--replicates %d), or %d at a scatter of %.3g%% instead of %.3g%%",
		f.Sufficient, f.Sufficient, planned, 100*f.SDFor(planned), 100*f.SD)
}
