package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

func reportText(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Report(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element is a start tag of the page.
type element struct {
	name  string
	attrs map[string]string
}

// elements parses the page as XML, which its template is written to be as well:
// a tag left open or an unescaped character fails here.
func elements(t *testing.T, page string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	var out []element
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			e := element{start.Name.Local, map[string]string{}}
			for _, a := range start.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			out = append(out, e)
		}
	}
}

func countElements(all []element, name, class string) int {
	n := 0
	for _, e := range all {
		if e.name == name && (class == "" || strings.Contains(" "+e.attrs["class"]+" ", " "+class+" ")) {
			n++
		}
	}
	return n
}

func TestReportIsWhole(t *testing.T) {
	text := reportText(t, page())
	all := elements(t, text)
	trials, cells := 0, len(shown().Workloads)
	for _, c := range shown().Workloads {
		if c.Primary {
			for _, v := range c.Trials {
				if v.Value != nil {
					trials++
				}
			}
		}
	}
	verdicts := len(compared().Pairs[0].Verdicts)
	heads := 3 + 2 // a table for each compared workload and each measured one
	for _, c := range []struct {
		name, class string
		want        int
	}{
		{"circle", "trial", trials}, {"circle", "estimate", verdicts - 1},
		{"tr", "", cells + verdicts + heads}, {"span", "tag", verdicts - 1}, {"rect", "band", 1}, {"line", "one", 1},
		{"svg", "plot", 3}, {"svg", "timeline", 1}, {"polyline", "", 1}, {"script", "", 0}, {"link", "", 0}, {"img", "", 0},
	} {
		if got := countElements(all, c.name, c.class); got != c.want {
			t.Errorf("%d <%s class=%q>, want %d", got, c.name, c.class, c.want)
		}
	}
	if hollow := countElements(all, "circle", "void"); hollow != 2 {
		t.Errorf("%d hollow circles, want the void trial and the ratio without an interval", hollow)
	}
}

func TestReportNeedsNothingElse(t *testing.T) {
	text := reportText(t, page())
	for _, pattern := range []string{`https?:`, `(?i)url\(`, `@import`, `\bsrc=`, `\bhref=`, `"//`, `ZgotmplZ`} {
		if at := regexp.MustCompile(pattern).FindStringIndex(text); at != nil {
			t.Errorf("%s found: %q", pattern, text[max(0, at[0]-30):min(len(text), at[1]+30)])
		}
	}
}

func TestReportIsLabelled(t *testing.T) {
	all := elements(t, reportText(t, page()))
	ids := map[string]bool{}
	for _, e := range all {
		if id := e.attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %s stands twice", id)
			}
			ids[id] = true
		}
	}
	for _, e := range all {
		for _, id := range strings.Fields(e.attrs["aria-labelledby"]) {
			if !ids[id] {
				t.Errorf("%s is labelled by %s, which is nowhere", e.name, id)
			}
		}
		if e.name == "svg" && (e.attrs["role"] != "img" || e.attrs["aria-labelledby"] == "") {
			t.Errorf("a drawing without a label: %v", e.attrs)
		}
	}
}

func TestReportEscapes(t *testing.T) {
	const evil = `<script>alert("1")</script>' onload='x`
	p := page()
	p.Title, p.Generated, p.Timeline[0].Label = evil, evil, evil
	m := graviton()
	m.Name, m.CPU.Model, m.Warnings = evil, evil, []string{evil}
	p.Shown.Machines = map[string]record.Machine{evil: m}
	for i := range p.Shown.Workloads {
		c := &p.Shown.Workloads[i]
		c.Machine, c.Load, c.Metric, c.Unit, c.Params = evil, evil, evil, evil, map[string]string{evil: evil}
		c.Doubts = []string{evil}
		for k := range c.Trials {
			c.Trials[k].Void = evil
		}
	}
	p.Compared[0].Pairs[0].A, p.Compared[0].Pairs[0].Residue = evil, []judge.Difference{{Key: evil, A: []string{evil}}}
	p.Compared[0].Pairs[0].Crossings = []judge.Crossing{{Workload: evil, Axis: evil, Unit: evil, Metric: evil, At: 1, Lo: 1, Hi: 2, Params: map[string]string{evil: evil}}}
	text := reportText(t, p)
	for _, e := range elements(t, text) {
		if e.name == "script" || e.attrs["onload"] != "" {
			t.Errorf("text became an element: %v", e)
		}
	}
	if !strings.Contains(text, "&lt;script&gt;") {
		t.Error("the machine's name is lost")
	}
}

func TestReportOfNothing(t *testing.T) {
	all := elements(t, reportText(t, Page{Title: "empty"}))
	if got := countElements(all, "svg", "") + countElements(all, "table", ""); got != 0 {
		t.Errorf("%d drawings and tables of nothing", got)
	}
}

func TestForestWithoutMargin(t *testing.T) {
	p := page()
	p.Margin = 0
	all := elements(t, reportText(t, p))
	if got := countElements(all, "rect", "band"); got != 0 {
		t.Errorf("%d bands without a margin", got)
	}
}

func TestLabelsHaveContrast(t *testing.T) {
	css, err := assets.ReadFile("assets/page.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(string(css), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d sets of colours, want light, dark and print", len(blocks))
	}
	for i, block := range blocks {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--(\w+): (#\w{6})`).FindAllStringSubmatch(block[1], -1) {
			colours[m[1]] = m[2]
		}
		for _, name := range []string{"text", "soft", "good", "bad", "warn", "s0", "s1", "s2", "s3"} {
			if got := contrast(t, colours[name], colours["paper"]); got < 4.5 {
				t.Errorf("set %d: %s has a contrast of %.2f on the paper, WCAG AA asks for 4.5", i, name, got)
			}
		}
	}
}
