package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// breakEvenNotes say at which price a dollar carries as much on both sides.
func breakEvenNotes(c finding.Comparison, a, b string) []block.Sentence {
	e := c.BreakEven
	if e == nil {
		return nil
	}
	one := figure.Scale{Factor: 1}
	s := figure.Span{Value: e.Ratio, Lo: e.Lo, Hi: e.Hi}
	text := fmt.Sprintf("a dollar carries as much where %s costs %s times %s", b, s.Estimate(one), a)
	if s.Bounded() {
		text = fmt.Sprintf("a dollar carries as much where %s costs %s times %s, by estimate %s", b, s.Interval(one), a, s.Estimate(one))
	}
	notes := []block.Sentence{{Lead: "break-even", Tone: block.Dim, Text: text + fmt.Sprintf(", or %s $/h", one.Number(e.PricePerHour, figure.FineDigits))}}
	if c.PerTB != nil {
		notes = append(notes, block.Sentence{Lead: "a TB", Tone: block.Dim, Text: fmt.Sprintf("10^12 bytes cost %s $ on %s and %s $ on %s", one.Number(c.PerTB.A, figure.FineDigits), a, one.Number(c.PerTB.B, figure.FineDigits), b)})
	}
	return append(notes, perOpNotes(c, a, b, "")...)
}

// perOpNotes say what an operation costs; where names the cell, where nothing before it does.
func perOpNotes(c finding.Comparison, a, b, where string) []block.Sentence {
	if c.PerOp == nil {
		return nil
	}
	return []block.Sentence{{Lead: "one", Tone: block.Dim, Text: fmt.Sprintf("%san operation costs %s $ on %s and %s $ on %s", where, finding.SmallText(c.PerOp.A), a, finding.SmallText(c.PerOp.B), b)}}
}

// basisNotes say what figures per vCPU, core, dollar and watt are put in
// relation to.
func basisNotes(p finding.Pair) []block.Sentence {
	var out []block.Sentence
	for _, side := range []struct {
		name  string
		basis *finding.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		if side.basis == nil {
			continue
		}
		if text := basisText(*side.basis); text != "" {
			out = append(out, block.Sentence{Lead: "has", Tone: block.Dim, Text: side.name + ": " + text})
		}
	}
	if text := pricesText(p); text != "" {
		out = append(out, block.Sentence{Lead: "price", Tone: block.Dim, Text: text})
	}
	return out
}

// pricesText says how far apart prices are, which is another share from either side.
func pricesText(p finding.Pair) string {
	a, b := p.BasisA, p.BasisB
	if a == nil || b == nil || a.PricePerHour <= 0 || b.PricePerHour <= 0 || a.PricePerHour == b.PricePerHour {
		return ""
	}
	ratio := b.PricePerHour / a.PricePerHour
	return fmt.Sprintf("%s costs %s than %s, which costs %s", p.B, figure.Percents(ratio, ratio, "more", "less"), p.A, figure.Percents(1/ratio, 1/ratio, "more", "less"))
}

func basisText(b finding.Basis) string {
	var parts []string
	if b.VCPUs > 0 {
		parts = append(parts, fmt.Sprintf("%g vCPUs", b.VCPUs))
	}
	if b.Cores > 0 {
		parts = append(parts, fmt.Sprintf("%g cores", b.Cores))
	}
	if b.PricePerHour > 0 {
		parts = append(parts, fmt.Sprintf("%s $/h (%s)", figure.Exact(b.PricePerHour), b.PriceSource))
	}
	if b.Watts != nil {
		parts = append(parts, fmt.Sprintf("%.4g W, %s (%s)", b.Watts.Value, b.Watts.Kind, strings.Join(figure.NonEmpty(b.Watts.Of, b.Watts.Source), "; ")))
	}
	return strings.Join(parts, ", ")
}
