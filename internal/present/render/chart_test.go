package render

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/present/media/html"
	"plimsoll/internal/record/block"
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
			if seen++; err != nil || err2 != nil ||
				!(at >= 0 && at <= html.StrokeWidth && height >= 0 && height <= html.ChartHeight) {
				t.Errorf("a line passes %q", pair)
			}
		}
	}
	if seen == 0 {
		t.Error("no line is drawn")
	}
}

func TestChartData(t *testing.T) {
	c := timeChart("id", evil, "B/s", .1, []float64{1.23456789e9, math.NaN(), math.Inf(1)})
	text, err := html.ChartData([]block.Chart{c}, nil, nil)
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
	if line.Name != evil || line.Step != .1 || *line.Y[0] != 1.23457 || line.Y[1] != nil || line.Y[2] != nil ||
		len(got.Shapes) != len(block.Shapes()) {
		t.Errorf("got %s", text)
	}
}
