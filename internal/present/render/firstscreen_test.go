package render

import (
	"fmt"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/record/block"
)

func TestChiefDrawing(t *testing.T) {
	chief, forest, plot := block.Chart{ID: "line", Chief: true}, block.Plot{ID: "forest", Whiskers: true, One: new(1.0),
		Rows: make([]block.Row, 2)}, block.Plot{ID: "trials"}
	chart := block.Chart{ID: "scaling"}
	folded := block.Section{Fold: true, Blocks: []block.Block{block.Plot{ID: "folded"}}}
	part := func(blocks ...block.Block) block.Section { return block.Section{Title: "part", Blocks: blocks} }
	for name, c := range map[string]struct {
		parts []block.Section
		want  string
		left  int // blocks of the parts
		pairs int
	}{
		"a load line before a forest": {
			[]block.Section{part(forest), part(block.Sentence{}, block.Section{Blocks: []block.Block{plot, chief}})}, "line",
			3, 1},
		"a forest before single runs": {[]block.Section{part(plot), part(forest, block.Sentence{})}, "forest",
			2, 1},
		"a chart before a forest of 64 rows": {[]block.Section{part(block.Plot{ID: "long", Whiskers: true, One: new(1.0),
			Rows: make([]block.Row, 64)}), part(chart)}, "scaling", 1, 1},
		"a chart of all sides before one pair of many": {[]block.Section{part(forest), part(chart)}, "scaling", 1, 3},
		"the first drawing, and no empty part stays":   {[]block.Section{part(plot), part(block.Sentence{})}, "trials", 1, 0},
		"none that is folded":                          {[]block.Section{part(folded)}, "", 1, 0},
	} {
		taken, rest := chiefDrawing(c.parts, c.pairs)
		got, left := "", 0
		for _, b := range taken {
			switch b := b.(type) {
			case block.Chart:
				got = b.ID
			case block.Plot:
				got = b.ID
			}
		}
		for _, s := range rest {
			left += len(s.Blocks)
		}
		if got != c.want || left != c.left {
			t.Errorf("%s: %q, %d blocks left, want %q and %d", name, got, left, c.want, c.left)
		}
	}
}

func TestChiefStats(t *testing.T) {
	var all []block.Stat
	for i := range 5 {
		all = append(all, block.Stat{Kind: block.CostStat, Label: "cost", Text: fmt.Sprint("$", i)},
			block.Stat{Kind: block.VerdictStat, Label: "change", Text: fmt.Sprint("+", i, "%")},
			block.Stat{Kind: block.ValueStat})
	}
	got := chiefStats(all)
	if len(got) != 2*mostStats || got[0].(block.Stat).Kind != block.VerdictStat ||
		got[mostStats].(block.Stat).Kind != block.CostStat {
		t.Errorf("got %v", got)
	}
	change := block.Stat{Label: "exec.command=b vs a", Text: "+47.4%", Tag: "worse"}
	again := change
	again.Label = "command=b vs a"
	handles := func(machine, text string) block.Stat {
		return block.Stat{Kind: block.CapacityStat, Label: machine, Of: machine, Text: text}
	}
	for name, c := range map[string]struct {
		all  []block.Stat
		want []string
	}{
		"one change, twice":           {[]block.Stat{change, again}, nil},
		"the capacity of one machine": {[]block.Stat{change, handles("m6g", "1 GB/s")}, nil},
		"capacities of two machines": {[]block.Stat{handles("m6g", "2 GB/s"), handles("m6i", "1 GB/s")},
			[]string{"2 GB/s", "1 GB/s"}},
		"a second workload on one of machines": {[]block.Stat{change, handles("m6g", "2 GB/s"), handles("m6i", "1 GB/s"),
			handles("m6g", "9 tps")}, []string{"+47.4%", "2 GB/s", "1 GB/s"}},
	} {
		var texts []string
		for _, b := range chiefStats(c.all) {
			texts = append(texts, b.(block.Stat).Text)
		}
		if !slices.Equal(texts, c.want) {
			t.Errorf("%s: %q, want %q", name, texts, c.want)
		}
	}
}

// TestBoard: results of many machines are a table of all, those of few are cards.
func TestBoard(t *testing.T) {
	var all []block.Stat
	for _, name := range []string{"m6g", "m7g", "c7g"} {
		all = append(all,
			block.Stat{Kind: block.VerdictStat, Label: name, Of: name, Column: "vs m6i", Text: "+5%", Tag: finding.Better,
				Short: "+4% to +6%"},
			block.Stat{Kind: block.CostStat, Label: name, Of: name, Column: "fleet", Text: "$5/month", Best: name == "m7g"})
	}
	if _, cards := firstResults(all)[0].(block.Stat); !cards {
		t.Error("three machines have no cards")
	}
	all = append(all, block.Stat{Kind: block.CapacityStat, Label: "m6i", Of: "m6i", Column: "handles", Text: "9k op/s"},
		block.Stat{Kind: block.VerdictStat, Of: "m7g", Column: "vs m5", Text: "of another baseline"})
	table, ok := firstResults(all)[0].(block.Table)
	if !ok || len(table.Rows) != 4 || len(table.Columns) != 1+3*2 {
		t.Fatalf("%+v", table)
	}
	text := map[string]string{}
	for _, row := range table.Rows {
		for _, c := range row[1:] {
			text[row[0].Text] += c.Text + "|"
		}
	}
	if text["m7g"] != "+5%|BETTER, +4% to +6%|n/a||$5/month||" || text["m6i"] != "baseline||9k op/s||n/a||" {
		t.Errorf("%q", text)
	}
	if best := table.Rows[1][5]; best.Tone != block.Good || table.Rows[0][5].Tone == block.Good {
		t.Errorf("what to take does not stand out: %+v", table.Rows)
	}
}

func TestMatrix(t *testing.T) {
	a, b := aesCell("m1", "16KiB", "1 cpu"), aesCell("m2", "16KiB", "1 cpu")
	s := sampleShown()
	s.Workloads = append(s.Workloads[:0:0], estimated(a, 7.0e9, 7.1e9, 7.2e9), estimated(b, 9.0e9, 9.1e9, 9.2e9))
	got := outcome.Matrix([]string{"m1", "m2"}, s)
	row := got[0].Blocks[0].(block.Table).Rows[0]
	if row[2].Text != "7.100" || row[2].Tone != block.Plain || row[3].Text != "9.100" || row[3].Tone != block.Strong ||
		row[4].Text != "GB/s" {
		t.Errorf("got %v", row)
	}
	s.Workloads[1] = estimated(b, 7.0e9, 7.1e9, 9.2e9)
	if row := outcome.Matrix([]string{"m1", "m2"}, s)[0].Blocks[0].(block.Table).Rows[0]; row[3].Tone == block.Strong {
		t.Errorf("the best of intervals that overlap: %v", row)
	}
	if got := outcome.Matrix([]string{"m1"}, s); got != nil {
		t.Errorf("a matrix of one machine: %v", got)
	}
}
