package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"plimsoll/internal/analysis/articles"
	"plimsoll/internal/analysis/claims"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/base/list"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// ArticlesPage is the content of the page of the published articles.
type ArticlesPage struct {
	Title     string // the author's own; "" for the answer
	Generated string // date and program, in words
	Notes     []string
	Machines  []string // the reader's own, by name
	Articles  []ArticlePart
}

// ArticlePart is what the page says of one article.
type ArticlePart struct {
	articles.Article
	Claims    []claims.Claim // those that the article names, in its order
	Published []PublishedPart
	Own       *Page  // of the sessions of the article's suite; nil without any run
	State     string // of these sessions, in words
	Took      string // their time and cost; "" without any
	Rankings  []articles.Ranking
	Departs   []string // what differs between these sessions and the article
}

// PublishedPart is one table of published results, as a report has it.
type PublishedPart struct {
	Of   string
	Page Page
}

// Articles writes the page as HTML: one self-contained file, as Report does. The error is the writer's.
func Articles(w io.Writer, p ArticlesPage) error {
	v := pageView{Title: p.title(), Generated: p.Generated, Notes: p.Notes}
	for i, name := range p.Machines {
		v.Machines = append(v.Machines, machineView{Name: name, Summary: p.summary(name), Series: i % block.SeriesColours})
	}
	sections := p.document()
	v.arrange(sections)
	return html.Write(w, v, sections)
}

// ArticlesMarkdown writes the page as Markdown. The error is the writer's.
func ArticlesMarkdown(w io.Writer, p ArticlesPage) error {
	head := block.Section{Title: p.title(), Fixed: p.Generated, Level: block.PartLevel - 1}
	for _, text := range p.Notes {
		head.Blocks = append(head.Blocks, block.Sentence{Text: text})
	}
	for _, name := range p.Machines {
		head.Blocks = append(head.Blocks, block.Sentence{Lead: name, Text: p.summary(name)})
	}
	return markdown.Write(w, append([]block.Section{head}, p.document()...))
}

// title returns the author's title, else how many of the articles' figures are right.
func (p ArticlesPage) title() string {
	if p.Title != "" {
		return p.Title
	}
	var all []claims.Claim
	for _, a := range p.Articles {
		all = append(all, a.Claims...)
	}
	c := countClaims(all)
	return fmt.Sprintf("Articles about Arm servers: %d of %d checked figures are right, %d are loose, %d are wrong",
		c.right, c.right+c.loose+c.wrong, c.loose, c.wrong)
}

// summary describes a machine of the reader's.
func (p ArticlesPage) summary(name string) string {
	for _, a := range p.Articles {
		if a.Own == nil {
			continue
		}
		if _, ok := a.Own.Shown.Machines[name]; ok {
			return summaryOf(name, a.Own.Shown)
		}
	}
	return ""
}

// document returns the parts of the page: where the reader's machines stand, a line for each article, and each article.
func (p ArticlesPage) document() []block.Section {
	out := []block.Section{
		{Class: block.Verdicts, Blocks: finding.Blocks(p.standing())},
		{Title: "The articles", Level: block.PartLevel, ID: "articles", Blocks: []block.Block{p.overview()}},
	}
	for _, a := range p.Articles {
		out = append(out, a.section())
	}
	return out
}

// standing says where the reader's machines stand among the published ones.
func (p ArticlesPage) standing() []block.Sentence {
	var out []block.Sentence
	beside, measured := 0, false
	for _, a := range p.Articles {
		measured = measured || a.Own != nil
		for _, r := range a.Rankings {
			for _, place := range r.Places {
				if place.Why != "" {
					beside++
					continue
				}
				out = append(out, block.Sentence{Lead: place.Text(), Tone: block.Good, Text: fmt.Sprintf("%s: %s%s",
					rankedText(r), ofMachine(place.Result.Machine, len(p.Machines)), placedText(place))})
			}
		}
	}
	switch {
	case !measured:
		out = append(out, block.Sentence{Lead: "not measured", Tone: block.Dim,
			Text: "no session of this machine is given; plimsoll run articles --quick measures all five"})
	case len(out) == 0:
		out = append(out, block.Sentence{Lead: "not ranked", Tone: block.Dim,
			Text: "no result of this machine can be ranked; the articles below say why"})
	case beside > 0:
		out = append(out, block.Sentence{Lead: "not ranked", Tone: block.Dim,
			Text: figure.Count(beside, "more result") + "; the articles below say why"})
	}
	return out
}

// ofMachine begins a sentence with the machine, if there are several.
func ofMachine(name string, machines int) string {
	if machines < 2 {
		return ""
	}
	return name + ", "
}

// rankedText names what is ranked, with the load that all have in common.
func rankedText(r articles.Ranking) string {
	if r.Load == "" {
		return r.Figure.Name
	}
	return r.Figure.Name + ", " + finding.LoadText(r.Load)
}

// placedText is a result beside the best published one.
func placedText(p articles.Place) string {
	return resultText(p.Result, scaleOf([]articles.Result{p.Result}))
}

// scaleOf returns the scale of results in one unit.
func scaleOf(all []articles.Result) figure.Scale {
	unit, counted := "", ""
	var values []float64
	for _, r := range all {
		values = append(values, r.Estimate.Values()...)
		unit, counted = r.Unit, r.Counted
	}
	if unit == "" {
		return figure.Scale{Factor: .01, Unit: "%"}
	}
	return figure.ScaleFor(figure.UnitOf(counted, unit), values...)
}

// resultText is a result with its interval, or why it has none.
func resultText(r articles.Result, u figure.Scale) string {
	s := r.Estimate
	switch {
	case s.Bounded() && r.Own:
		return s.Interval(u) + " (95% CI, " + figure.N(r.N) + ")"
	case s.Bounded():
		return s.Interval(u)
	}
	return s.Estimate(u)
}

// overview has a line for each article.
func (p ArticlesPage) overview() block.Table {
	t := block.NewTable(block.Column{Name: "article"}, block.Column{Name: "question"}, block.Column{Name: "its answer"},
		block.Column{Name: "its figures, checked"}, block.Column{Name: "this machine"})
	t.Prose = true
	for _, a := range p.Articles {
		t.Rows = append(t.Rows, []block.Cell{{Text: a.Title, Tone: block.Strong}, {Text: a.Question}, {Text: a.Answer},
			{Text: checkedText(a.Claims)}, a.place()})
	}
	return t
}

// checkedText counts an article's claims by verdict.
func checkedText(all []claims.Claim) string {
	c := countClaims(all)
	return figure.Joined(countOf(c.right, "right"), countOf(c.loose, "loose"), countOf(c.wrong, "wrong"))
}

// claimCounts is the number of claims by verdict.
type claimCounts struct{ right, loose, wrong int }

func countClaims(all []claims.Claim) claimCounts {
	var out claimCounts
	for _, c := range all {
		switch c.Verdict {
		case claims.Wrong:
			out.wrong++
		case claims.Loose:
			out.loose++
		case claims.Holds, claims.Exact, claims.Rounded:
			out.right++
		}
	}
	return out
}

func countOf(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}

// place is the best that can be said in a cell of where the reader's machine stands.
func (a ArticlePart) place() block.Cell {
	var places []string
	for _, r := range a.Rankings {
		for _, p := range r.Places {
			if p.Why == "" && !slices.Contains(places, p.Text()) {
				places = append(places, p.Text())
			}
		}
	}
	switch {
	case len(places) > 0:
		return block.Cell{Text: strings.Join(places, "; "), Tone: block.Good}
	case a.Own == nil:
		return block.Cell{Text: a.State, Tone: block.Dim}
	}
	return block.Cell{Text: "not ranked", Tone: block.Dim}
}

// section is one article: what it asks and says, its figures checked, the machines in a row, what cannot be compared,
// the drawings, and how to repeat it.
func (a ArticlePart) section() block.Section {
	out := block.Section{Title: a.Title, Level: block.PartLevel, ID: a.Name}
	say := func(lead, text string) {
		if text != "" {
			out.Blocks = append(out.Blocks, block.Sentence{Lead: lead, Text: text})
		}
	}
	say("question", a.Question)
	say("its answer", a.Answer)
	say("this machine", a.State)
	if len(a.Claims) > 0 {
		out.Blocks = append(out.Blocks, a.claimed())
	}
	for i, r := range a.Rankings {
		out.Blocks = append(out.Blocks, rankingSection(r, fmt.Sprintf("%s-rank-%d", a.Name, i+1)))
	}
	for i, p := range a.Published {
		out.Blocks = append(out.Blocks, a.results("From its data: "+p.Of, fmt.Sprintf("data-%d", i+1), p.Page))
	}
	if a.Own != nil {
		out.Blocks = append(out.Blocks, a.results("On this machine", "own", *a.Own))
	}
	out.Blocks = append(out.Blocks, a.limits(), a.repeat())
	return out
}

// claimed is the table of the article's figures, recomputed.
func (a ArticlePart) claimed() block.Section {
	t := block.Table{Prose: true, Columns: []block.Column{{Name: "the article says"}, {Name: "stated", Right: true},
		{Name: "from its data", Right: true}, {Name: "verdict"}}}
	for _, c := range a.Claims {
		t.Rows = append(t.Rows, []block.Cell{{Text: c.Words}, {Text: withUnit(statedText(c), c.Unit)},
			{Text: withUnit(computedText(c), c.Unit)}, claimVerdict(c.Verdict)})
	}
	return block.Section{Title: "Its figures", Level: block.ResultLevel, Blocks: []block.Block{t}}
}

// rankingSection is the machines in a row, the reader's among the published ones, with a drawing.
func rankingSection(r articles.Ranking, id string) block.Section {
	out := block.Section{Title: rankedText(r), Level: block.ResultLevel}
	for _, p := range r.Places {
		tone := block.Good
		if p.Why != "" {
			tone = block.Warn
		}
		out.Blocks = append(out.Blocks, block.Sentence{Lead: p.Result.Machine, Tone: tone, Text: p.Text()})
	}
	if len(r.Places) == 0 && r.Figure.Unranked != "" {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "not ranked", Tone: block.Dim, Text: r.Figure.Unranked})
	}
	u := scaleOf(r.Results)
	if alike(r.Results) {
		out.Blocks = append(out.Blocks, rankingPlot(r, u, id))
	}
	t := block.Table{Columns: []block.Column{{Name: "machine"}, {Name: "result", Right: true}, {Name: "from"}}}
	for _, res := range r.Results {
		if !alike(r.Results) {
			u = scaleOf([]articles.Result{res})
		}
		from, tone := "published", block.Plain
		if res.Own {
			from, tone = "measured here", block.Strong
		}
		t.Rows = append(t.Rows, []block.Cell{{Text: res.Machine, Tone: tone}, {Text: resultText(res, u), Tone: tone},
			{Text: from}})
	}
	if alike(r.Results) {
		out.Blocks = append(out.Blocks, block.Section{Title: "as a table", Fold: true, Blocks: []block.Block{t}})
	} else {
		out.Blocks = append(out.Blocks, t)
	}
	for _, text := range r.Figure.Differs {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "differs", Tone: block.Warn, Text: text})
	}
	return out
}

// alike reports whether results are in one unit.
func alike(all []articles.Result) bool {
	return !slices.ContainsFunc(all, func(r articles.Result) bool { return r.Unit != all[0].Unit })
}

// The colours of published results and of the reader's own.
const (
	publishedSeries = 0
	ownSeries       = 1
)

// rankingPlot draws the results as bars, in their order.
func rankingPlot(r articles.Ranking, u figure.Scale, id string) block.Plot {
	zero := 0.0
	var values []float64
	p := block.Plot{ID: id, Title: rankedText(r), Whiskers: true, Unit: u,
		Axis: strings.Join(figure.NonEmpty(u.Unit, figure.DirectionText(r.Results[0].Better)), ", ")}
	for _, res := range r.Results {
		s := res.Estimate
		values = append(values, s.Values()...)
		row := block.IntervalRow(s)
		row.Foot, row.Series, row.Label, row.Figure = &zero, publishedSeries, res.Machine, resultText(res, u)
		if res.Own {
			row.Series, row.Label = ownSeries, res.Machine+" (here)"
		}
		p.Rows = append(p.Rows, row)
	}
	p.Scale, p.Desc = block.BarAxis(values), block.DescribeRows(p.Rows)
	return p
}

// mostDrawings is the number of drawings of a table of results that the page shows at once; the others are folded.
const mostDrawings = 4

// results returns the answer and the drawings of a report on results, below a title. IDs begin with the article's name
// and the part's.
func (a ArticlePart) results(title, part string, page Page) block.Section {
	out := block.Section{Title: title, Level: block.ResultLevel}
	parts := pageDocument(page)
	for _, s := range parts {
		if s.Class == block.Verdicts {
			out.Blocks = append(out.Blocks, finding.Blocks(block.Of[block.Sentence](s.Blocks))...)
			break
		}
	}
	for _, text := range page.Notes {
		out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Dim, Text: text})
	}
	drawn := renamed(drawings(parts), a.Name+"-"+part+"-")
	shown := drawn[:min(len(drawn), mostDrawings)]
	if len(shown) > 0 {
		out.Blocks = append(out.Blocks, block.Section{Class: block.Panels, Blocks: shown})
	}
	if more := drawn[len(shown):]; len(more) > 0 {
		out.Blocks = append(out.Blocks, block.Section{Title: figure.Count(len(more), "more drawing"), Fold: true,
			Blocks: more})
	}
	return out
}

// drawings returns the charts and plots of sections in the order of a page, charts first: they show a course.
func drawings(parts []block.Section) []block.Block {
	var charts, plots []block.Block
	for _, s := range parts {
		if s.Detail {
			continue
		}
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case block.Chart:
				charts = append(charts, b)
			case block.Plot:
				plots = append(plots, b)
			case block.Section:
				for _, d := range drawings([]block.Section{b}) {
					if _, ok := d.(block.Chart); ok {
						charts = append(charts, d)
					} else {
						plots = append(plots, d)
					}
				}
			}
		}
	}
	return slices.Concat(charts, plots)
}

// renamed returns drawings whose IDs begin with a prefix, since a page has each ID once.
func renamed(all []block.Block, prefix string) []block.Block {
	return list.Map(all, func(b block.Block) block.Block {
		switch b := b.(type) {
		case block.Chart:
			b.ID = prefix + b.ID
			return b
		case block.Plot:
			b.ID = prefix + b.ID
			return b
		}
		return b
	})
}

// limits says what cannot be compared, and why.
func (a ArticlePart) limits() block.Section {
	out := block.Section{Title: "What is not comparable", Level: block.ResultLevel}
	for _, text := range slices.Concat(a.Departs, a.Differs) {
		out.Blocks = append(out.Blocks, block.Sentence{Text: text})
	}
	for _, text := range a.Short {
		out.Blocks = append(out.Blocks, block.Sentence{Lead: "--quick", Tone: block.Dim, Text: text})
	}
	return out
}

// repeat says how the measurement is repeated, and what that takes.
func (a ArticlePart) repeat() block.Section {
	out := block.Section{Title: "Repeat it", Level: block.ResultLevel}
	say := func(lead, text string) {
		if text != "" {
			out.Blocks = append(out.Blocks, block.Sentence{Lead: lead, Text: text})
		}
	}
	say("command", a.Command())
	for _, suite := range a.Also {
		say("more", "plimsoll run "+suite)
	}
	say("takes", a.Takes)
	say("took here", a.Took)
	say("guide", "examples/"+a.Name+"/README.md")
	return out
}
