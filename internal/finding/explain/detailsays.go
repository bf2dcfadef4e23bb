package explain

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/figure"
)

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
	if d.Lo != nil && d.Hi != nil {
		took = between(math.Min(math.Abs(*d.Lo), math.Abs(*d.Hi)), math.Max(math.Abs(*d.Lo), math.Abs(*d.Hi)))
	}
	return fmt.Sprintf("statement %s takes %s more on %s than on %s, %s", d.Name, took, more, other,
		ofWhole(d.Share, "what its statements take more"))
}
