package render

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/record/figure"
)

// testDark: the charts follow the reader's colours, also while they are open.
func testDark(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	p.look(look{width: desk, dark: true, script: true})
	settle(p)
	quiet(t, p)
	p.shoot("dark")
	paper := eval[string](p, `getComputedStyle(document.body).backgroundColor`)
	if paper != "rgb(21, 24, 28)" {
		t.Errorf("the paper is %s", paper)
	}
	for _, c := range eval[[]probed](p, markProbe) {
		if c.LinesSeen != c.Lines || c.Points-c.Seen > 2 {
			t.Errorf("%+v: its colours are not those of the dark", c)
		}
	}
}

func testPhone(t *testing.T, b *browser, text string) {
	turned := live(t, b, text)
	turned.look(look{width: phone, script: true})
	turned.await("the charts to follow the window", func() bool {
		return eval[bool](turned, `[...document.querySelectorAll(".live canvas")].every((c) => `+
			`c.getBoundingClientRect().right <= %d)`, phone)
	})
	for _, script := range []bool{true, false} {
		p := b.tab(t, text, look{width: phone, script: script})
		settled := func() bool {
			return eval[bool](p, `[...document.querySelectorAll(".live canvas")].every((c) => `+
				`c.getBoundingClientRect().width > 200)`)
		}
		p.await("the charts to fit", settled)
		p.shoot(fmt.Sprintf("phone-%v", script))
		width := eval[float64](p, `document.documentElement.scrollWidth`)
		if width > phone {
			t.Errorf("script %v: the page is %v wide on a screen of %d: %v", script, width, phone,
				eval[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, svg") && `+
					`e.getBoundingClientRect().right > %d).map((e) => e.tagName + "." + e.className)`, phone))
		}
		quiet(t, p)
	}
}

// testPaper: on paper stand the drawings, in the colours of paper.
func testPaper(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	p.look(look{width: desk, dark: true, media: "print", script: true})
	settle(p)
	p.shoot("paper")
	for selector, want := range map[string]bool{"svg.drawn": true, ".live": false, ".whole": false} {
		if got := eval[bool](p, `getComputedStyle(document.querySelector(%q)).display !== "none"`, selector); got != want {
			t.Errorf("%s on paper: %v, want %v", selector, got, want)
		}
	}
	if paper := eval[string](p, `getComputedStyle(document.body).backgroundColor`); paper != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", paper)
	}
}

// testWithoutScript: every figure stands in the text, and every chart is drawn.
func testWithoutScript(t *testing.T, b *browser, text string) {
	p := b.tab(t, text, look{width: desk})
	body := eval[string](p, `document.body.innerText`)
	for _, c := range wholePage().Shown.Workloads {
		if u := figure.ScaleFor(c.Unit, c.Value); c.Primary && c.N > 0 &&
			!strings.Contains(body, strings.Fields(c.Estimate.Estimate(u))[0]) {
			t.Errorf("%s on %s: nothing says %s", c.Workload, c.Machine, c.Estimate.Estimate(u))
		}
	}
	all := elements(t, text)
	for _, name := range []string{"tr", "td", "svg", "circle", "rect", "line", "path", "polyline", "article"} {
		want := countElements(all, name, "")
		if got := eval[int](p, `document.getElementsByTagName(%q).length`, name); want == 0 || got != want {
			t.Errorf("the browser has %d <%s>, the page %d", got, name, want)
		}
	}
	if got, want := eval[int](p, `[...document.querySelectorAll("svg.drawn path.point")].filter((e) => `+
		`e.getBoundingClientRect().width > 5).length`),
		countElements(all, "svg", "mark"); got != want || want == 0 {
		t.Errorf("%d points are drawn, want %d", got, want)
	}
	if n := eval[int](p, `document.querySelectorAll(".live").length`); n != 0 {
		t.Errorf("%d charts of the script without a script", n)
	}
	quiet(t, p)
}

// testRows: the rows of other drawings answer too.
func testRows(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	at := eval[place2](p, `(() => {
		const bar = document.querySelector("#" + CSS.escape("trials-1-ceiling-title")).closest("svg").querySelector(".bar");
		bar.scrollIntoView({block: "center"});
		const r = bar.getBoundingClientRect();
		return {x: r.left + r.width / 2, y: r.top + r.height / 2};
	})()`)
	settle(p)
	p.mouse("mouseMoved", at.X, at.Y)
	tip := func() string {
		return eval[string](p, `(() => { const n = document.querySelector(".tip.loose"); return n.hidden ? "" : `+
			`n.innerText; })()`)
	}
	p.await("the tip", func() bool { return tip() != "" })
	if got := tip(); !strings.Contains(got, "of 182 GB/s, memory copy at all cpus") {
		t.Errorf("the bar is told as %q", got)
	}
	quiet(t, p)
}

// testPolicy: code that got into the page in spite of all would not run, and what did
// could fetch nothing.
//
//nolint:lll // a raw string
func testPolicy(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	got := eval[string](p, `(async () => {
		const foreign = document.createElement("script");
		foreign.textContent = "window.foreign = true";
		document.body.append(foreign);
		const fetched = await fetch("data:text/plain,x").then(() => "fetched", () => "nothing");
		const image = await new Promise((done) => Object.assign(new Image(), {onload: () => done("seen"), onerror: () => done("nothing"), src: "data:image/gif;base64,R0lGODlhAQABAAAAACw="}));
		return [window.foreign === true, fetched, image].join(" ");
	})()`)
	if got != "false nothing nothing" {
		t.Errorf("a foreign script ran, a fetch and an image gave: %s", got)
	}
}

func testHostile(t *testing.T, b *browser) {
	p := live(t, b, reportText(t, evilPage()))
	if got := eval[string](p, `JSON.parse(charts.textContent).charts[0].lines[0].name`); !strings.Contains(got, evil) {
		t.Errorf("the name became %q", got)
	}
	if n := eval[int](p, `document.scripts.length`); n != 2 {
		t.Errorf("%d scripts, want the data and the code", n)
	}
}

// testLongTimeline: more than a day of seconds, of which one is a spike.
func testLongTimeline(t *testing.T, b *browser) {
	const n = 100_000
	p := live(t, b, reportText(t, Page{Title: "long", OverTime: longTrack(n)}))
	if got := eval[int](p, `document.querySelector("figure.chart").plot.data[0].length`); got != n {
		t.Errorf("%d values, want %d", got, n)
	}
	at := pointAt(p, "time-1", 0, n/3)
	p.mouse("mouseMoved", at.X, at.Y)
	p.await("the tip", func() bool { return tipOf(p, "time-1") != "" })
	eval[bool](p, `document.querySelector("figure.chart").plot.setScale("x", {min: %d, max: %d}) ?? true`, n/3-20, n/3+20)
	settle(p)
	at = pointAt(p, "time-1", 0, n/3)
	p.mouse("mouseMoved", at.X, at.Y)
	want := fmt.Sprintf("%d s: 140k op/s", n/3)
	p.await("the spike", func() bool { return tipOf(p, "time-1") == want })
	quiet(t, p)
}

// testManyCells: two hundred cells in fifty charts.
func testManyCells(t *testing.T, b *browser) {
	page := Page{Title: "many", Shown: kernels()}
	page.Shown.Workloads = nil
	for i := range 50 {
		for k, machine := range []string{armBox, x86Box} {
			for _, load := range []string{"1 cpus", "all cpus"} {
				c := kernelCell(machine, fmt.Sprintf("kernel-%02d", i), "16MiB", load, 5e9*math.Pow(1.1, float64(i+k)))
				page.Shown.Workloads = append(page.Shown.Workloads, withSizes(c, 1<<15, 1<<24, 1<<21))
			}
		}
	}
	p := live(t, b, reportText(t, page))
	marks := eval[int](p, `[...document.querySelectorAll("figure.chart")].reduce((sum, f) => sum + `+
		`Number(f.dataset.marks), 0)`)
	if marks != 200*10 {
		t.Errorf("%d points are drawn, want %d", marks, 200*10)
	}
	quiet(t, p)
}
