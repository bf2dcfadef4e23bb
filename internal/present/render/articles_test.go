package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/analysis/articles"
	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
)

// articlesFixture is a page with a ranked article of drawings, one beside which nothing can be ranked, and one that is
// not measured.
func articlesFixture() ArticlesPage {
	own := wholePage()
	result := func(machine string, own bool, value float64) articles.Result {
		r := articles.Result{Machine: machine, Unit: "B/s", Better: record.Higher, N: 1, Own: own,
			Estimate: estimate.Estimate{Value: value}}
		if own {
			r.N, r.Estimate.Lo, r.Estimate.Hi = 3, ptr(value*.98), ptr(value*1.02)
		}
		return r
	}
	figure := articles.Figure{Name: "Reed-Solomon 8+8", Differs: []string{"Another library."}}
	here := result("m7gd.xlarge", true, 4.2e9)
	ranked := articles.Ranking{Figure: figure, Load: "1 cpus", Results: []articles.Result{
		result("c5.24xlarge", false, 4.49e9), here, result("m6g.16xlarge", false, 1.3e9)},
		Places: []articles.Place{{Result: here, From: 2, To: 2, Of: 3}}}
	beside := ranked
	beside.Figure = articles.Figure{Name: "Requests a second", Unranked: "the load came from elsewhere"}
	beside.Places = []articles.Place{{Result: here, From: 1, Of: 3, Why: "the load came from elsewhere"}}
	of := func(name string) articles.Article {
		return articles.Article{Name: name, Title: "Title of " + name, Published: "2021", Question: "Which is faster?",
			Answer: "The other one.", Differs: []string{"Not the same CPUs."}, Short: []string{"It shows no checkpoint."},
			Takes: "an hour, $4"}
	}
	return ArticlesPage{Title: "Articles", Generated: "2026-11-29", Machines: []string{"m7gd.xlarge"},
		Articles: []ArticlePart{
			{Article: of("one"), Own: &own, State: "9 runs", Took: "5m", Rankings: []articles.Ranking{ranked},
				Published: []PublishedPart{{Of: "charts", Page: own}}, Departs: []string{"m7gd.xlarge has 4 CPUs."},
				Claims: []claims.Claim{{ID: "A", Words: "a third <more>", Unit: "%", Computed: 50, Verdict: claims.Wrong}}},
			{Article: of("two"), Own: &own, State: "9 runs", Rankings: []articles.Ranking{beside}},
			{Article: of("three"), State: "not measured; plimsoll run three --quick measures it"},
		}}
}

func articlesText(t *testing.T, p ArticlesPage) string {
	t.Helper()
	var b bytes.Buffer
	if err := Articles(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestArticles: the first lines are the machine's places, each ID stands once, and what is not ranked says why.
func TestArticles(t *testing.T) {
	text := articlesText(t, articlesFixture())
	seen := map[string]bool{}
	for _, part := range strings.Split(text, ` id="`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		if seen[id] {
			t.Errorf("two elements have the ID %s", id)
		}
		seen[id] = true
	}
	for _, want := range []string{"2nd of 3", "Reed-Solomon 8&#43;8, 1 cpu: ", "1 more result; the articles below say why",
		"not ranked: the load came from elsewhere", "a third &lt;more&gt;", "plimsoll run three", "It shows no checkpoint."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if opening, _, _ := strings.Cut(text, "<h2>"); !strings.Contains(opening, "2nd of 3") {
		t.Error("the places do not come first")
	}
	var md bytes.Buffer
	if err := ArticlesMarkdown(&md, articlesFixture()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Articles\n", "## Title of one\n", "### What is not comparable\n", "2nd of 3"} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("Markdown lacks %q", want)
		}
	}
}

// TestArticlesWithout: without any session the page says how to measure, and has no place.
func TestArticlesWithout(t *testing.T) {
	p := articlesFixture()
	p.Machines = nil
	for i := range p.Articles {
		p.Articles[i].Own = nil
		for j := range p.Articles[i].Rankings {
			p.Articles[i].Rankings[j].Places = nil
		}
	}
	text := articlesText(t, p)
	if !strings.Contains(text, "plimsoll run articles --quick measures all five") || strings.Contains(text, "2nd of 3") {
		t.Error("a page without a session has a place, or no command")
	}
}

// TestArticlesInBrowser: the page fits a phone, answers, and has no barrier.
func TestArticlesInBrowser(t *testing.T) {
	b := startBrowser(t)
	text := articlesText(t, articlesFixture())
	t.Run("accessible", func(t *testing.T) { testAccessible(t, b, text) })
	t.Run("drawn", func(t *testing.T) {
		p := live(t, b, text)
		for _, id := range []string{"one-rank-1", "two-rank-1"} {
			if n := eval[int](p, `document.querySelectorAll("[data-plot=%s] g.row").length`, id); n != 3 {
				t.Errorf("%d rows are drawn in %s", n, id)
			}
		}
		p.shoot("articles")
	})
	t.Run("phone", func(t *testing.T) {
		p := b.tab(t, text, look{width: phone, script: true})
		settle(p)
		if width := eval[float64](p, `document.documentElement.scrollWidth`); width > phone {
			t.Errorf("the page is %v wide on a screen of %d", width, phone)
		}
		quiet(t, p)
	})
}
