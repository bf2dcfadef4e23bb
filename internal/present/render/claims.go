package render

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Claims writes the verification of articles' claims: their number by verdict, the reasons for wrong ones, notes on
// loose ones, and a table of each article. The error is the writer's.
func Claims(w io.Writer, style term.Style, r claims.Report) error {
	p := term.NewPrinter(w, style)
	s := r.Summary
	p.Note(0, block.Sentence{Text: fmt.Sprintf("%s: %d hold (%d exact, %d rounded), %d loose, %d wrong, %d not stated",
		figure.Count(s.Claims, "claim"), s.Holds+s.Exact+s.Rounded, s.Exact, s.Rounded, s.Loose, s.Wrong, s.Info)}, 0)
	var wrong, loose []block.Sentence
	for _, c := range r.Claims {
		switch {
		case c.Verdict == claims.Wrong:
			wrong = append(wrong, block.Sentence{Lead: c.ID, Tone: block.Bad, Text: wrongClaim(c)})
		case c.Verdict == claims.Loose && c.Note != "":
			loose = append(loose, block.Sentence{Lead: c.ID, Tone: block.Warn, Text: c.Note})
		}
	}
	for _, notes := range [][]block.Sentence{wrong, loose} {
		if len(notes) > 0 {
			p.Gap()
			p.Notes(0, notes)
		}
	}
	for _, article := range finding.GroupBy(r.Claims, func(c claims.Claim) string { return c.Source }) {
		p.Gap()
		p.Note(0, block.Sentence{Text: article[0].Source}, 0)
		p.Table(2, claimTable(article))
	}
	return p.Err
}

// wrongClaim states the error in a claim.
func wrongClaim(c claims.Claim) string {
	text := fmt.Sprintf(`"%s" is %s: %s`, c.Words, withUnit(c.Stated.Like(c.Computed), c.Unit), c.Why)
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

func claimTable(article []claims.Claim) block.Table {
	t := block.Table{Keys: 1, Spare: []string{"diff"}, Columns: []block.Column{
		{Name: "id"}, {Name: "stated", Right: true}, {Name: "computed", Right: true}, {Name: "unit"}, {Name: "verdict"},
		{Name: "diff", Right: true}, {Name: "claim"},
	}}
	for _, c := range article {
		t.Rows = append(t.Rows, []block.Cell{
			{Text: c.ID, Tone: block.Strong}, {Text: statedText(c)}, {Text: computedText(c)}, {Text: c.Unit},
			claimVerdict(c.Verdict), {Text: differenceText(c)}, {Text: c.Words},
		})
	}
	return t
}

func statedText(c claims.Claim) string {
	if c.Stated == nil {
		return ""
	}
	return plainNumber(c.Stated.Text)
}

// mostPlain bounds the numbers that are written without an exponent.
const mostPlain = 1e6

// plainNumber writes a number of ordinary size without the exponent that states its precision: 2e1 is 20.
func plainNumber(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, "eE") || math.Abs(v) < 1 || math.Abs(v) >= mostPlain {
		return text
	}
	return figure.Exact(v)
}

// computedText has one digit more than the claim, to show how it rounds.
func computedText(c claims.Claim) string {
	if c.Stated != nil {
		return plainNumber(c.Stated.Like(c.Computed))
	}
	if v := math.Abs(c.Computed); v != 0 && v < 1e-4 || v >= 1e15 {
		return strconv.FormatFloat(c.Computed, 'g', figure.FineDigits, 64)
	}
	return figure.Exact(figure.RoundTo(c.Computed, figure.FineDigits))
}

func differenceText(c claims.Claim) string {
	if c.DiffPct == nil {
		return ""
	}
	return figure.Percent(1 + *c.DiffPct/100)
}

func claimVerdict(v claims.Verdict) block.Cell {
	switch v {
	case claims.Holds, claims.Exact, claims.Rounded:
		return block.Cell{Text: string(v), Tone: block.Good}
	case claims.Loose:
		return block.Cell{Text: string(v), Tone: block.Warn}
	case claims.Wrong:
		return block.Cell{Text: string(v), Tone: block.Bad}
	}
	return block.Cell{Text: "not stated", Tone: block.Dim}
}

// withUnit joins a figure and its unit; a count or a ratio has none.
func withUnit(text, unit string) string {
	if unit == "count" || unit == "ratio" {
		return text
	}
	return strings.TrimSpace(figure.Scale{Factor: 1, Unit: unit}.Joined(text))
}
