package cost

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// written is a machine's write bandwidth at a load.
func written(machine, load string, gb float64) finding.Cell {
	value := gb * 1e9
	lo, hi := .99*value, 1.01*value
	return finding.Cell{Machine: machine, Workload: "fio", Load: load, Metric: record.Throughput, Primary: true,
		Unit: "B/s", Better: record.Higher, N: 3, Estimate: figure.Between(lo, hi).Around(value)}
}

// sizedView is a view of machines, with their types of the catalogue.
func sizedView(t *testing.T, cells ...finding.Cell) *finding.View {
	t.Helper()
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	v := finding.NewView(cells)
	v.ID, v.Bases = "x", map[string]finding.Basis{}
	for _, c := range cells {
		if !slices.Contains(v.Machines, c.Machine) {
			v.Machines = append(v.Machines, c.Machine)
		}
		if of, err := known.Find(c.Machine); err == nil {
			price, _ := of.Price("2021-10")
			b := finding.Basis{Type: of.Name, Family: of.Family, Size: of.Size, VCPUs: float64(of.VCPUs),
				Cores: float64(of.Cores)}
			b.SetPrice(price.PerHour, "2021-10")
			v.Bases[c.Machine] = b
		}
	}
	return v
}

// redpanda is what Redpanda's article says of its chart of raw writes: "at each 2x step up in instance size,
// throughput almost exactly doubles", the 8xlarge is about 50% faster than the 4xlarge, and an is4gen 8x writes as
// much as an i3en 12x.
func redpanda() []finding.Cell {
	return []finding.Cell{
		written("is4gen.large", "", .25), written("is4gen.xlarge", "", .5), written("is4gen.2xlarge", "", 1),
		written("is4gen.4xlarge", "", 2), written("is4gen.8xlarge", "", 3), written("i3en.3xlarge", "", 1),
		written("i3en.6xlarge", "", 2), written("i3en.12xlarge", "", 3),
	}
}

// TestSizeChart draws families as the article does: over the sizes of the catalogue, smallest first, with the factor of
// each step.
func TestSizeChart(t *testing.T) {
	charts, plots := worthCharts(sizedView(t, redpanda()...))
	if len(charts) != 4 || len(plots) != 0 {
		t.Fatalf("%d charts and %d plots, want charts of the whole and per vCPU, core and dollar", len(charts), len(plots))
	}
	ch := charts[0]
	ticks := ""
	for _, tick := range ch.X.Ticks {
		ticks += tick.Text + "/" + tick.Short + " "
	}
	if ticks != "large/l xlarge/xl 2xlarge/2xl 3xlarge/3xl 4xlarge/4xl 6xlarge/6xl 8xlarge/8xl 12xlarge/12xl " ||
		ch.X.Name != "instance size" || ch.Y.Name != "throughput" || ch.Y.Unit != "GB/s" || ch.Title != "fio" {
		t.Errorf("%q, %+v over %q with %q", ch.Title, ch.Y, ch.X.Name, ticks)
	}
	is4gen, i3en := ch.Lines[0], ch.Lines[1]
	if is4gen.Name != "is4gen" || i3en.Name != "i3en" || is4gen.Colour == i3en.Colour || len(is4gen.Y) != 5 ||
		len(i3en.Y) != 3 || !(is4gen.Bar > 0) || is4gen.Joined || len(is4gen.Lo) != 5 {
		t.Errorf("lines %+v", ch.Lines)
	}
	words := ""
	for _, n := range is4gen.Notes {
		words += n.Text + " "
	}
	if words != "×2.0 ×2.0 ×2.0 ×1.5 " || len(i3en.Notes) != 2 || i3en.Notes[1].Text != "×1.5" {
		t.Errorf("the factors are %q and %+v", words, i3en.Notes)
	}
	if tip := is4gen.Tips[4]; tip != "8xlarge, 32 vCPUs: 2.97 to 3.03 GB/s, ×1.5 over 4xlarge, for 2 times the "+
		"vCPUs (n=3)" || !strings.Contains(ch.Desc, tip) {
		t.Errorf("told as %q, in words %q", tip, ch.Desc)
	}
	for i := range is4gen.X { // the bars of a size beside each other, those of is4gen at the left
		if math.Abs(float64(is4gen.X[i])-math.Round(float64(is4gen.X[i]))) > .4 {
			t.Errorf("a bar at %v", is4gen.X[i])
		}
	}
	if dollar := charts[3]; dollar.Y.Name != "throughput per dollar" || dollar.Lines[0].Notes[0].Text != "×1.0" {
		t.Errorf("per dollar %+v", dollar)
	}
}

// TestSizesAtTheirBestLoad: of several loads that saturate a machine it is the best, which differs; an offered rate
// saturates none.
func TestSizesAtTheirBestLoad(t *testing.T) {
	v := sizedView(t, written("c6g.large", "1 clients", 1), written("c6g.large", "8 clients", 2),
		written("c6g.xlarge", "8 clients", 3.5), written("c6g.xlarge", "64 clients", 4), written("c6g.xlarge", "9/s", 9))
	ch := first(t, v)
	if ch.Title != "fio, c6g, each machine at its best load" ||
		len(ch.Lines[0].Y) != 2 || ch.Lines[0].Y[1] != 4 || !strings.Contains(ch.Lines[0].Tips[0], "8 clients") {
		t.Errorf("%q %+v", ch.Title, ch.Lines)
	}
}

func first(t *testing.T, v *finding.View) block.Chart {
	t.Helper()
	charts, _ := worthCharts(v)
	if len(charts) == 0 {
		t.Fatal("no chart")
	}
	return charts[0]
}

// TestMetalHasAPlaceOfItsOwn beside the size with as many vCPUs, and a single size of each family is no chart.
func TestMetalHasAPlaceOfItsOwn(t *testing.T) {
	ch := first(t, sizedView(t, written("i3en.24xlarge", "", 4), written("i3en.metal", "", 4.2),
		written("i3en.12xlarge", "", 3)))
	if len(ch.X.Ticks) != 3 || len(ch.Lines[0].Y) != 3 || ch.X.Ticks[0].Text != "12xlarge" {
		t.Errorf("%+v", ch)
	}
	charts, plots := worthCharts(sizedView(t, written("i3en.24xlarge", "", 4), written("is4gen.8xlarge", "", 3)))
	if len(charts) != 0 || len(plots) == 0 {
		t.Errorf("%d charts and %d plots of one size each", len(charts), len(plots))
	}
}
