package render

import (
	"strings"
	"testing"
)

// flameFrame brings a flame into view and returns where a frame of it is in the window; off the page where it is not
// seen.
func flameFrame(p *tab, id, name string) place2 {
	p.t.Helper()
	at := eval[place2](p, `(() => {
		const v = document.getElementById(%q).flame;
		v.canvas.scrollIntoView({block: "center"});
		const r = v.canvas.getBoundingClientRect(), s = v.shown.find((s) => s.f.func === %q);
		return s ? {x: r.left + s.left + s.width / 2, y: r.top + s.top + 8} : {x: -1, y: -1};
	})()`, id, name)
	settle(p)
	return at
}

// frameWidth is how wide a frame is drawn, of the whole; 0 where it is not seen.
func frameWidth(p *tab, id, name string) float64 {
	p.t.Helper()
	return eval[float64](p, `(() => {
		const v = document.getElementById(%q).flame, s = v.shown.find((s) => s.f.func === %q);
		return s ? s.width / v.box.clientWidth : 0;
	})()`, id, name)
}

func click(p *tab, at place2) {
	p.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.mouse(kind, at.X, at.Y)
	}
}

// testFlames: a frame is in its colour and says what it takes; a click enlarges it.
//
//nolint:lll // a raw string
func testFlames(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	const id = "flame-1-cpu"
	p.shoot("flames")
	for _, c := range []struct{ id, name, want string }{
		{id, "encrypt", "encrypt\nweb, application\n20.0%, 2 µs of CPU an operation"},
		{"flame-diff-1", "encrypt", "encrypt\nweb\nm1 2 µs, 20.0%\nm2 0 ns, 0.0%\n−2 µs"},
		{"flame-diff-1", "parse", "parse\nweb\nm1 3 µs, 30.0%\nm2 3 µs, 37.5%\nno difference beyond the noise of sampling"},
	} {
		at := flameFrame(p, c.id, c.name)
		p.mouse("mouseMoved", at.X, at.Y)
		p.await("the tip", func() bool { return tipOf(p, c.id) != "" })
		if got := tipOf(p, c.id); got != c.want {
			t.Errorf("%s of %s is told as %q, want %q", c.name, c.id, got, c.want)
		}
	}
	colours := eval[[]bool](p, `[["flame-1-cpu", "encrypt", "k1"], ["flame-diff-1", "encrypt", "less"]].map(([id, `+
		`name, want]) => {
		const v = document.getElementById(id).flame, s = v.shown.find((s) => s.f.func === name), probe = document.createElement("canvas").getContext("2d");
		probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--" + want);
		probe.fillRect(0, 0, 1, 1);
		const is = v.canvas.getContext("2d").getImageData(s.left + s.width - 4, s.top + 3, 1, 1).data, asked = probe.getImageData(0, 0, 1, 1).data;
		return is.every((c, i) => Math.abs(c - asked[i]) < 4);
	})`)
	for i, ok := range colours {
		if !ok {
			t.Errorf("frame %d has not its colour", i)
		}
	}
	if w := frameWidth(p, id, "encrypt"); w < .19 || w > .21 {
		t.Errorf("a fifth of the samples is drawn as %v of the width", w)
	}
	click(p, flameFrame(p, id, "encrypt"))
	p.await("the frame to be enlarged", func() bool { return frameWidth(p, id, "encrypt") == 1 })
	if w := frameWidth(p, id, "serve"); w != 1 {
		t.Errorf("who called it is drawn as %v of the width", w)
	}
	if w := frameWidth(p, id, "parse"); w != 0 {
		t.Errorf("what lies beside it is drawn as %v of the width", w)
	}
	eval[bool](p, `document.querySelector("#%s .whole").click() ?? true`, id)
	p.await("the whole", func() bool { return frameWidth(p, id, "parse") > .29 })
	quiet(t, p)
}

// testFlameKeys: without a mouse the arrow keys go from frame to frame, Enter enlarges, and Escape goes back.
func testFlameKeys(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	const id = "flame-1-cpu"
	eval[bool](p, `document.querySelector("#%s .live").focus() ?? true`, id)
	press := func(keys ...string) string {
		for _, key := range keys {
			p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key}, nil)
		}
		name, _, _ := strings.Cut(tipOf(p, id), "\n")
		return name
	}
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"ArrowDown"}, "all"}, {[]string{"ArrowDown", "ArrowDown", "ArrowDown"}, "SEND"},
		{[]string{"ArrowRight", "ArrowRight"}, "parse"},
		{[]string{"ArrowLeft"}, "encrypt"}, {[]string{"ArrowUp"}, "serve"},
	} {
		if got := press(c.keys...); got != c.want {
			t.Errorf("after %q: %q, want %q", c.keys, got, c.want)
		}
	}
	press("ArrowDown", "ArrowRight", "Enter")
	if w := frameWidth(p, id, "encrypt"); w != 1 {
		t.Errorf("Enter draws the frame as %v of the width", w)
	}
	press("Escape")
	if w := frameWidth(p, id, "parse"); w < .29 {
		t.Errorf("Escape does not go back: %v", w)
	}
	quiet(t, p)
}

// testFlameSearch: what is sought is coloured, and its share is said, counting nothing twice.
func testFlameSearch(t *testing.T, b *browser, text string) {
	p := live(t, b, text)
	for _, c := range []struct{ id, sought, want string }{
		{"flame-1-cpu", "enc|PARSE", "matched: 50.0%, 5 µs of CPU an operation"},
		{"flame-1-cpu", "e", "matched: 100.0%, 10 µs of CPU an operation"},
		{"flame-1-cpu", "(", "no match"}, {"flame-1-cpu", "", ""},
		{"flame-diff-1", "send", "matched: m1 5 µs, 50.0%; m2 5 µs, 62.5%"},
	} {
		got := eval[string](p, `(() => {
			const field = document.querySelector("#%s .finder input");
			field.value = %q;
			field.dispatchEvent(new Event("input"));
			return document.querySelector("#%s .finder output").textContent;
		})()`, c.id, c.sought, c.id)
		if got != c.want {
			t.Errorf("%q in %s: %q, want %q", c.sought, c.id, got, c.want)
		}
	}
	quiet(t, p)
}
