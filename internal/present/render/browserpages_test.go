package render

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// misfits is a script that returns what a reader would see as broken: a page wider than its window, texts of drawings
// that overlap or leave the window, figures that leave their card, titles of folds without a noun, and words that the
// glossary has replaced.
//
//nolint:lll // a raw string
const misfits = `(() => {
	const out = [], seen = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 0;
	if (document.documentElement.scrollWidth > innerWidth) out.push("the page is " + document.documentElement.scrollWidth + " wide");
	for (const svg of document.querySelectorAll("svg.plot, svg.drawn")) {
		const texts = [...svg.querySelectorAll("text")].filter(seen).map((e) => [e.textContent, e.getBoundingClientRect()]);
		texts.forEach(([text, r], i) => {
			if (r.right > innerWidth + 1 || r.left < -1) out.push("cut off: " + text);
			for (const [other, o] of texts.slice(i + 1)) {
				if (Math.min(r.right, o.right) - Math.max(r.left, o.left) > 1 && Math.min(r.bottom, o.bottom) - Math.max(r.top, o.top) > 3) out.push("overlap: " + text + " / " + other);
			}
		});
	}
	for (const b of document.querySelectorAll(".stats b, .stats .tag")) {
		if (b.getBoundingClientRect().right > b.closest("li").getBoundingClientRect().right) out.push("leaves its card: " + b.textContent);
	}
	const cards = [...document.querySelectorAll(".stats li")].map((e) => [...e.children].slice(1).map((c) => c.textContent).join("|"));
	if (new Set(cards).size < cards.length) out.push("cards repeat: " + cards.join("; "));
	for (const s of document.querySelectorAll("summary")) if (/^\d+ (more|cells)$/.test(s.textContent)) out.push("a fold without a noun: " + s.textContent);
	const bad = document.querySelector("footer").innerText.match(/\b(trials?|void|stands?|lies?|alone)\b/);
	if (bad) out.push("the footer has " + bad[0]);
	return out;
})()`

// TestPagesFit looks at pages of recorded sessions and of published figures on a desk and on a phone. The title of each
// answers, and the text of one is held.
func TestPagesFit(t *testing.T) {
	b := startBrowser(t)
	program := built(t)
	for name, title := range map[string]string{
		"command": `sleep 0\.03.*sleep 0\.02`, "rates": "c7g.2xlarge.*c6i.2xlarge", "search": `1\.53k requests/s`,
		"factors": "tls", "profiled": "^aes-gcm and highwayhash on vm$", "percona-postgresql": "m6gd.8xlarge.*m5d.8xlarge",
		"redpanda-ingestion": "is4gen.8xlarge",
	} {
		t.Run(name, func(t *testing.T) {
			text := pageOf(t, program, name)
			for _, width := range []int{1400, 390} {
				p := b.tab(t, text, look{width: width, script: true})
				settle(p)
				for _, found := range eval[[]string](p, misfits) {
					t.Errorf("at %d: %s", width, found)
				}
				if got := eval[string](p, `document.querySelector("h1").innerText`); !regexp.MustCompile(title).MatchString(got) {
					t.Errorf("the title is %q", got)
				}
				if name == "rates" && width == 1400 {
					seen := eval[string](p, `document.body.innerText`)
					dated := regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d UTC`).ReplaceAllString(seen, "DATE")
					golden(t, "page.txt", []byte(strings.TrimSpace(dated)+"\n"))
				}
				quiet(t, p)
			}
		})
	}
}

// pageOf returns the page of a session of the corpus, or of published figures.
func pageOf(t *testing.T, program, name string) string {
	t.Helper()
	page := filepath.Join(t.TempDir(), name+".html")
	session := filepath.Join("..", "..", "..", "cmd", "plimsoll", "testdata", "corpus", name, "session.plimsoll.jsonl")
	if _, err := os.Stat(session); err != nil {
		session = filepath.Join(filepath.Dir(page), name+".plimsoll.jsonl")
		run80(t, program, "import", filepath.Join("..", "..", "..", "examples", "published", name+".csv"), "-o", session)
	}
	run80(t, program, "report", session, "-o", page)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
