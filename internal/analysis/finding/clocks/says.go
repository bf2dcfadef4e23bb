package clocks

import (
	"fmt"
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// least is the difference of two clocks, as a fraction, from which on a sentence states it.
const least = 0.01

// says returns a sentence for each workload of which a cell ran at different clocks.
func says(v *finding.PairView) []block.Block {
	var out []block.Block
	for _, cells := range finding.GroupBy(KindClocks.All(v), func(c Clocks) string { return c.Workload }) {
		differing := byThat(cells, Clocks.differs)
		if len(differing) == 0 {
			continue
		}
		if sure := byThat(differing, Clocks.measured); len(sure) > 0 {
			out = append(out, block.Sentence{Lead: "clock", Tone: block.Warn, Text: claim(sure, len(cells), v.LabelA, v.LabelB)})
			continue
		}
		first := differing[0]
		text := fmt.Sprintf("%s states %s, %s %s; %s: %s", v.LabelB, gigahertz(first.B.MHz), v.LabelA, gigahertz(first.A.MHz),
			first.Caveats()[0].Text(), place(differing, len(cells)))
		out = append(out, block.Sentence{Lead: "clock", Tone: block.Dim, Text: text})
	}
	return append(out, plots(v)...)
}

func byThat(all []Clocks, keep func(Clocks) bool) []Clocks {
	var out []Clocks
	for _, c := range all {
		if keep(c) {
			out = append(out, c)
		}
	}
	return out
}

// differs reports whether the clocks differ by more than they scatter; of too few replicates, by estimate.
func (c Clocks) differs() bool {
	certain := !c.Bounded() || c.Excludes(1)
	return certain && math.Abs(math.Log(c.Ratio)) > math.Log1p(least)
}

// measured reports whether both clocks are certainly the real ones.
func (c Clocks) measured() bool { return c.A.Source == measured && c.B.Source == measured }

// claim states by how much the clock of b differs, in one cell or over several.
func claim(cells []Clocks, of int, a, b string) string {
	clock, per, n := hull(cells)
	said := figure.Claim{Subject: b, Object: a, Metric: "clock", Direction: record.Neutral, Ratio: clock, N: n,
		Each: figure.PairOrRun(cells[0].Paired)}
	text := said.Sentence() + ", " + gigahertz(cells[0].B.MHz) + " against " + gigahertz(cells[0].A.MHz) + " on average"
	if len(cells) > 1 {
		text = said.Sentence()
	}
	if per.Bounded() {
		text += fmt.Sprintf("; throughput per GHz is %s", figure.Percents(*per.Lo, *per.Hi, "higher", "lower"))
	}
	return text + ": " + place(cells, of)
}

// hull returns the intervals that hold those of all cells, and the fewest replicates. The one of throughput per GHz is
// without bounds if a cell has none.
func hull(cells []Clocks) (clock, per figure.Estimate, n int) {
	clock, n = cells[0].Around(cells[0].Ratio), cells[0].N
	per = spanOf(cells[0].PerGHz)
	for _, c := range cells[1:] {
		clock = joined(clock, c.Around(c.Ratio))
		per = joined(per, spanOf(c.PerGHz))
		n = min(n, c.N)
	}
	return clock, per, n
}

func spanOf(e *estimate.Estimate) figure.Estimate {
	if e == nil {
		return figure.Estimate{}
	}
	return *e
}

func joined(a, b figure.Estimate) figure.Estimate {
	if !a.Bounded() || !b.Bounded() {
		return figure.Estimate{Value: a.Value}
	}
	return figure.Between(min(*a.Lo, *b.Lo), max(*a.Hi, *b.Hi)).Around(a.Value)
}

func gigahertz(mhz float64) string {
	return figure.Scale{Factor: 1, Unit: "GHz"}.Text(mhz/1e3, figure.Digits)
}

// place names the cells: one by its parameters, several by their number.
func place(cells []Clocks, of int) string {
	c := cells[0]
	if len(cells) == 1 {
		return finding.Placed(c.Workload, c.Wording.Of(c.Params), c.Load, "")
	}
	return fmt.Sprintf("%s, %d of %d cells", c.Workload, len(cells), of)
}
