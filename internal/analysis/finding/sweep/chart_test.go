package sweep

import (
	"math"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestSizeCharts(t *testing.T) {
	charts := sizeCharts(viewed([]string{x86Box, armBox}, erasureCells()...))
	if len(charts) != 2 || charts[0].Title != "erasure, one CPU" || charts[1].Title != "erasure, all CPUs" {
		t.Fatalf("got %+v, want a chart for one and one for all CPUs", charts)
	}
	one := charts[0]
	if len(one.Lines) != 2 || one.Lines[0].Name != armBox || one.Lines[0].Colour == one.Lines[1].Colour ||
		one.Lines[0].Shape == one.Lines[1].Shape {
		t.Errorf("the machines' lines are %+v", one.Lines)
	}
	if !one.X.Log || len(one.X.Ticks) != 10 || one.X.Ticks[0].Text != "32KiB" || one.X.Ticks[9].Text != "16MiB" {
		t.Errorf("the axis is %+v", one.X)
	}
	if got := one.Lines[0].Tips[0]; got != "32KiB: 5.98 to 6.22 GB/s, in cache" {
		t.Errorf("the first point is told as %q", got)
	}
	if one.Y.Unit != "GB/s" || math.Abs(float64(one.Lines[0].Y[0])-6.1) > .001 || one.Y.Lo != 0 {
		t.Errorf("the axis is %+v, the first value %v", one.Y, one.Lines[0].Y[0])
	}
}

// TestZones: where two machines' caches differ there is no zone.
func TestZones(t *testing.T) {
	at := func(regimes ...string) curve {
		b := &BySize{Param: "size"}
		for i, r := range regimes {
			b.Points = append(b.Points, SizePoint{Size: math.Pow(4, float64(i+5)), Estimate: estimate.Estimate{Value: 1},
				Regime: r})
		}
		return curve{Cell: finding.Cell{Found: KindBySize.New(b)}}
	}
	curves := []curve{
		at(record.RegimeCache, record.RegimeCache, record.RegimeBetween, record.RegimeDRAM),
		at(record.RegimeCache, record.RegimeCache, record.RegimeCache, record.RegimeDRAM),
	}
	x := block.MeasuredAxis("size", []float64{1 << 10, 1 << 12, 1 << 14, 1 << 16}, sizeText)
	want := []block.Zone{
		{From: x.Lo, To: 1 << 13, Kind: record.RegimeCache, Text: "cache"},
		{From: 1 << 15, To: x.Hi, Kind: record.RegimeDRAM, Text: "DRAM"},
	}
	if got := sizeZones(curves, x); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestLevelsOfOneMachine have colours of their own.
func TestLevelsOfOneMachine(t *testing.T) {
	a := sizeCell("m", "1 cpus", 6e9, 1<<20)
	b := sizeCell("m", "1 cpus", 5e9, 1<<20)
	a.Params["path"], b.Params["path"] = "fast", "minio"
	lines := sizeCharts(viewed([]string{"m"}, a, b))[0].Lines
	if lines[0].Name != "path=fast" || lines[1].Name != "path=minio" || lines[0].Colour == lines[1].Colour {
		t.Errorf("got %+v", lines)
	}
}

func TestScaleChart(t *testing.T) {
	machines, cells := sweptCells()
	charts := scaleCharts(viewed(machines, cells...))
	if len(charts) != 1 || len(charts[0].Lines) != 3*3 {
		t.Fatalf("got %+v, want points, curve and ideal of three machines in one chart", charts)
	}
	notes := map[string]string{}
	for i := 0; i < 9; i += 3 {
		points, curve, ideal := charts[0].Lines[i], charts[0].Lines[i+1], charts[0].Lines[i+2]
		last := curve.Y[curvePoints-1]
		if curve.X[0] != points.X[0] || curve.X[curvePoints-1] != points.X[7] || math.Abs(float64(last/points.Y[7])-1) > .02 {
			t.Errorf("%s: the curve runs from %v to %v at %v, its points to %v", points.Name, curve.X[0], curve.X[curvePoints-1],
				last, points.Y[7])
		}
		if ideal.X[0] != 0 || ideal.Y[0] != 0 || float64(ideal.Y[1]) < .999*float64(last) {
			t.Errorf("%s: the ideal line %v to %v is below the curve's end %v", points.Name, ideal.X, ideal.Y, last)
		}
		for _, n := range points.Notes {
			notes[points.Name] += strconv.Itoa(int(n.X)) + " " + n.Text + ";"
		}
	}
	want := map[string]string{"m7gd.2xlarge": "8 linear to here, peak;", "m6id.2xlarge": "4 linear to here;8 peak;",
		"old.2xlarge": "3 peak;"}
	for name, text := range want {
		if notes[name] != text {
			t.Errorf("%s is marked %q, want %q", name, notes[name], text)
		}
	}
}

// TestIdealIsCut: an ideal line that would leave the chart ends at its top, at
// its own slope, and leaves room for the points.
func TestIdealIsCut(t *testing.T) {
	_, cells := sweptCells()
	alone := slices.DeleteFunc(cells, func(c finding.Cell) bool { return c.Machine != "old.2xlarge" })
	c := scaleCharts(viewed([]string{"old.2xlarge"}, alone...))[0]
	s := KindScaling.Of(alone[len(alone)-1])
	top := idealRoom * *s.Peak.Hi * figure.ZoneRoom * (1 + figure.AxisPad)
	ideal := c.Lines[2]
	if got, want := float64(ideal.X[1]), top/s.Ideal(1); math.Abs(got/want-1) > 1e-9 ||
		math.Abs(float64(ideal.Y[1]/c.Y.Hi)-1) > 1e-9 {
		t.Errorf("the ideal line ends at %v, %v; want %v, %v", ideal.X[1], ideal.Y[1], want, c.Y.Hi)
	}
}

// ladder is a machine's sweep of clients.
func ladder(machine, warehouses string, values ...float64) finding.Cell {
	c := finding.Cell{
		Machine: machine, Workload: "tpcc", Load: "128 clients", Metric: record.Throughput, Primary: true, Unit: "op/s",
		Better: record.Higher,
		Params: map[string]string{"warehouses": warehouses, "clients": "128"},
		Found:  KindByClients.New(&ByClients{Metric: record.Throughput, Unit: "op/s"}),
	}
	for i, v := range values {
		KindByClients.Of(c).Points = append(KindByClients.Of(c).Points,
			ClientPoint{Clients: float64(int(16) << i), Estimate: bounded(v, v*.99, v*1.01), N: 3})
	}
	return c
}

func crossedAt(warehouses string) finding.Compared {
	params := map[string]string{"warehouses": warehouses}
	gain := finding.Comparison{Workload: "tpcc", Params: map[string]string{"warehouses": warehouses, "clients": "16"},
		Load:   "16 clients",
		Metric: record.Throughput, Primary: true, Per: "machine", Unit: "op/s", A: 1000, N: 3, Ratio: 1.155,
		Bounds: figure.Between(1.149, 1.161)}
	dollar := gain
	dollar.Per = "dollar"
	return finding.Compared{Pairs: []finding.Pair{
		{A: "m5d", B: "m6gd", By: "machine", Verdicts: []finding.Comparison{dollar, gain},
			Found: crossover.KindCrossing.Each([]crossover.Crossing{
				{Workload: "tpcc", Params: params, Metric: record.Throughput, Per: "dollar", Axis: "clients", Lo: 90,
					Hi: 110, FromBetter: "b", ToBetter: "a"},
				{Workload: "tpcc", Params: params, Metric: record.Throughput, Per: "machine", Axis: "clients", Lo: 32,
					Hi: 64, FromBetter: "b", ToBetter: "a"},
			})}}}
}

// TestClientCharts: the machines that measured the same share a chart, with the gain at each number of clients and the
// range in which they cross.
func TestClientCharts(t *testing.T) {
	cells := []finding.Cell{ladder("m5d", "10", 1000, 1500), ladder("m6gd", "10", 1155, 1600),
		ladder("m5d", "200", 900, 1400), ladder("m6gd", "200", 950, 1300)}
	v := viewed([]string{"m5d", "m6gd"}, cells...)
	v.Compared = []finding.Compared{crossedAt("200"), crossedAt("10")}
	charts := block.Of[block.Chart](clientCharts(v))
	if len(charts) != 2 || charts[0].ID != "x-clients-1" || charts[0].Title != "tpcc, warehouses=10" ||
		charts[1].Title != "tpcc, warehouses=200" {
		t.Fatalf("%+v", charts)
	}
	ch := charts[0]
	if len(ch.Lines) != 2 || ch.Lines[0].Name != "m5d" || ch.Lines[0].Colour == ch.Lines[1].Colour ||
		len(ch.Lines[1].Lo) != 2 || !ch.Lines[1].Joined {
		t.Errorf("lines %+v", ch.Lines)
	}
	if got := ch.Lines[1].Tips[0]; got != "16 clients: 1.143k to 1.167k tps, +14.9% to +16.1% over m5d" {
		t.Errorf("the first point is told as %q", got)
	}
	if strings.Contains(ch.Lines[0].Tips[0], "%") {
		t.Errorf("the baseline gains on itself: %q", ch.Lines[0].Tips[0])
	}
	if len(ch.X.Ticks) != 2 || ch.X.Ticks[1].Text != "32" || !ch.X.Log || ch.Y.Lo != 0 {
		t.Errorf("axes %+v %+v", ch.X, ch.Y)
	}
	if len(ch.Zones) != 1 || ch.Zones[0].From != 32 || ch.Zones[0].To != 64 || ch.Zones[0].Text != "crossing" {
		t.Errorf("zones %+v", ch.Zones)
	}
	if !strings.HasSuffix(ch.Hint, "m6gd is better at low clients, m5d at high: they cross between 32 and 64") {
		t.Errorf("hint %q", ch.Hint)
	}
}

// TestClientsOfOneMachine: nothing is gained on anything, and two lines of one machine have colours of their own.
func TestClientsOfOneMachine(t *testing.T) {
	charts := block.Of[block.Chart](clientCharts(viewed([]string{"m5d"}, ladder("m5d", "10", 1000, 1500))))
	if len(charts) != 1 || len(charts[0].Zones) != 0 || charts[0].Lines[0].Tips[1] != "32 clients: 1.49k to 1.51k tps" {
		t.Errorf("%+v", charts)
	}
}

func TestCeilingPlot(t *testing.T) {
	cells := []finding.Cell{ofMemory(armBox, new(.59), .61, new(.63)), ofMemory(x86Box, nil, .97, nil)}
	plots := ceilingPlot(viewed([]string{x86Box, armBox}, cells...))
	if len(plots) != 1 {
		t.Fatalf("%+v", plots)
	}
	p := plots[0]
	want := []string{
		armBox + ", all cpus | 59.0% to 63.0% of 182 GB/s", x86Box + ", all cpus | 97.0%, no interval of 182 GB/s",
	}
	var got []string
	for _, r := range p.Rows {
		got = append(got, r.Label+" | "+r.Figure)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.One == nil || *p.Rows[0].Foot != 0 || p.Rows[1].Span.Bounded() ||
		!strings.Contains(p.Rows[0].Tip, "memory copy at all cpus") {
		t.Errorf("got %+v", p)
	}
	if got := ceilingPlot(viewed(nil, erasureCells()...)); len(got) > 0 {
		t.Error("a plot of no share")
	}
}

// TestScaleChartOfSingleRuns: what was measured once at each number of CPUs is drawn without whiskers, on an axis that
// ends above it.
func TestScaleChartOfSingleRuns(t *testing.T) {
	in := sweptInput()
	var once []record.Trial
	for _, trial := range in.Trials {
		if trial.Replicate == 0 {
			once = append(once, trial)
		}
	}
	var cells []finding.Cell
	for _, f := range scalings(finding.NewInput(once, in.Machines, nil)) {
		if f.Body != nil && f.Cells[0].Machine == "m7gd.2xlarge" {
			c := cellOf("m7gd.2xlarge", "aes-gcm", f.Cells[0].Load)
			c.Found = []finding.Finding{f}
			cells = append(cells, c)
		}
	}
	charts := scaleCharts(viewed([]string{"m7gd.2xlarge"}, cells...))
	if len(charts) != 1 || len(charts[0].Lines) != 3 || charts[0].Y.Unit != "GB/s" || !(charts[0].Y.Hi > 46) ||
		!(charts[0].Y.Hi < 100) {
		t.Fatalf("got %+v", charts)
	}
	points := charts[0].Lines[0]
	if len(points.Y) != 8 || figure.IsFinite(float64(points.Lo[7])) || !strings.Contains(points.Tips[7], "no interval") {
		t.Errorf("got %+v", points)
	}
}
