package render

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// axeFolder holds axe-core, which scripts/vendor-assets fetches.
const axeFolder = "testdata/axe-core-4.14.1"

// barrier is a finding of axe-core.
type barrier struct {
	Impact, Rule, Help string
	Nodes              []string
}

// barriers returns what axe-core finds serious or critical in a page as it is shown.
func (p *tab) barriers() []barrier {
	p.t.Helper()
	code, err := os.ReadFile(axeFolder + "/axe.min.js")
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](p, "(() => { if (!window.axe) { %s } return true; })()", code)
	return eval[[]barrier](p, `axe.run(document, {resultTypes: ["violations"]}).then((found) => `+
		`found.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => ({impact: v.impact, rule: v.id, help: v.help, nodes: v.nodes.slice(0, 5).map((n) => n.html.slice(0, 300) + "\n" + n.failureSummary)})))`)
}

// accessible holds that axe-core finds nothing serious.
func accessible(t *testing.T, p *tab, what string) {
	t.Helper()
	p.await("what is asked for", func() bool { // it is dimmed meanwhile
		return eval[bool](p, `!document.querySelector("[aria-busy]")`)
	})
	for _, b := range p.barriers() {
		t.Errorf("%s: %s: %s: %s\n%s", what, b.Impact, b.Rule, b.Help, strings.Join(b.Nodes, "\n"))
	}
}

// looks returns a desk in light colours and a phone in dark ones, and at night each of the two in the other's colours.
func looks() map[string]look {
	all := map[string]look{"light": {width: 1400, script: true}, "dark phone": {width: 390, dark: true, script: true}}
	if simtest.Night() {
		all["dark"], all["phone"] = look{width: 1400, dark: true, script: true}, look{width: 390, script: true}
	}
	return all
}

// testAccessible: no barrier in light and dark colours and on a phone, with details open, too.
func testAccessible(t *testing.T, b *browser, text string) {
	for name, l := range looks() {
		p := b.tab(t, text, l)
		p.await("the charts", func() bool {
			return eval[bool](p, `[...document.querySelectorAll("figure.chart")].every((f) => f.dataset.marks)`)
		})
		if simtest.Night() { // who opens details hides nothing
			accessible(t, p, name)
		}
		eval[bool](p, `document.querySelectorAll("details").forEach((d) => { d.open = true; }) ?? true`)
		settle(p)
		accessible(t, p, name+", details open")
	}
}

// TestAxeFinds: a picture without a text is told, so that silence means something.
func TestAxeFinds(t *testing.T) {
	p := startBrowser(t).tab(t, `<!doctype html><html lang="en"><title>t</title><main><h1>t</h1><img src="data:,"></main>`,
		look{width: desk, script: true})
	if found := p.barriers(); len(found) != 1 || found[0].Rule != "image-alt" || found[0].Impact != "critical" {
		t.Errorf("%+v", found)
	}
}

// wholeFiles holds that the files of a folder are as they were fetched, and returns their number.
func wholeFiles(t *testing.T, folder fs.FS) int {
	t.Helper()
	sums, err := fs.ReadFile(folder, "SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		got := sha256.Sum256(text)
		if hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s has the sum %x, not %s: scripts/vendor-assets fetches it anew", name, got, sum)
		}
		n++
	}
	return n
}
