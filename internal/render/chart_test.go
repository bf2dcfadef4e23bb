package render

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/block"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/media/html"
	"plimsoll/internal/record"
)

func TestSizeCharts(t *testing.T) {
	machines := []string{x86Box, armBox}
	erasure := slices.DeleteFunc(kernels().Workloads, func(c finding.Cell) bool { return c.Workload != "erasure" })
	charts := sizeCharts(viewed("id", erasure, machines))
	if len(charts) != 2 || charts[0].Title != "erasure, one CPU" || charts[1].Title != "erasure, all CPUs" {
		t.Fatalf("got %+v, want a chart for one and one for all CPUs", charts)
	}
	one := charts[0]
	if len(one.Lines) != 2 || one.Lines[0].Name != armBox || one.Lines[0].Colour == one.Lines[1].Colour || one.Lines[0].Shape == one.Lines[1].Shape {
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
	at := func(regimes ...string) finding.Cell {
		b := &sweep.BySize{Param: "size"}
		for i, r := range regimes {
			b.Points = append(b.Points, sweep.SizePoint{Size: math.Pow(4, float64(i+5)), Estimate: estimate.Estimate{Value: 1}, Regime: r})
		}
		return finding.Cell{Found: sweep.KindBySize.New(b)}
	}
	cells := []finding.Cell{
		at(record.RegimeCache, record.RegimeCache, record.RegimeBetween, record.RegimeDRAM),
		at(record.RegimeCache, record.RegimeCache, record.RegimeCache, record.RegimeDRAM),
	}
	x := block.MeasuredAxis("size", []float64{1 << 10, 1 << 12, 1 << 14, 1 << 16}, sizeLabel)
	want := []block.Zone{
		{From: x.Lo, To: 1 << 13, Kind: record.RegimeCache, Text: "cache"}, {From: 1 << 15, To: x.Hi, Kind: record.RegimeDRAM, Text: "DRAM"},
	}
	if got := sizeZones(cells, x); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestLevelsOfOneMachine have colours of their own.
func TestLevelsOfOneMachine(t *testing.T) {
	a := withSizes(kernelCell("m", "erasure", "16MiB", "1 cpus", 6e9), 1<<15, 1<<24, 1<<20)
	b := withSizes(kernelCell("m", "erasure", "16MiB", "1 cpus", 5e9), 1<<15, 1<<24, 1<<20)
	a.Params["path"], b.Params["path"] = "fast", "minio"
	lines := sizeCharts(viewed("id", []finding.Cell{a, b}, []string{"m"}))[0].Lines
	if lines[0].Name != "path=fast" || lines[1].Name != "path=minio" || lines[0].Colour == lines[1].Colour {
		t.Errorf("got %+v", lines)
	}
}

func TestScaleChart(t *testing.T) {
	shown := sweeps()
	charts := scaleCharts(viewed("x", shown.Workloads, machineNames(shown)))
	if len(charts) != 1 || len(charts[0].Lines) != 3*3 {
		t.Fatalf("got %+v, want points, curve and ideal of three machines in one chart", charts)
	}
	inside(t, elements(t, reportText(t, Page{Title: "scaling", Shown: shown})))
	notes := map[string]string{}
	for i := 0; i < 9; i += 3 {
		points, curve, ideal := charts[0].Lines[i], charts[0].Lines[i+1], charts[0].Lines[i+2]
		last := curve.Y[curvePoints-1]
		if curve.X[0] != points.X[0] || curve.X[curvePoints-1] != points.X[7] || math.Abs(float64(last/points.Y[7])-1) > .02 {
			t.Errorf("%s: the curve runs from %v to %v at %v, its points to %v", points.Name, curve.X[0], curve.X[curvePoints-1], last, points.Y[7])
		}
		if ideal.X[0] != 0 || ideal.Y[0] != 0 || float64(ideal.Y[1]) < .999*float64(last) {
			t.Errorf("%s: the ideal line %v to %v is below the curve's end %v", points.Name, ideal.X, ideal.Y, last)
		}
		for _, n := range points.Notes {
			notes[points.Name] += strconv.Itoa(int(n.X)) + " " + n.Text + ";"
		}
	}
	want := map[string]string{"m7gd.2xlarge": "8 linear to here, peak;", "m6id.2xlarge": "4 linear to here;8 peak;", "old.2xlarge": "3 peak;"}
	for name, text := range want {
		if notes[name] != text {
			t.Errorf("%s is marked %q, want %q", name, notes[name], text)
		}
	}
}

// inside checks that nothing of a drawing lies outside of it.
func inside(t *testing.T, all []element) {
	t.Helper()
	seen := 0
	for _, e := range all {
		for _, pair := range strings.Fields(e.attrs["points"]) {
			x, y, _ := strings.Cut(pair, ",")
			at, err := strconv.ParseFloat(x, 64)
			height, err2 := strconv.ParseFloat(y, 64)
			if seen++; err != nil || err2 != nil || !(at >= 0 && at <= html.StrokeWidth && height >= 0 && height <= html.ChartHeight) {
				t.Errorf("a line passes %q", pair)
			}
		}
	}
	if seen == 0 {
		t.Error("no line is drawn")
	}
}

// TestIdealIsCut: an ideal line that would leave the chart ends at its top, at
// its own slope, and leaves room for the points.
func TestIdealIsCut(t *testing.T) {
	alone := slices.DeleteFunc(sweeps().Workloads, func(c finding.Cell) bool { return c.Machine != "old.2xlarge" })
	c := scaleCharts(viewed("x", alone, []string{"old.2xlarge"}))[0]
	s := sweep.KindScaling.Of(alone[len(alone)-1])
	top := idealRoom * s.Peak.Hi * (1 + figure.AxisPad)
	ideal := c.Lines[2]
	if got, want := float64(ideal.X[1]), top/s.Ideal(1); math.Abs(got/want-1) > 1e-9 || math.Abs(float64(ideal.Y[1]/c.Y.Hi)-1) > 1e-9 {
		t.Errorf("the ideal line ends at %v, %v; want %v, %v", ideal.X[1], ideal.Y[1], want, c.Y.Hi)
	}
}

func TestTimeline(t *testing.T) {
	nan := math.NaN()
	c, ok := timeline("id", Track{Label: "l", Unit: "B/s", StepS: 1, Values: []float64{0, 2e9, nan, 1e9}})
	if !ok || c.Y.Unit != "GB/s" || c.Desc != "over 4.00 s, at most 2.00 GB/s" {
		t.Errorf("got %+v", c)
	}
	var lines []string
	for _, s := range html.Drawn(c).Strokes {
		lines = append(lines, s.Points)
	}
	if want := []string{"0.0,240.0 250.0,11.4", "750.0,125.7"}; !slices.Equal(lines, want) {
		t.Errorf("drawn as %q, want %q", lines, want)
	}
	if _, ok := timeline("id", Track{StepS: 1, Values: []float64{nan}}); ok {
		t.Error("a timeline without a value")
	}
	spiky := make([]float64, 60000)
	spiky[31234] = 1
	long, _ := timeline("id", Track{Values: spiky, StepS: 0.001})
	points := html.Drawn(long).Strokes[0].Points
	if n := len(strings.Fields(points)); n > 2*(html.StrokePoints+1) {
		t.Errorf("%d points of 60000 values", n)
	}
	if !strings.Contains(points, ",11.4 ") {
		t.Error("a single spike is lost")
	}
}

func TestChartData(t *testing.T) {
	c, _ := timeline("id", Track{Label: evil, Unit: "B/s", StepS: .1, Values: []float64{1.23456789e9, math.NaN(), math.Inf(1)}})
	text, err := html.ChartData([]block.Chart{c}, nil)
	if err != nil || strings.Contains(text, "<") {
		t.Fatalf("%v: %s", err, text)
	}
	var got struct {
		Shapes map[string]string
		Charts []struct {
			Lines []struct {
				Name string
				Step float64
				Y    []*float64
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	line := got.Charts[0].Lines[0]
	if line.Name != evil || line.Step != .1 || *line.Y[0] != 1.23457 || line.Y[1] != nil || line.Y[2] != nil || len(got.Shapes) != len(block.Shapes()) {
		t.Errorf("got %s", text)
	}
}
