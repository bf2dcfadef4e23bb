package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/judge"
)

// breakEvenNotes say at which price a dollar carries as much on both sides.
func breakEvenNotes(c judge.Comparison, a, b string) []note {
	e := c.BreakEven
	if e == nil {
		return nil
	}
	one := scale{factor: 1}
	s := span{e.Ratio, e.Lo, e.Hi}
	text := fmt.Sprintf("a dollar carries as much where %s costs %s times %s", b, s.estimate(one), a)
	if s.bounded() {
		text = fmt.Sprintf("a dollar carries as much where %s costs %s times %s, by estimate %s", b, s.interval(one), a, s.estimate(one))
	}
	notes := []note{{"break-even", dim, text + fmt.Sprintf(", or %s $/h", one.number(e.PricePerHour, fineDigits))}}
	if c.PerTB != nil {
		notes = append(notes, note{"a TB", dim, fmt.Sprintf("10^12 bytes cost %s $ on %s and %s $ on %s", one.number(c.PerTB.A, fineDigits), a, one.number(c.PerTB.B, fineDigits), b)})
	}
	return append(notes, perOpNotes(c, a, b, "")...)
}

// perOpNotes say what an operation costs; where names the cell, where nothing before it does.
func perOpNotes(c judge.Comparison, a, b, where string) []note {
	if c.PerOp == nil {
		return nil
	}
	return []note{{"one", dim, fmt.Sprintf("%san operation costs %s $ on %s and %s $ on %s", where, tinyText(c.PerOp.A), a, tinyText(c.PerOp.B), b)}}
}

// basisNotes say what figures per vCPU, core, dollar and watt are put in
// relation to.
func basisNotes(p judge.Pair) []note {
	var out []note
	for _, side := range []struct {
		name  string
		basis *judge.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		if side.basis == nil {
			continue
		}
		if text := basisText(*side.basis); text != "" {
			out = append(out, note{"has", dim, side.name + ": " + text})
		}
	}
	if text := pricesText(p); text != "" {
		out = append(out, note{"price", dim, text})
	}
	return out
}

// pricesText says how far apart prices are, which is another share from either side.
func pricesText(p judge.Pair) string {
	a, b := p.BasisA, p.BasisB
	if a == nil || b == nil || a.PricePerHour <= 0 || b.PricePerHour <= 0 || a.PricePerHour == b.PricePerHour {
		return ""
	}
	ratio := b.PricePerHour / a.PricePerHour
	return fmt.Sprintf("%s costs %s than %s, which costs %s", p.B, percents(ratio, ratio, "more", "less"), p.A, percents(1/ratio, 1/ratio, "more", "less"))
}

func basisText(b judge.Basis) string {
	var parts []string
	if b.VCPUs > 0 {
		parts = append(parts, fmt.Sprintf("%g vCPUs", b.VCPUs))
	}
	if b.Cores > 0 {
		parts = append(parts, fmt.Sprintf("%g cores", b.Cores))
	}
	if b.PricePerHour > 0 {
		parts = append(parts, fmt.Sprintf("%s $/h (%s)", exact(b.PricePerHour), b.PriceSource))
	}
	if b.Watts != nil {
		parts = append(parts, fmt.Sprintf("%.4g W, %s (%s)", b.Watts.Value, b.Watts.Kind, strings.Join(nonEmpty(b.Watts.Of, b.Watts.Source), "; ")))
	}
	return strings.Join(parts, ", ")
}
