package render

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/record/block"
)

// rowTexts are what the rows of a plot say.
func rowTexts(p block.Plot) []string {
	var out []string
	for _, r := range p.Rows {
		out = append(out, r.Label+" | "+r.Figure)
	}
	return out
}

func TestValuePlot(t *testing.T) {
	p, ok := block.Plot{}, false
	for _, s := range block.Of[block.Section](compare.Section(compare.View("id", kernelPairs().Pairs[0], 0), nil).Blocks) {
		for _, plot := range block.Of[block.Plot](s.Blocks) {
			if plot.ID == "id-value" {
				p, ok = plot, true
			}
		}
	}
	var got []string
	for _, r := range p.Rows {
		got = append(got, strings.Fields(r.Label)[1]+" "+r.Figure)
		if r.Guess != strings.Contains(r.Figure, "estimate") {
			t.Errorf("%+v: an estimate is pale and says so, nothing else is", r)
		}
	}
	want := []string{
		"vCPU +26.1% to +31.2%, better", "core -36.9% to -34.4%, worse", "dollar +57.6% to +64.0%, better",
		"watt +307.6% to +324.0%, estimate",
	}
	if !ok || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: only what fills both machines, each basis once", got, want)
	}
}

func TestWorthPlots(t *testing.T) {
	plots := block.Of[block.Plot](
		shown("worth")(priced(viewed("id", kernels().Workloads[:4], []string{x86Box, armBox}), bases())))
	var titles []string
	for _, p := range plots {
		titles = append(titles, p.Title)
	}
	want := []string{"erasure, throughput per vCPU", "erasure, throughput per core", "erasure, throughput per dollar",
		"erasure, throughput per watt"}
	if !slices.Equal(titles, want) {
		t.Fatalf("got %q, want %q", titles, want)
	}
	dollar := rowTexts(plots[2])
	// 192 GB/s for 2.176 $/h are 318 TB/$, 168 GB/s for 3.06 $/h are 198 TB/$.
	if want := []string{armBox + ", all cpus | 315 to 320 TB/$",
		x86Box + ", all cpus | 196 to 199 TB/$"}; !slices.Equal(dollar, want) {
		t.Errorf("got %q, want %q", dollar, want)
	}
	if plots[2].Rows[0].Guess || !plots[3].Rows[0].Guess || !strings.Contains(plots[3].Rows[1].Figure, "estimate") {
		t.Error("what stands on power that was not measured is not marked")
	}
}

func TestMachinesTable(t *testing.T) {
	s := kernels()
	table, _ := machinesTable([]string{armBox, x86Box}, s.Machines, bases())
	rows := map[string][]string{}
	for _, r := range table.Rows {
		rows[r[0].Text] = []string{r[1].Text, r[2].Text}
	}
	for name, want := range map[string][]string{
		"architecture": {"arm64", "amd64"}, "CPUs": {"64", "72"}, "cores per socket": {"64", "18"},
		"L1i":            {"64 KiB x 64", notKnown},
		"price per hour": {"2.176 $", "3.06 $"}, "price per vCPU and hour": {"0.03400 $", "0.04250 $"},
		"price from": {"2021-10, list", "--price"},
		"power":      {"110 W, rumoured", "400 W, rated"}, "power per core": {"1.72 W, rumoured", "11.1 W, rated"},
		"power from": {"press", "maker"},
	} {
		if !slices.Equal(rows[name], want) {
			t.Errorf("%s: %q, want %q", name, rows[name], want)
		}
	}
	alone, unknown := machinesTable([]string{armBox}, s.Machines, nil)
	if len(unknown) != 9 || slices.ContainsFunc(alone.Rows, func(r []block.Cell) bool { return r[1].Text == notKnown }) {
		t.Errorf("unknown %q, rows %v", unknown, alone.Rows)
	}
}
