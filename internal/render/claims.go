package render

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/claims"
)

// Claims writes what was found of articles' claims: their number by verdict, why the
// wrong ones are, what is known of loose ones, and a table of each article. The error is the writer's.
func Claims(w io.Writer, style Style, r claims.Report) error {
	p := newPrinter(w, style)
	s := r.Summary
	p.note(0, note{Text: fmt.Sprintf("%s: %d exact, %d rounded, %d loose, %d wrong, %d not stated",
		count(s.Claims, "claim"), s.Exact, s.Rounded, s.Loose, s.Wrong, s.Info)}, 0)
	var wrong, loose []note
	for _, c := range r.Claims {
		switch {
		case c.Verdict == claims.Wrong:
			wrong = append(wrong, note{c.ID, bad, wrongClaim(c)})
		case c.Verdict == claims.Loose && c.Note != "":
			loose = append(loose, note{c.ID, warn, c.Note})
		}
	}
	for _, notes := range [][]note{wrong, loose} {
		if len(notes) > 0 {
			p.gap()
			p.notes(0, notes)
		}
	}
	for _, article := range groupBy(r.Claims, func(c claims.Claim) string { return c.Source }) {
		p.gap()
		p.note(0, note{Text: article[0].Source}, 0)
		p.table(2, claimTable(article))
	}
	return p.err
}

// wrongClaim is what is wrong with a claim, in words.
func wrongClaim(c claims.Claim) string {
	text := fmt.Sprintf(`"%s" is %s: %s`, c.Words, withUnit(c.Stated.Like(c.Computed), c.Unit), c.Why)
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

func claimTable(article []claims.Claim) table {
	t := table{Keys: 1, Spare: []string{"diff"}, Columns: []column{
		{Name: "id"}, {"stated", true}, {"computed", true}, {Name: "unit"}, {Name: "verdict"}, {"diff", true}, {Name: "claim"},
	}}
	for _, c := range article {
		t.Rows = append(t.Rows, []cell{
			{c.ID, strong}, {Text: statedText(c)}, {Text: computedText(c)}, {Text: c.Unit}, claimVerdict(c.Verdict), {Text: differenceText(c)}, {Text: c.Words},
		})
	}
	return t
}

func statedText(c claims.Claim) string {
	if c.Stated == nil {
		return ""
	}
	return c.Stated.Text
}

// computedText has one digit more than what is stated, so that one sees how it rounds.
func computedText(c claims.Claim) string {
	if c.Stated != nil {
		return c.Stated.Like(c.Computed)
	}
	if v := math.Abs(c.Computed); v != 0 && v < 1e-4 || v >= 1e15 {
		return strconv.FormatFloat(c.Computed, 'g', fineDigits, 64)
	}
	return exact(roundTo(c.Computed, fineDigits))
}

func differenceText(c claims.Claim) string {
	if c.DiffPct == nil {
		return ""
	}
	return Percent(1 + *c.DiffPct/100)
}

func claimVerdict(v claims.Verdict) cell {
	switch v {
	case claims.Exact, claims.Rounded:
		return cell{string(v), good}
	case claims.Loose:
		return cell{string(v), warn}
	case claims.Wrong:
		return cell{string(v), bad}
	}
	return cell{"not stated", dim}
}

// withUnit joins a figure and what it counts; a count or a ratio has nothing to say.
func withUnit(figure, unit string) string {
	if unit == "count" || unit == "ratio" {
		return figure
	}
	return strings.TrimSpace(figure + " " + unit)
}
