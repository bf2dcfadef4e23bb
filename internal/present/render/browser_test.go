package render

import (
	"slices"
	"strings"
	"testing"
)

const (
	desk  = 1280
	phone = 360
)

// TestReportInBrowser tries the page in a real browser: what is drawn, what
// answers, and what it looks like on screens and on paper.
func TestReportInBrowser(t *testing.T) {
	b := startBrowser(t)
	whole := reportText(t, wholePage())
	for name, test := range map[string]func(*testing.T, *browser, string){
		"drawn": testDrawn, "tips": testTips, "keys": testKeys, "zoom": testZoom, "legend": testLegend, "dark": testDark,
		"phone": testPhone, "paper": testPaper, "without script": testWithoutScript, "rows": testRows, "policy": testPolicy,
		"first screen": testFirstScreen, "accessible": testAccessible, "saves": testSaves,
		"flames": testFlames, "flame keys": testFlameKeys, "flame search": testFlameSearch,
	} {
		t.Run(name, func(t *testing.T) { test(t, b, whole) })
	}
	t.Run("hostile names", func(t *testing.T) { testHostile(t, b) })
	t.Run("long timeline", func(t *testing.T) { testLongTimeline(t, b) })
	t.Run("many cells", func(t *testing.T) { testManyCells(t, b) })
	t.Run("published figures", func(t *testing.T) { testPictures(t, b) })
}

// live opens a page on a desk's screen, with scripts.
func live(t *testing.T, b *browser, text string) *tab {
	t.Helper()
	p := b.tab(t, text, look{width: desk, script: true})
	p.await("the charts", func() bool {
		return eval[bool](p, `[...document.querySelectorAll("figure.chart")].every((f) => f.dataset.marks)`)
	})
	quiet(t, p)
	return p
}

// quiet holds that nothing went wrong and nothing was fetched.
func quiet(t *testing.T, p *tab) {
	t.Helper()
	for _, c := range p.complaints() {
		t.Error(c)
	}
}

// settle waits until what was asked for has been drawn.
func settle(p *tab) {
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// markProbe is a script that returns, of each chart, how many of its points, ends of
// whiskers, lines' middles and zones have their own colour on the canvas.
//
//nolint:lll // a raw string
const markProbe = `[...document.querySelectorAll("figure.chart")].map((f) => {
	const u = f.plot, chart = JSON.parse(charts.textContent).charts.find((c) => c.id === f.id);
	const probe = document.createElement("canvas").getContext("2d");
	const rgb = (text) => { probe.fillStyle = text; probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data]; };
	const near = (x, y, want) => {
		const size = 5, d = u.ctx.getImageData(u.bbox.left + x - 2, u.bbox.top + y - 2, size, size).data;
		for (let i = 0; i < d.length; i += 4) if ([0, 1, 2].every((k) => Math.abs(d[i + k] - want[k]) < 12)) return 1;
		return 0;
	};
	const out = {id: f.id, points: 0, seen: 0, said: Number(f.dataset.marks), lines: 0, linesSeen: 0, ends: 0, endsSeen: 0, zones: 0, zonesSeen: 0};
	const paint = (name) => rgb(getComputedStyle(document.documentElement).getPropertyValue(name));
	for (const z of chart.zones ?? []) {
		out.zones++;
		out.zonesSeen += near(u.valToPos(Math.sqrt(z.from * z.to), "x") + 7, u.valToPos(chart.y.hi / 50, "y"), paint("--zone-" + z.kind));
	}
	for (const line of chart.lines) {
		const want = paint("--s" + line.colour);
		const at = (i) => line.x ? line.x[i] : i * line.step;
		(line.lo ?? []).forEach((lo, i) => {
			if (lo === null) return;
			out.ends += 2;
			for (const end of [lo, line.hi[i]]) out.endsSeen += near(u.valToPos(at(i), "x") + 3, u.valToPos(end, "y"), want);
		});
		if (line.shape) line.y.forEach((y, i) => { out.points++; out.seen += near(u.valToPos(at(i), "x") + (line.fills?.[i] ? 4 : 0), u.valToPos(y, "y"), want); });
		else if (!line.faint && !line.wide) { const i = Math.floor(line.y.length / 3); out.lines++; out.linesSeen += near(u.valToPos(at(i), "x"), u.valToPos(line.y[i], "y"), want); }
	}
	return out;
})`

type probed struct {
	ID               string
	Points, Seen     int
	Said             int
	Lines, LinesSeen int
	Ends, EndsSeen   int
	Zones, ZonesSeen int
}

// testDrawn: every point and line of the data is on the canvas, in its colour.
func testDrawn(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	p.shoot("light")
	all := eval[[]probed](p, markProbe)
	if len(all) != 2+1+1 {
		t.Fatalf("%d charts, want two of sizes, one of scaling and one of time", len(all))
	}
	hidden := 0
	for _, c := range all {
		if c.Said != c.Points || c.LinesSeen != c.Lines || c.ZonesSeen != c.Zones || c.Ends-c.EndsSeen > 2 {
			t.Errorf("%+v: not all of it is drawn", c)
		}
		hidden += c.Points - c.Seen
	}
	// Where machines' points lie on one another, the later is seen; a short whisker
	// may lie within its mark.
	if hidden > 2 {
		t.Errorf("%d points are not to be seen: %+v", hidden, all)
	}
}

type place2 struct{ X, Y float64 }

// pointAt brings a chart into view and returns where a point of it is in the window.
//
//nolint:lll // a raw string
func pointAt(p *tab, id string, line, i int) place2 {
	p.t.Helper()
	at := eval[place2](p, `(() => {
		const f = document.getElementById(%q), u = f.plot, l = JSON.parse(charts.textContent).charts.find((c) => c.id === f.id).lines[%d];
		u.over.scrollIntoView({block: "center"});
		u.syncRect();
		const r = u.over.getBoundingClientRect();
		return {x: r.left + u.valToPos(l.x ? l.x[%d] : %d * l.step, "x"), y: r.top + u.valToPos(l.y[%d], "y")};
	})()`, id, line, i, i, i)
	settle(p)
	return at
}

func tipOf(p *tab, id string) string {
	p.t.Helper()
	return eval[string](p, `(() => { const n = document.querySelector("#%s .tip"); return n.hidden ? "" : `+
		`n.innerText; })()`, id)
}

func testTips(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	for _, c := range []struct {
		id      string
		line, i int
		want    string
	}{
		{"trials-1-size-1", 1, 0, x86Box + "\n32KiB: 11.1 to 11.5 GB/s, in cache"},
		{"trials-1-size-2", 0, 9, armBox + "\n16MiB: 103 to 108 GB/s, in DRAM"},
		{"trials-3-scaling-1", 0, 7, "m7gd.2xlarge\n8 CPUs: 46"},
	} {
		at := pointAt(p, c.id, c.line, c.i)
		p.mouse("mouseMoved", at.X+2, at.Y+1)
		p.await("the tip", func() bool { return tipOf(p, c.id) != "" })
		if got := tipOf(p, c.id); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: the point is told as %q, want %q", c.id, got, c.want)
		}
		if inside := eval[bool](p, `(() => { const r = document.querySelector("#%s .tip").getBoundingClientRect(); return `+
			`r.left >= 0 && r.right <= innerWidth; })()`, c.id); !inside {
			t.Errorf("%s: the tip leaves the window", c.id)
		}
	}
	quiet(t, p)
}

// testKeys: without a mouse the arrow keys go from point to point.
func testKeys(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	eval[bool](p, `document.querySelector("#trials-1-size-1 .live").focus() ?? true`)
	var got []string
	for range 3 {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "ArrowRight"}, nil)
		got = append(got, tipOf(p, "trials-1-size-1"))
	}
	if !strings.Contains(got[0], "32KiB") || !strings.Contains(got[1], "32KiB") || got[0] == got[1] ||
		!strings.Contains(got[2], "64KiB") {
		t.Errorf("got %q", got)
	}
}

// testZoom drags over the middle of a chart and goes back.
func testZoom(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	const id = "trials-1-size-2"
	from, to := pointAt(p, id, 0, 2), pointAt(p, id, 0, 6)
	p.mouse("mouseMoved", from.X-5, from.Y)
	p.mouse("mousePressed", from.X-5, from.Y)
	p.mouse("mouseMoved", (from.X+to.X)/2, from.Y)
	p.mouse("mouseMoved", to.X+5, from.Y)
	p.mouse("mouseReleased", to.X+5, from.Y)
	marks := func() int { return eval[int](p, `Number(document.getElementById(%q).dataset.marks)`, id) }
	p.await("the enlarged part", func() bool { return marks() == 2*5 })
	p.shoot("zoom")
	if hidden := eval[bool](p, `document.querySelector("#%s .whole").hidden`, id); hidden {
		t.Error("there is no way back")
	}
	eval[bool](p, `document.querySelector("#%s .whole").click() ?? true`, id)
	p.await("the whole", func() bool { return marks() == 2*10 })
	quiet(t, p)
}

func testLegend(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	const id = "trials-3-scaling-1"
	marks := func() int { return eval[int](p, `Number(document.getElementById(%q).dataset.marks)`, id) }
	before := marks()
	eval[bool](p, `document.querySelector("#%s .legend button").click() ?? true`, id)
	p.await("a line to go", func() bool { return marks() == before-8 })
	shown := eval[[]bool](p, `document.getElementById(%q).plot.series.map((s) => s.show)`, id)
	if want := []bool{true, false, false, false, true, true, true, true, true, true}; !slices.Equal(shown, want) {
		t.Errorf("the lines are shown as %v, want %v: points, curve and ideal go together", shown, want)
	}
}
