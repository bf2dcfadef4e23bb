package factorial_test

import (
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// factored is a cell with the attribution of a half fraction, whose one pair of interactions is told from none.
func factored() finding.Cell {
	part := .75
	share := func(lo, hi float64, factors ...string) factorial.Share {
		return factorial.Share{Factors: factors, Ratio: (lo + hi) / 2, Bounds: figure.Between(lo, hi)}
	}
	total := share(.6, .7, "a", "b", "c", "d")
	first := share(.7, .8, "a")
	first.OfTotal = &part
	pair, none := share(.90, .95, "a", "b"), share(.98, 1.03, "a", "c")
	pair.Alias, none.Alias = []string{"c", "d"}, []string{"b", "d"}
	return finding.Cell{
		Machine: "m1", Workload: "kafka", Params: map[string]string{"a": "off", "topic": "t"}, Load: "4 clients",
		Metric: record.Throughput, Primary: true, Unit: "op/s", Better: record.Higher,
		Estimate: estimate.Estimate{Value: 1e5}, N: 5,
		Found: factorial.KindAttribution.New(
			&factorial.Attribution{Design: record.DesignHalf, Relation: record.HalfRelation, Blocks: 5, SD: .021, Total: &total,
				Factors: []factorial.TwoLevels{{Factor: "kafka.a", From: "off", To: "on"}, {Factor: "b", From: "1", To: "2"},
					{Factor: "c", From: "x", To: "y"}, {Factor: "d", From: "n", To: "m"}},
				Shares:       []factorial.Share{first, share(.97, 1.01, "b"), share(1.02, 1.03, "c"), share(2.1, 2.4, "d")},
				Interactions: []factorial.Share{pair, none}, Doubts: note.FromRecords([]string{"something is odd"})}),
	}
}

func TestAttributionInWords(t *testing.T) {
	var said []string
	for _, n := range sentences(show([]finding.Cell{factored()})) {
		said = append(said, n.Lead+": "+n.Text)
	}
	for i, want := range []string{
		"factors: throughput by kafka.a (off to on), b (1 to 2), c (x to y), d (n to m): half fraction, I = ABCD of the " +
			"factors A to D as they stand here: a share holds if no three interact, 5 blocks, runs scatter by 2.1%",
		"total: all at the second level against all at the first: 30.0% to 40.0% less",
		"share: a: 20.0% to 30.0% less, 75% of the total",
		"share: b: between 3.0% less and 1.0% more",
		"share: c: 2.0% to 3.0% more",
		"share: d: 2.10x to 2.40x as much",
		"together: a x b or c x d: 5.0% to 10.0% less beyond what they do apart",
		"together: a x c or b x d: not significant; at most 2.0% less or 3.0% more",
		"note: something is odd",
	} {
		if i >= len(said) || said[i] != want {
			t.Errorf("line %d of %q\nwant %q", i, said, want)
		}
	}
	if none := sentences(show([]finding.Cell{{Primary: true}})); len(none) != 0 {
		t.Errorf("of no factorial: %v", none)
	}
	c := factored()
	factorial.KindAttribution.Of(c).Total, factorial.KindAttribution.Of(c).Shares = nil, nil
	if got := sentences(show([]finding.Cell{c})); len(got) != 2 || got[1].Lead != "note" {
		t.Errorf("without figures: %v", got)
	}
}

// TestFactorPlot: the total, four shares and the interaction that was told from none, each with a whisker.
func TestFactorPlot(t *testing.T) {
	got := block.Of[block.Plot](show([]finding.Cell{factored(), {Primary: true}}))
	if len(got) != 1 || len(got[0].Rows) != 6 || got[0].One == nil || !got[0].Whiskers {
		t.Fatalf("%+v", got)
	}
	for i, want := range []string{"total", "a", "b", "c", "d", "together beyond apart: a x b or c x d"} {
		if r := got[0].Rows[i]; r.Label != want || r.Span == nil || !r.Span.Bounded() {
			t.Errorf("row %d: %+v, want %s", i, r, want)
		}
	}
}

func TestMachineByFactorInWords(t *testing.T) {
	change := factorial.Share{Factors: []string{"tls"}, Ratio: 1.1, Bounds: figure.Between(1.05, 1.15)}
	m := factorial.MachineByFactor{Workload: "kafka", Params: map[string]string{"tls": "off", "topic": "t"},
		Load: "4 clients", Metric: record.Throughput, Better: record.Higher, Design: record.DesignFull,
		Factors: []factorial.TwoLevels{{Factor: "kafka.tls", From: "off", To: "on"}}, Paired: true, BlocksA: 5, BlocksB: 5,
		First: &factorial.Gap{Levels: []string{"off"}, Ratio: 1.2, Bounds: figure.Between(1.18, 1.22)}, Change: &change,
		Shares: []factorial.Share{{Factors: []string{"tls"}, Ratio: 1, Bounds: figure.Between(.99, 1.02)}}}
	var said []string
	found := []factorial.MachineByFactor{m, {Metric: "x", Doubts: note.FromRecords([]string{"m5d: no shares"})}}
	pair := finding.Pair{A: "m5d", B: "m6gd", Found: factorial.KindByFactor.Each(found)}
	for _, n := range sentences(factorial.Analyzers()[1].Says(&finding.PairView{Pair: pair})) {
		said = append(said, n.Lead+": "+n.Text)
	}
	for i, want := range []string{
		"factors: machine x factor, kafka, topic=t, 4 clients, throughput by kafka.tls (off to on): full factorial, 5 " +
			"blocks on both machines side by side",
		"gap: at kafka.tls=off, m6gd against m5d: 18.0% to 22.0% more",
		"gap: from the first to the last of these it changes by 5.0% to 15.0% more, of which",
		"share: machine x tls: between 1.0% less and 2.0% more: not significant",
		"factors: machine x factor, x by : not known",
		"note: m5d: no shares",
	} {
		if i >= len(said) || said[i] != want {
			t.Errorf("line %d of %q\nwant %q", i, said, want)
		}
	}
}

func show(cells []finding.Cell) []block.Block {
	return factorial.Analyzers()[0].Show(finding.NewView(cells))
}

func sentences(all []block.Block) []block.Sentence { return block.Of[block.Sentence](all) }
