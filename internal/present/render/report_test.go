package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
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

// withoutScripts empties the page's script elements, whose text is no XML.
func withoutScripts(page string) string {
	return regexp.MustCompile(`(?s)(<script[^>]*>).*?</script>`).ReplaceAllString(page, "$1</script>")
}

// elements parses the page as XML, which its template is written to be as well:
// a tag left open or an unescaped character fails here.
func elements(t *testing.T, page string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(withoutScripts(page)))
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
	trials, cells := 0, len(sampleShown().Workloads)
	for _, c := range sampleShown().Workloads {
		if c.Primary {
			for _, v := range c.Trials {
				if v.Value != nil {
					trials++
				}
			}
		}
	}
	verdicts, answer := len(compared().Pairs[0].Verdicts), len(comparedAnswer(compared()).Opening()[0].Blocks)
	tagged := 0
	for _, s := range comparedAnswer(compared()).Stats {
		if s.Tag != "" {
			tagged++
		}
	}
	if all := wholeRows(pageDocument(page())); all != cells+verdicts {
		t.Errorf("%d rows of cells and comparisons, want %d", all, cells+verdicts)
	}
	for _, c := range []struct {
		name, class string
		want        int
	}{
		{"circle", "trial", trials}, {"circle", "estimate", verdicts - 2}, // without the one per dollar
		{"tr", "", rowsOnPage(pageDocument(page()))}, {"span", "tag", verdicts - 1 + answer + tagged},
		{"rect", "band", verdicts - 2}, {"line", "one", verdicts - 1},
		{"svg", "plot", 3 + 1}, {"rect", "bar", 1}, {"svg", "drawn", 1}, {"polyline", "", 2}, {"script", "", 2},
		{"link", "", 0}, {"img", "", 0},
	} {
		if got := countElements(all, c.name, c.class); got != c.want {
			t.Errorf("%d <%s class=%q>, want %d", got, c.name, c.class, c.want)
		}
	}
	if hollow := countElements(all, "circle", "void"); hollow != 2 {
		t.Errorf("%d hollow circles, want the void trial and the ratio without an interval", hollow)
	}
}

// wholeRows is the rows of all tables of figures.
func wholeRows(sections []block.Section) int {
	n := 0
	for _, t := range tablesOf(sections) {
		n += len(t.Ungrouped().Rows)
	}
	return n
}

// rowsOnPage is the rows, with their heads, of all tables: as shown at first, and whole if that is more.
func rowsOnPage(sections []block.Section) int {
	n := 0
	for _, t := range tablesOf(sections) {
		shown := block.Depth{}.Shown(t)
		if len(shown.Ungrouped().Rows) < len(t.Ungrouped().Rows) {
			n += rowsWithHeads(shown)
		}
		n += rowsWithHeads(t)
	}
	return n
}

func rowsWithHeads(t block.Table) int {
	n := 1 + len(t.Rows) + len(t.Ungrouped().Rows)
	if !t.Single() {
		n += len(t.Groups)
	}
	return n
}

func tablesOf(sections []block.Section) []block.Table {
	var out []block.Table
	for _, s := range sections {
		out = append(out, block.Of[block.Table](s.Blocks)...)
		out = append(out, tablesOf(block.Of[block.Section](s.Blocks))...)
	}
	return out
}

func TestReportNeedsNothingElse(t *testing.T) {
	text := reportText(t, wholePage())
	for _, pattern := range []string{`https?:`, `(?i)\burl\(`, `@import`, `\bsrc=`, `\bhref=([^"]|"[^#])`, `"//`,
		`ZgotmplZ`} {
		if at := regexp.MustCompile(pattern).FindStringIndex(text); at != nil {
			t.Errorf("%s found: %q", pattern, text[max(0, at[0]-30):min(len(text), at[1]+30)])
		}
	}
}

func TestReportIsLabelled(t *testing.T) {
	all := elements(t, reportText(t, wholePage()))
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
		// of a drawing that has one
		part := strings.Contains("strokes mark swatch ", strings.Fields(e.attrs["class"] + " -")[0])
		if e.name == "svg" && !part && e.attrs["x"] == "" && (e.attrs["role"] != "img" || e.attrs["aria-labelledby"] == "") {
			t.Errorf("a drawing without a label: %v", e.attrs)
		}
	}
}

const evil = `</script><script>alert("1")</script>' onload='x<!--`

// evilPage has a name that would become code were it not escaped wherever a name
// can stand.
func evilPage() Page {
	p := page()
	p.Shown.Workloads = append(p.Shown.Workloads, kernels().Workloads...)
	p.Shown.Workloads = append(p.Shown.Workloads, sweeps().Workloads...)
	p.Title, p.Generated, p.OverTime = evil, evil, []block.Block{timeChart("time-1", evil, "B/s", 1, []float64{1, 2})}
	stacks := record.Profile{Clock: evil, PeriodNs: 1,
		Stacks: []record.Stack{{Frames: []record.Frame{{Function: evil, Module: evil}}, Thread: evil, N: 9}}}
	p.Profiles = profile.Drawn([]profile.Flame{{Label: evil, CPU: stacks, Waits: stacks}},
		[]profile.FlameDiff{
			{Label: evil, A: profile.FlameSide{Name: evil, CPU: stacks, PerOp: 1},
				B: profile.FlameSide{Name: evil, CPU: stacks, PerOp: 1}}})
	m := graviton()
	m.Name, m.CPU.Model, m.Warnings = evil, evil, []string{evil}
	p.Shown.Machines = map[string]record.Machine{evil: m}
	p.Bases = map[string]finding.Basis{
		evil: {Type: evil, PriceSource: evil, VCPUs: 4, PricePerHour: 1, Doubts: told(evil)}}
	for i := range p.Shown.Workloads {
		c := &p.Shown.Workloads[i]
		c.Machine, c.Load, c.Metric, c.Unit, c.Params = evil, evil, evil, evil, map[string]string{evil: evil}
		c.Doubts = told(evil)
		for k := range c.Trials {
			c.Trials[k].Void = told(evil)[0]
		}
		if sweep.KindBySize.Of(c) != nil {
			sweep.KindBySize.Of(c).Param = evil
		}
		if sweep.KindMemoryBandwidth.Of(c) != nil {
			sweep.KindMemoryBandwidth.Of(c).Of = evil
		}
	}
	pair := &p.Compared[0].Pairs[0]
	pair.A, pair.Found = evil, compare.KindResidue.PutAll(pair.Found, []compare.Difference{{Key: evil, A: []string{evil}}})
	p.Compared[0].Pairs[0].Found = crossover.KindCrossing.PutAll(p.Compared[0].Pairs[0].Found, []crossover.Crossing{
		{Workload: evil, Axis: evil, Unit: evil, Metric: evil, Lo: 1, Hi: 2, Params: map[string]string{evil: evil}}})
	return p
}

func TestReportEscapes(t *testing.T) {
	text := reportText(t, evilPage())
	for _, e := range elements(t, text) {
		if e.attrs["onload"] != "" {
			t.Errorf("text became an element: %v", e)
		}
	}
	if n := strings.Count(text, "</script"); n != 2 {
		t.Errorf("%d scripts end, want the data and the code", n)
	}
	if strings.Contains(text, "<!--") || strings.Contains(text, `<script>alert`) {
		t.Error("a name stands unescaped")
	}
	if !strings.Contains(text, "&lt;script&gt;") || !strings.Contains(text, `\u003cscript\u003e`) {
		t.Error("the machine's name is lost")
	}
}

func TestReportOfNothing(t *testing.T) {
	all := elements(t, reportText(t, Page{Title: "empty"}))
	if got := countElements(all, "svg", "") + countElements(all, "table", "") +
		countElements(all, "script", ""); got != 0 {
		t.Errorf("%d drawings, tables and scripts of nothing", got)
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
