package render

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
	"plimsoll/internal/media/html"
	coded "plimsoll/internal/note"
	"plimsoll/internal/record"
)

// Page is all that one HTML report says.
type Page struct {
	Title     string
	Generated string  // when and by what, in words
	Margin    float64 // the equivalence margin as a fraction, for the band of a forest plot; 0 draws none
	Shown     finding.Shown
	Compared  []finding.Compared
	Bases     map[string]finding.Basis // what machines have, cost and take, by name; nil says nothing of it
	Timeline  []Track
	Watched   []Watched  // what databases did in each second
	Overlaid  []Overlaid // what several machines carried in each second
	Disks     []DiskLoad // what their disks did meanwhile

	Flames     []Flame     // what was sampled of each cell
	FlameDiffs []FlameDiff // of what both sides of a comparison profiled
}

// Report writes the page: one file that needs nothing else, neither font nor
// network, and no script to be read. All text in it is escaped. Errors are
// the writer's.
func Report(w io.Writer, page Page) error {
	v := viewOf(page)
	return html.Write(w, v, v.charts, v.flames)
}

// pageView is a page as its template takes it.
type pageView struct {
	Title, Generated string
	Machines         []machineView
	Owned            *results
	Pairs            []pairView
	Results          []resultsView
	Timelines        []block.Chart
	Warnings         []block.Sentence
	Flames           []block.Flame // of cells
	FlameDiffs       []block.Flame
	charts           []block.Chart // those of all parts
	flames           []block.Flame // likewise
}

type machineView struct {
	Name, Summary string
	Series        int
	Facts, Notes  []block.Sentence
}

type pairView struct {
	pairing
	Plots    []block.Plot
	WhyPlots []block.Plot
}

type resultsView struct {
	results
	Sizes, Scaling []block.Chart
	Clients        []block.Chart
	LoadLines      []block.Chart
	Regimes        bool         // the sizes' marks are filled by where the working set lay
	Shares         []block.Plot // of the memory's bandwidth, and of what the machine costs
	Factors        []block.Plot // what each factor has done of a factorial's change
	Trials         []block.Plot
}

func viewOf(page Page) *pageView {
	v := &pageView{Title: page.Title, Generated: page.Generated, Warnings: warningNotes(coded.Texts(page.Shown.Warnings))}
	machines := machineNames(page.Shown)
	for i, name := range machines {
		v.Machines = append(v.Machines, machineViewOf(name, i, page.Shown.Machines))
	}
	v.Owned = ownedOf(machines, page)
	for _, c := range page.Compared {
		for _, p := range c.Pairs {
			id := fmt.Sprint(len(v.Pairs) + 1)
			forest, hasForest := forestPlot("forest-"+id, p, page.Margin)
			value, hasValue := valuePlot("value-"+id, p)
			v.Pairs = append(v.Pairs, pairView{pairingOf(p), append(some(forest, hasForest), some(value, hasValue)...), explainPlots("why-"+id, judge.KindExplain.All(p))})
		}
	}
	for i, cells := range groupBy(page.Shown.Workloads, func(c finding.Cell) string { return c.Workload }) {
		v.addResults(fmt.Sprintf("trials-%d", i+1), cells, machines, page)
	}
	for i, o := range page.Overlaid {
		if ch, ok := overlaidChart(fmt.Sprintf("overlaid-%d", i+1), o, machines); ok {
			v.Timelines = append(v.Timelines, v.draw(ch)...)
		}
	}
	for i, d := range page.Disks {
		v.Timelines = append(v.Timelines, v.draw(diskCharts(fmt.Sprintf("diskuse-%d", i+1), d, machines)...)...)
	}
	for i, t := range page.Timeline {
		if line, ok := timeline(fmt.Sprintf("time-%d", i+1), t); ok {
			v.Timelines = append(v.Timelines, v.draw(line)...)
		}
	}
	for i, w := range page.Watched {
		v.Timelines = append(v.Timelines, v.draw(watchedCharts(fmt.Sprintf("watched-%d", i+1), w)...)...)
	}
	v.addFlames(page)
	return v
}

// addFlames draws where time went.
func (v *pageView) addFlames(page Page) {
	cells, diffs := flamesOf(page)
	v.Flames, v.FlameDiffs = cells, diffs
	v.flames = slices.Concat(cells, diffs)
}

// addResults puts one workload's findings on the page.
func (v *pageView) addResults(id string, cells []finding.Cell, machines []string, page Page) {
	ceiling, hasCeiling := ceilingPlot(id+"-ceiling", cells, machines)
	ofDisk, hasDisk := ofDiskPlot(id+"-of-disk", cells, machines)
	trials, hasTrials := trialPlot(id, cells, machines)
	v.Results = append(v.Results, resultsView{
		results:   resultsOf(cells),
		Sizes:     v.draw(sizeCharts(id, cells, machines)...),
		Scaling:   v.draw(scaleCharts(id, cells, machines)...),
		Clients:   v.draw(clientCharts(id, cells, machines, page.Compared)...),
		LoadLines: v.draw(loadLineCharts(id, cells, machines)...),
		Regimes:   slices.ContainsFunc(cells, knowsRegimes),
		Shares:    slices.Concat(some(ceiling, hasCeiling), some(ofDisk, hasDisk), worthPlots(id, cells, machines, page.Bases)),
		Factors:   attributionPlots(id, cells, len(machines) > 1),
		Trials:    some(trials, hasTrials),
	})
}

// draw makes charts part of the page.
func (v *pageView) draw(charts ...block.Chart) []block.Chart {
	v.charts = append(v.charts, charts...)
	return charts
}

func some(p block.Plot, ok bool) []block.Plot {
	if !ok {
		return nil
	}
	return []block.Plot{p}
}

func machineViewOf(name string, i int, known map[string]record.Machine) machineView {
	v := machineView{Name: name, Summary: "not described in these files", Series: i % seriesColours}
	if m, ok := known[name]; ok {
		v.Summary, v.Facts, v.Notes = summary(m), machineFacts(m), machineNotes(m)
	}
	return v
}

// ownedOf is the table of machines; nil where nothing is known of any.
func ownedOf(machines []string, page Page) *results {
	known := slices.DeleteFunc(slices.Clone(machines), func(name string) bool {
		_, described := page.Shown.Machines[name]
		_, priced := page.Bases[name]
		return !described && !priced
	})
	t, unknown := machinesTable(known, page.Shown.Machines, page.Bases)
	if len(t.Rows) == 0 {
		return nil
	}
	r := &results{Table: t}
	if len(unknown) > 0 {
		r.Notes = append(r.Notes, block.Sentence{Lead: "not known", Tone: block.Dim, Text: strings.Join(unknown, ", ")})
	}
	if slices.ContainsFunc(t.Rows, func(row []block.Cell) bool { return slices.Contains(row, block.Cell{Text: notKnown, Tone: block.Dim}) }) {
		r.Notes = append(r.Notes, block.Sentence{Lead: notKnown, Tone: block.Dim, Text: "not known"})
	}
	for _, name := range slices.Sorted(maps.Keys(page.Bases)) {
		for _, d := range page.Bases[name].Doubts {
			r.Notes = append(r.Notes, block.Sentence{Lead: "doubt", Tone: block.Warn, Text: name + ": " + d.Text()})
		}
	}
	return r
}
