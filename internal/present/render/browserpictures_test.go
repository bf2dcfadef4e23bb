package render

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pictured is what a chart of a page shows.
type pictured struct {
	ID, Title, X, Y string
	Marks           int      // drawn by the script
	Values          []int    // of each line
	Legend, Words   []string // the words at the points
	Ticks           []string
	Colours         []int // of the lines with marks
}

//nolint:lll // a raw string
const pictureProbe = `[...document.querySelectorAll("figure.chart")].map((f) => {
	const chart = JSON.parse(charts.textContent).charts.find((c) => c.id === f.id);
	const named = (a) => [a.name, a.unit].filter(Boolean).join(", ");
	return {id: f.id, title: f.querySelector("svg.drawn title").textContent, x: named(chart.x), y: named(chart.y), marks: Number(f.dataset.marks), values: chart.lines.map((l) => l.y.filter((y) => y !== null).length),
		legend: [...f.querySelectorAll(".legend li span")].map((e) => e.textContent), words: chart.lines.flatMap((l) => (l.notes ?? []).map((n) => n.text)), ticks: (chart.x.ticks ?? []).map((t) => t.text), colours: chart.lines.filter((l) => l.shape).map((l) => l.colour)};
})`

// picture is one of the articles' pictures: the published figures that it is drawn from, and what must be on it.
type picture struct {
	of, file, chart string // the chart's id, a pattern
	title           string
	x, y            string
	marks           int
	legend          []string // patterns, each of one entry
	words           []string // each of which stands at a point
	ticks           []string
	families        bool // each line has a colour of its own
}

func pictures() []picture {
	return []picture{
		{of: "003: requests over CPU use, and what linear would be", file: "graviton-headroom", chart: `-cpu-1$`,
			title: "netty", x: "CPU use, %", y: "throughput, k op/s", marks: 27,
			legend: []string{`^c7g.2xlarge: 114% of the linear 645k op/s$`, `^c6i.2xlarge: 86% of the linear 690k op/s$`}},
		{of: "003: build time over CPU use", file: "graviton-headroom", chart: `-cpu-1$`,
			title: "openssl-build", x: "CPU use, %", y: "time, s", marks: 16,
			legend: []string{`^c7g.2xlarge: 96% of the speed`, `^c6i.2xlarge: 63% of the speed`}},
		{of: "002: tps over time, with dips", file: "percona-postgresql", chart: `^overlaid-`,
			title: "tpcc, dataset=in-memory, 16 clients: throughput in steps of 10.0 s", x: "time, s", y: "k tps",
			legend: []string{`^m5d.8xlarge$`, `^m6gd.8xlarge$`}},
		{of: "000: bars over sizes, with factors", file: "redpanda-ingestion", chart: `-machine-sizes-`,
			title: "fio, bs=16KiB", x: "instance size", y: "throughput, GB/s", marks: 5, words: []string{"×10.0", "×1.5"},
			ticks: []string{"large", "4xlarge", "8xlarge", "12xlarge"}, families: true},
		{of: "the sizes of three families", file: "percona-mysql", chart: `-machine-sizes-`,
			title: "sysbench-oltp-read-only, each machine at its best load", x: "instance size", y: "throughput, k op/s",
			marks: 17, legend: []string{`^c5$`, `^c5a$`, `^c6g$`}, words: []string{"×2.0"},
			ticks: []string{"large", "xlarge", "2xlarge", "4xlarge", "12xlarge", "16xlarge"}, families: true},
		{of: "their bars per dollar", file: "percona-mysql", chart: `-dollar-sizes-`, x: "instance size",
			title: "sysbench-oltp-read-only, each machine at its best load", y: "throughput per dollar, M op/$", marks: 17,
			legend: []string{`^c5$`, `^c5a$`, `^c6g$`}, families: true},
		{of: "001: aggregate throughput over cores", file: "minio-kernels", chart: `-scaling-`, title: "erasure", x: "CPUs",
			y: "throughput, GB/s", marks: 324, words: []string{"peak"}, families: true,
			legend: []string{`^c5.9xlarge, 1 socket, curve`, `^c5.12xlarge, 1 socket, curve`, `^c5.18xlarge, 2 sockets, curve`,
				`^c5.24xlarge, 2 sockets, curve`, `^c5a.24xlarge, 1 socket, curve`, `^m6g.16xlarge, curve`}},
	}
}

// testPictures imports the figures that the articles have published, and holds what a report draws of them to what the
// articles drew: nothing in it knows an article.
func testPictures(t *testing.T, b *browser) {
	program, drawn := built(t), map[string][]pictured{}
	for _, p := range pictures() {
		t.Run(p.of, func(t *testing.T) {
			if drawn[p.file] == nil {
				drawn[p.file] = publishedPictures(t, b, program, p.file)
			}
			at := slices.IndexFunc(drawn[p.file], func(g pictured) bool {
				return regexp.MustCompile(p.chart).MatchString(g.ID) && strings.HasPrefix(g.Title, p.title)
			})
			if at < 0 {
				t.Fatalf("no chart %s, %q among %+v", p.chart, p.title, drawn[p.file])
			}
			p.check(t, drawn[p.file][at])
		})
	}
}

func (p picture) check(t *testing.T, got pictured) {
	t.Helper()
	if got.X != p.x || got.Y != p.y || got.Marks != p.marks || p.ticks != nil && !slices.Equal(got.Ticks, p.ticks) {
		t.Errorf("axes %q and %q with %q, %d marks; want %+v", got.X, got.Y, got.Ticks, got.Marks, p)
	}
	for _, want := range p.legend {
		if !slices.ContainsFunc(got.Legend, regexp.MustCompile(want).MatchString) {
			t.Errorf("no %q in the legend %q", want, got.Legend)
		}
	}
	for _, want := range p.words {
		if !slices.Contains(got.Words, want) {
			t.Errorf("%q stands nowhere: %q", want, got.Words)
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(got.Colours))); p.families && len(unique) < len(got.Colours) {
		t.Errorf("colours repeat: %v", got.Colours)
	}
}

// publishedPictures returns the charts of the report on some published figures, at a desk and on a phone, where they
// must fit.
func publishedPictures(t *testing.T, b *browser, program, file string) []pictured {
	t.Helper()
	dir := t.TempDir()
	session, page := filepath.Join(dir, file+".plimsoll.jsonl"), filepath.Join(dir, file+".html")
	for _, args := range [][]string{
		{"import", filepath.Join("..", "..", "..", "examples", "published", file+".csv"), "-o", session},
		{"report", session, "-o", page, "--date", "2021-10"},
	} {
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	p := live(t, b, string(text))
	got := eval[[]pictured](p, pictureProbe)
	p.look(look{width: phone, script: true})
	p.await("the charts to follow the window", func() bool {
		return eval[bool](p, `[...document.querySelectorAll(".live canvas")].every((c) => `+
			`c.getBoundingClientRect().right <= %d)`, phone)
	})
	if width := eval[float64](p, `document.documentElement.scrollWidth`); width > phone {
		t.Errorf("the page is %v wide on a screen of %d", width, phone)
	}
	quiet(t, p)
	return got
}
