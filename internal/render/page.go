package render

import (
	"embed"
	"fmt"
	"html/template"
	"io"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// assets are the page's template and style, read-only.
//
//go:embed assets
var assets embed.FS

// Page is all that one HTML report says.
type Page struct {
	Title     string
	Generated string  // when and by what, in words
	Margin    float64 // the equivalence margin as a fraction, for the band of a forest plot; 0 draws none
	Shown     judge.Shown
	Compared  []judge.Compared
	Timeline  []Track
}

// Report writes the page: one file that needs nothing else, neither script,
// nor font, nor network. All text in it is escaped. Errors are the writer's.
func Report(w io.Writer, page Page) error {
	t, err := pageTemplate()
	if err != nil {
		return err
	}
	if err := t.Execute(w, viewOf(page)); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func pageTemplate() (*template.Template, error) {
	css, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return nil, fmt.Errorf("reading the report's style: %w", err)
	}
	t := template.New("page.html").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(css) },
	})
	if t, err = t.ParseFS(assets, "assets/*.html"); err != nil {
		return nil, fmt.Errorf("reading the report's template: %w", err)
	}
	return t, nil
}

// pageView is a page as its template takes it.
type pageView struct {
	Title, Generated string
	Machines         []machineView
	Pairs            []pairView
	Results          []resultsView
	Timelines        []timeline
	Warnings         []note
}

type machineView struct {
	Name, Summary string
	Series        int
	Facts, Notes  []note
}

type pairView struct {
	pairing
	Forest *plot
}

type resultsView struct {
	results
	Plot    *plot
	Scaling []scalePlot
}

func viewOf(page Page) pageView {
	v := pageView{Title: page.Title, Generated: page.Generated, Warnings: warningNotes(page.Shown.Warnings)}
	machines := machineNames(page.Shown)
	for i, name := range machines {
		v.Machines = append(v.Machines, machineViewOf(name, i, page.Shown.Machines))
	}
	for _, c := range page.Compared {
		for _, p := range c.Pairs {
			id := fmt.Sprintf("forest-%d", len(v.Pairs)+1)
			v.Pairs = append(v.Pairs, pairView{pairingOf(p), optional(forestPlot(id, p, page.Margin))})
		}
	}
	for i, cells := range groupBy(page.Shown.Workloads, func(c judge.Cell) string { return c.Workload }) {
		id := fmt.Sprintf("trials-%d", i+1)
		v.Results = append(v.Results, resultsView{resultsOf(cells), optional(trialPlot(id, cells, machines)), scalePlots(id, cells, machines)})
	}
	for i, t := range page.Timeline {
		if line, ok := newTimeline(fmt.Sprintf("time-%d", i+1), t); ok {
			v.Timelines = append(v.Timelines, line)
		}
	}
	return v
}

func optional(p plot, ok bool) *plot {
	if !ok {
		return nil
	}
	return &p
}

func machineViewOf(name string, i int, known map[string]record.Machine) machineView {
	v := machineView{Name: name, Summary: "not described in these files", Series: i % seriesColours}
	if m, ok := known[name]; ok {
		v.Summary, v.Facts, v.Notes = summary(m), machineFacts(m), machineNotes(m)
	}
	return v
}
