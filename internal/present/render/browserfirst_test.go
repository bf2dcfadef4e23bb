package render

import (
	"strings"
	"testing"
)

// testFirstScreen: a desk's first screen has the answer, the results as cards or a table, and a drawing; a phone's has
// the answer, and no table wider than it.
func testFirstScreen(t *testing.T, b *browser, text string) {
	const fold = 900
	p := b.tab(t, text, look{width: 1400, script: true})
	p.await("the drawing", func() bool { return eval[int](p, `document.querySelectorAll("main figure").length`) > 0 })
	p.shoot("first-screen")
	if n := eval[int](p, `[...document.querySelectorAll(".stats li, .results tbody tr")].filter((e) => `+
		`e.getBoundingClientRect().bottom < %d).length`, fold); n < 2 {
		t.Errorf("%d results on the first screen, want the comparisons", n)
	}
	if top := eval[float64](p, `document.querySelector("main figure").getBoundingClientRect().top`); top > fold {
		t.Errorf("the first drawing begins at %v", top)
	}
	if before := eval[bool](p, `!document.querySelector("main figure").closest("section")`); !before {
		t.Error("no drawing comes before the parts")
	}
	if broken := eval[[]string](p, `[...document.querySelectorAll(".contents a")].filter((a) => `+
		`!document.querySelector(a.getAttribute("href"))).map((a) => a.textContent)`); len(broken) > 0 {
		t.Errorf("contents lead nowhere: %q", broken)
	}
	if n := eval[int](p, `document.querySelectorAll(".contents a").length`); n < 4 {
		t.Errorf("%d parts in the contents", n)
	}
	small := b.tab(t, text, look{width: phone, script: true})
	for _, p := range []*tab{p, small} {
		if end := eval[float64](p, `document.querySelector(".said").getBoundingClientRect().bottom`); end > fold {
			t.Errorf("the answer ends at %v", end)
		}
	}
	if wide := eval[[]string](small, `[...document.querySelectorAll("main td")].filter((e) => e.offsetParent && `+
		`e.getBoundingClientRect().right > innerWidth).map((e) => e.innerText)`); len(wide) > 0 {
		t.Errorf("cells leave a phone's screen: %q", wide)
	}
	if named := eval[bool](small, `[...document.querySelectorAll("main section .scroll tbody `+
		`tr:not(.group)")].filter((e) => e.offsetParent).every((r) => `+
		`getComputedStyle(r.querySelector("td")).display === "flex")`); !named {
		t.Error("rows are no lists on a phone")
	}
	quiet(t, small)
}

// testSaves: each drawing can be saved as SVG, and its figures as CSV.
//
//nolint:lll // a raw string
func testSaves(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	eval[bool](p, `(() => {
		window.saved = [];
		HTMLAnchorElement.prototype.click = function () { window.saved.push(this); };
		const blobs = new Map(), make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
		window.textOf = (a) => blobs.get(a.href).text();
		for (const button of document.querySelectorAll(".saves button")) button.click();
		return true;
	})()`)
	drawings := eval[int](p, `document.querySelectorAll("svg.drawn, svg.plot").length`)
	if n := eval[int](p, `window.saved.filter((a) => a.download.endsWith(".svg")).length`); n != drawings || n == 0 {
		t.Errorf("%d drawings can be saved of %d", n, drawings)
	}
	got := eval[string](p, `(async () => {
		for (const a of window.saved) {
			const text = await textOf(a);
			if (a.download.endsWith(".svg")) {
				const svg = new DOMParser().parseFromString(text, "image/svg+xml");
				if (svg.querySelector("parsererror") || svg.documentElement.namespaceURI.indexOf("2000/svg") < 0) return a.download + ": no SVG";
				if (!(svg.documentElement.getAttribute("width") > 200)) return a.download + ": no width";
			} else if (text.split("\r\n").length < 3) return a.download + ": no rows";
		}
		return "";
	})()`)
	if got != "" {
		t.Error(got)
	}
	csv := eval[string](p, `(async () => textOf(window.saved.find((a) => a.download === "trials-1-size-1.csv")))()`)
	if !strings.HasPrefix(csv, "series,") || !strings.Contains(csv, "\r\n"+x86Box+",") {
		t.Errorf("the figures are %q", csv)
	}
	quiet(t, p)
}
