package render

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"plimsoll/internal/selftest"
)

// Selftest writes a certificate: what failed, each gate with what was simulated, and
// what is not built. The error is the writer's.
func Selftest(w io.Writer, style Style, c selftest.Certificate) error {
	p := newPrinter(w, style)
	failed, known := c.Failed(), c.KnownBad()
	p.note(0, note{Text: fmt.Sprintf("%s: %d passed, %d failed, %d known to be bad and shown; %d simulations of each, seed %d",
		count(len(c.Gates), "gate"), len(c.Gates)-len(failed)-len(known), len(failed), len(known), c.Simulations, c.Seed)}, 0)
	for _, g := range failed {
		p.note(0, note{"FAILED", bad, fmt.Sprintf("%s: %s, gate %s", g.Name, gateValue(g, g.Value), gateLimit(g))}, 0)
	}
	p.gap()
	p.table(0, gateTable(c.Gates))
	if len(c.NotBuilt) > 0 {
		p.gap()
	}
	for _, text := range c.NotBuilt {
		p.note(0, note{"not built", warn, text}, 0)
	}
	return p.err
}

func gateTable(gates []selftest.Gate) table {
	t := table{Spare: []string{"n", "90 % interval"}, Columns: []column{
		{Name: "result"}, {"value", true}, {"90 % interval", true}, {"gate", true}, {"n", true}, {Name: "test"},
	}}
	for _, g := range gates {
		t.Rows = append(t.Rows, []cell{
			gateResult(g), {Text: gateValue(g, g.Value)}, {Text: gateInterval(g)}, {Text: gateLimit(g)}, {Text: simulations(g.N)}, {Text: g.Name},
		})
	}
	return t
}

func gateResult(g selftest.Gate) cell {
	switch {
	case g.KnownBad:
		return cell{"known bad", dim}
	case g.Pass:
		return cell{"pass", good}
	}
	return cell{"FAILED", bad}
}

func gateValue(g selftest.Gate, v float64) string {
	switch g.Kind {
	case selftest.Share:
		return fixed(100*v, 1) + " %"
	case selftest.Pairs:
		return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) + " pairs"
	}
	const six = 6
	return strconv.FormatFloat(v, 'g', six, 64)
}

func gateInterval(g selftest.Gate) string {
	if g.Lo == nil || g.Hi == nil {
		return ""
	}
	if g.Kind == selftest.Share {
		return fixed(100**g.Lo, 1) + " to " + fixed(100**g.Hi, 1) + " %"
	}
	return fixed(*g.Lo, 1) + " to " + fixed(*g.Hi, 1)
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
