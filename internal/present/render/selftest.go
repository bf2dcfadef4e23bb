package render

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/selftest"
)

// Selftest writes a certificate: the failures, each gate with its simulation, and the parts that are not built. The
// error is the writer's.
func Selftest(w io.Writer, style term.Style, c selftest.Certificate) error {
	p := term.NewPrinter(w, style)
	failed, known := c.Failed(), c.KnownBad()
	p.Note(0,
		block.Sentence{Text: fmt.Sprintf("%s: %d passed, %d failed, %d known to be bad and shown; %d simulations of "+
			"each, seed %d",
			figure.Count(len(c.Gates), "gate"), len(c.Gates)-len(failed)-len(known), len(failed), len(known), c.Simulations,
			c.Seed)}, 0)
	for _, g := range failed {
		p.Note(0, block.Sentence{Lead: "FAILED", Tone: block.Bad,
			Text: fmt.Sprintf("%s: %s, gate %s", g.Name, gateValue(g, g.Value), gateLimit(g))}, 0)
	}
	p.Gap()
	p.Table(0, gateTable(c.Gates))
	if len(c.NotBuilt) > 0 {
		p.Gap()
	}
	for _, text := range c.NotBuilt {
		p.Note(0, block.Sentence{Lead: "not built", Tone: block.Warn, Text: text}, 0)
	}
	return p.Err
}

func gateTable(gates []selftest.Gate) block.Table {
	t := block.Table{Spare: []string{"n", "90% interval"}, Columns: []block.Column{
		{Name: "result"}, {Name: "value", Right: true}, {Name: "90% interval", Right: true}, {Name: "gate", Right: true},
		{Name: "n", Right: true}, {Name: "test"},
	}}
	for _, g := range gates {
		t.Rows = append(t.Rows, []block.Cell{
			gateResult(g), {Text: gateValue(g, g.Value)}, {Text: gateInterval(g)}, {Text: gateLimit(g)},
			{Text: simulations(g.N)}, {Text: g.Name},
		})
	}
	return t
}

func gateResult(g selftest.Gate) block.Cell {
	switch {
	case g.KnownBad:
		return block.Cell{Text: "known bad", Tone: block.Dim}
	case g.Pass:
		return block.Cell{Text: "pass", Tone: block.Good}
	}
	return block.Cell{Text: "FAILED", Tone: block.Bad}
}

func gateValue(g selftest.Gate, v float64) string {
	switch g.Kind {
	case selftest.Share:
		return figure.Fixed(100*v, 1) + "%"
	case selftest.Bias:
		return figure.Fixed(100*v, 2) + "%"
	case selftest.Pairs:
		return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) + " pairs"
	case selftest.Halves:
		return figure.Fixed(v, 2) + " half-widths"
	}
	const six = 6
	return strconv.FormatFloat(v, 'g', six, 64)
}

func gateInterval(g selftest.Gate) string {
	if !g.Bounded() {
		return ""
	}
	if g.Kind == selftest.Bias {
		return figure.Fixed(100**g.Lo, 2) + " to " + figure.Fixed(100**g.Hi, 2) + "%"
	}
	if g.Kind == selftest.Share {
		return figure.Fixed(100**g.Lo, 1) + " to " + figure.Fixed(100**g.Hi, 1) + "%"
	}
	digits := 1
	if g.Kind == selftest.Halves {
		digits = 2
	}
	return figure.Fixed(*g.Lo, digits) + " to " + figure.Fixed(*g.Hi, digits)
}

func gateLimit(g selftest.Gate) string {
	switch g.Sense {
	case selftest.AtMost:
		return "≤ " + gateValue(g, g.Gate)
	case selftest.AtLeast:
		return "≥ " + gateValue(g, g.Gate)
	}
	if g.N == 0 {
		return fmt.Sprintf("%s ± %.0e", gateValue(g, g.Gate), g.Tolerance)
	}
	return gateValue(g, g.Gate) + " ± " + gateValue(g, g.Tolerance)
}

func simulations(n int) string {
	if n == 0 {
		return "exact"
	}
	return strconv.Itoa(n)
}
