package main

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// picture is the first chart of a page of `report`, in a frame with the page's own colours, as README and the tutorial
// show it.
type picture struct {
	file    string
	report  []string // its arguments
	caption string   // "": the chart's own
}

func pictures() []picture {
	return []picture{
		{file: "processors.svg", report: []string{"--articles"},
			caption: "Reed-Solomon 8+8 of 25 MB shards by CPUs, as MinIO published in 2020"},
		{file: "throughput.svg", report: []string{"../../examples/data/libraries.plimsoll.jsonl"}},
	}
}

//nolint:lll // a raw string
const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="HEIGHT" viewBox="0 0 760 HEIGHT" role="img">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b1f24; } .tick { font-size: 12px; fill: #59636e; } .word { font-size: 12px; fill: currentColor; }
.series0 { color: #123f82; } .series1 { color: #cc4800; } .series2 { color: #007d70; } .series3 { color: #b52ac4; } .series4 { color: #807144; } .series5 { color: #3154f9; }
.grid { stroke: #e8ebef; } .axis { stroke: #59636e; } .zone { fill: #f7f9fa; }
polyline { fill: none; stroke: currentColor; stroke-width: 2; vector-effect: non-scaling-stroke; } .mark { overflow: visible; }
.dash1 { stroke-dasharray: 7 4; } .faint { stroke-width: 1; stroke-dasharray: 4 4; stroke-opacity: .7; } .swatch line { stroke: currentColor; stroke-width: 2; }
.whisker { fill: none; stroke: currentColor; stroke-width: 1.5; } .point { fill: currentColor; }
</style>
<rect width="760" height="HEIGHT" fill="#fff"/>
<text x="20" y="26" font-weight="600">CAPTION</text>
LEGEND
<svg x="20" y="TOP" width="720" height="285">
CHART
</svg>
</svg>
`

// TestPictures: each picture is the chart that `report` draws, byte by byte.
func TestPictures(t *testing.T) {
	for _, p := range pictures() {
		page, file := filepath.Join(t.TempDir(), "page.html"), filepath.Join("../../docs", p.file)
		var complaint bytes.Buffer
		if code := start(slices.Concat([]string{"report"}, p.report, []string{"-o", page}), strings.NewReader(""), io.Discard,
			&complaint, func(string) string { return "" }); code != exitDone {
			t.Fatalf("exit %d: %s", code, &complaint)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		got := p.framed(t, string(text))
		if *updateCorpus {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: %s\nhint: if it is meant, go test ./cmd/plimsoll -run TestPictures -update, and look at it", file,
				firstDifference(string(want), got))
		}
	}
}

// framed returns the first chart of a page with its caption, its axis and its legend as a picture of its own.
func (p picture) framed(t *testing.T, page string) string {
	t.Helper()
	_, figure, found := strings.Cut(page, `<figure class="chart"`)
	if !found {
		t.Fatal("the page has no chart")
	}
	figure, _, _ = strings.Cut(figure, "</figure>")
	head, chart, _ := strings.Cut(figure, `<svg class="drawn"`)
	const columns, wide, high = 3, 240, 20
	legend, rows := "", 0
	for i, side := range regexp.MustCompile(`(?s)<li class="(series\d)"><svg class="swatch"[^>]*>(.*?)</svg> <span>(.*?)</span></li>`).
		FindAllStringSubmatch(head, -1) {
		rows = i/columns + 1
		legend += fmt.Sprintf("<g class=%q transform=\"translate(%d %d)\">"+
			"<g class=\"swatch\" transform=\"translate(14 -4)\">%s</g><text x=\"34\">%s</text></g>\n",
			side[1], 20+wide*(i%columns), 28+high*rows, side[2],
			strings.TrimSuffix(side[3], ", curve: USL"))
	}
	caption := cmp.Or(p.caption, textOf(t, head, `<figcaption>(.*?)</figcaption>`)) + ": " +
		textOf(t, head, `<p class="axis-name">(.*?)</p>`)
	chart = `<svg class="drawn"` + chart[:strings.LastIndex(chart, "</svg>")+len("</svg>")]
	return strings.NewReplacer("HEIGHT", strconv.Itoa(346+high*rows), "TOP", strconv.Itoa(48+high*rows),
		"CAPTION", html.EscapeString(caption), "LEGEND", strings.TrimSpace(legend), "CHART", chart).Replace(frame)
}

// textOf returns the text of an element, without what marks parts of it.
func textOf(t *testing.T, page, element string) string {
	t.Helper()
	m := regexp.MustCompile(element).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no %s in\n%s", element, page)
	}
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], ""))
}
