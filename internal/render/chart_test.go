package render

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/block"
	"plimsoll/internal/media/html"
)

// TestChartsStayInside: no line of a sweep's chart leaves its drawing.
func TestChartsStayInside(t *testing.T) {
	inside(t, elements(t, reportText(t, Page{Title: "scaling", Shown: sweeps()})))
	inside(t, elements(t, reportText(t, Page{Title: "sizes", Shown: kernels()})))
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
