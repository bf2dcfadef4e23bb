package main

import (
	"bytes"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// picture is README's: the first chart of the page about this session, in a frame with the page's own colours.
//
//nolint:lll // a raw string
const (
	pictured = "../../examples/data/libraries.plimsoll.jsonl"
	picture  = "../../docs/throughput.svg"
	frame    = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="360" viewBox="0 0 760 360" role="img">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b1f24; } .tick { font-size: 12px; fill: #59636e; }
.series0 { color: #123f82; } .series1 { color: #cc4800; } .grid { stroke: #e8ebef; } .axis { stroke: #59636e; } .zone { fill: #f7f9fa; }
polyline { fill: none; stroke: currentColor; stroke-width: 2; vector-effect: non-scaling-stroke; } .mark { overflow: visible; }
.whisker { fill: none; stroke: currentColor; stroke-width: 1.5; } .point { fill: currentColor; }
</style>
<rect width="760" height="360" fill="#fff"/>
<text x="20" y="26" font-weight="600">CAPTION</text>
LEGEND
<svg x="20" y="62" width="720" height="285">
CHART
</svg>
</svg>
`
)

// TestPicture holds that README's picture is the chart that `report` draws of the session in examples/data, byte by
// byte.
func TestPicture(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	var complaint bytes.Buffer
	if code := start([]string{"report", pictured, "-o", page}, strings.NewReader(""), io.Discard, &complaint,
		func(string) string { return "" }); code != exitDone {
		t.Fatalf("exit %d: %s", code, &complaint)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got := framed(t, string(text))
	want, err := os.ReadFile(picture)
	if err != nil && !*updateCorpus {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	if !*updateCorpus {
		t.Fatalf("%s: %s\nhint: if it is meant, go test ./cmd/plimsoll -run TestPicture -update, and look at it", picture,
			firstDifference(string(want), got))
	}
	if err := os.WriteFile(picture, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// framed returns the first chart of a page with its caption, its axis and its legend as a picture of its own.
func framed(t *testing.T, page string) string {
	t.Helper()
	_, figure, found := strings.Cut(page, `<figure class="chart"`)
	if !found {
		t.Fatal("the page has no chart")
	}
	figure, _, _ = strings.Cut(figure, "</figure>")
	head, chart, _ := strings.Cut(figure, `<svg class="drawn"`)
	legend := ""
	for i, side := range regexp.MustCompile(`(?s)<li class="(series\d)">.*?<span>(.*?)</span></li>`).
		FindAllStringSubmatch(head, -1) {
		legend += strings.NewReplacer("X", strconv.Itoa(2*i), "CLASS", side[1], "NAME", side[2]).
			Replace(`<g class="CLASS" transform="translate(X20 48)"><path class="point" d="M-4 -8H4V0H-4Z"/><text `+
				`x="10">NAME</text></g>`) + "\n"
	}
	caption := textOf(t, head, `<figcaption>(.*?)</figcaption>`) + ": " + textOf(t, head, `<p class="axis-name">(.*?)</p>`)
	chart = `<svg class="drawn"` + chart[:strings.LastIndex(chart, "</svg>")+len("</svg>")]
	return strings.NewReplacer("CAPTION", html.EscapeString(caption), "LEGEND", strings.TrimSpace(legend), "CHART", chart).
		Replace(frame)
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
