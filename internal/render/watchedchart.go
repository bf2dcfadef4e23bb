package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/record"
)

// Watched is what a database did in each second of one trial.
type Watched struct {
	Label string
	bottleneck.Track
}

// The kinds of zones of a database's charts.
const (
	zoneCheckpoint = "checkpoint"
	zoneVacuum     = "vacuum"
)

const (
	leastZone = .004 // of the axis: what is shorter is drawn so wide
	mostNames = 8    // checkpoints that are named; of more, their zones are seen
)

// watchedCharts are what was carried, with checkpoints and autovacuum behind it, and below it what the log took and what backends waited for.
func watchedCharts(id string, w Watched) []block.Chart {
	var out []block.Chart
	add := func(title, unit string, lines ...block.Line) {
		if ch, ok := w.chart(fmt.Sprintf("%s-%d", id, len(out)+1), title, unit, lines); ok {
			out = append(out, ch)
		}
	}
	add("throughput in each second", "op/s", w.line("throughput", w.Ops, 0))
	if series, ok := w.Series[record.DBPageImages]; ok {
		add("full-page images in each second", "images/s", w.line("full-page images", series, 1))
	}
	if series, ok := w.Series[record.DBWALBytes]; ok {
		add("log written in each second", "B/s", w.line("log", series, 2))
	}
	add("what the load's backends were seen doing, of their time", "%", w.waits()...)
	if len(out) > 0 {
		w.name(&out[0])
	}
	return out
}

// line is a series as a rate.
func (w Watched) line(name string, values []float64, colour int) block.Line {
	l := block.Line{Name: name, Group: -1, Colour: colour, Joined: true, Step: block.Number(w.Step)}
	for _, v := range values {
		l.Y = append(l.Y, block.Number(v/w.Step))
	}
	return l
}

// waits are the classes that backends were seen in most, as shares of what was seen.
func (w Watched) waits() []block.Line {
	total := make([]float64, len(w.Ops))
	sums := map[string]float64{}
	for _, class := range record.WaitClasses() {
		for i, v := range w.Series[record.DBWait(class)] {
			total[i] += v
			sums[class] += v
		}
	}
	classes := slices.DeleteFunc(slices.Clone(record.WaitClasses()), func(c string) bool { return sums[c] == 0 })
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	var out []block.Line
	for i, class := range classes[:min(len(classes), block.SeriesColours)] {
		l := block.Line{Name: waitText(class), Group: i, Colour: i, Joined: true, Dash: i % block.Dashes, Step: block.Number(w.Step)}
		for k, v := range w.Series[record.DBWait(class)] {
			l.Y = append(l.Y, block.Number(100*v/total[k])) // a second without a look is a gap
		}
		out = append(out, l)
	}
	return out
}

// chart draws lines over the trial's time; false where there is nothing to draw.
func (w Watched) chart(id, title, unit string, lines []block.Line) (block.Chart, bool) {
	top := 0.0
	for _, l := range lines {
		for _, v := range l.Y {
			if figure.IsFinite(float64(v)) {
				top = max(top, float64(v))
			}
		}
	}
	end := w.Step * float64(len(w.Ops))
	if len(lines) == 0 || !(end > 0) || top == 0 {
		return block.Chart{}, false
	}
	ch := block.Chart{
		ID: id, Title: w.Label + ": " + title, X: block.Axis{Name: "time", Unit: "s", Hi: block.Number(end)},
		Desc: fmt.Sprintf("over %s, at most %s; %s", figure.Seconds(end), figure.Quantity(top, unit), w.marksText()), Legend: block.LegendOf(lines),
	}
	ch.Hint = ch.Desc
	var u figure.Scale
	ch.Y, u = block.FromZero("", unit, top)
	for i := range lines {
		for k := range lines[i].Y {
			lines[i].Y[k] /= block.Number(u.Factor)
		}
	}
	ch.Lines, ch.Zones = lines, w.zones(end)
	return ch, true
}

func (w Watched) marksText() string {
	n := map[string]int{}
	for _, m := range w.Marks {
		n[m.What]++
	}
	var parts []string
	if c := n[bottleneck.BesideCheckpoint]; c > 0 {
		parts = append(parts, figure.Count(c, "checkpoint"))
	}
	if v := n[bottleneck.BesideVacuum]; v > 0 {
		parts = append(parts, figure.Count(v, "run")+" of autovacuum")
	}
	if len(parts) == 0 {
		return "neither checkpoint nor autovacuum"
	}
	return "shaded: " + strings.Join(parts, ", ")
}

// zones are the marks as far as they lie in the trial, those of autovacuum below.
func (w Watched) zones(end float64) []block.Zone {
	var vacuums, checkpoints []block.Zone
	for _, m := range w.Marks {
		z := block.Zone{From: block.Number(max(m.From, 0)), To: block.Number(min(max(m.To, m.From+leastZone*end), end))}
		switch {
		case z.From >= z.To:
		case m.What == bottleneck.BesideCheckpoint:
			z.Kind = zoneCheckpoint
			checkpoints = append(checkpoints, z)
		default:
			z.Kind = zoneVacuum
			vacuums = append(vacuums, z)
		}
	}
	return append(vacuums, checkpoints...)
}

// name writes at the throughput's line where checkpoints began and what brought them about.
func (w Watched) name(ch *block.Chart) {
	line, named := &ch.Lines[0], 0
	for _, m := range w.Marks {
		i := int(m.From / w.Step)
		if m.What != bottleneck.BesideCheckpoint || m.From < 0 || i >= len(line.Y) || named == mostNames {
			continue
		}
		named++
		line.Notes = append(line.Notes, block.Word{X: block.Number(m.From), Y: line.Y[i], Text: m.What + " (" + m.Detail + ")"})
	}
}
