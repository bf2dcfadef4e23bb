package bottleneck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// maxDatabases bounds the cells whose databases are drawn second by second.
const maxDatabases = 12

// The kinds of zones of a database's charts.
const (
	zoneCheckpoint = "checkpoint"
	zoneVacuum     = "vacuum"
)

const (
	leastZone = .004 // fraction of the axis: the width of shorter zones
	mostWaits = 4    // classes of waits drawn: a line each, with a dash of its own
	mostNames = 8    // checkpoints labelled at the line; the others have only their zones
)

// databasesOverTime draws the activity of each monitored database second by second, or the throughput of a cluster to
// which a fault happened, from the last valid trial of its cell.
func databasesOverTime(in *finding.Input, _ []string) (out []block.Block, problems []note.Note) {
	chosen, problems := finding.AtMost(finding.LatestOfCells(in.Trials, followed), maxDatabases, "databases-not-drawn")
	for i, t := range chosen {
		track, ok, err := trackOf(in, t)
		if err != nil {
			problems = append(problems, note.New("no-timeline-of-trial", t.ID, err))
		}
		if ok && len(track.Ops) > 1 {
			out = append(out, finding.Blocks(track.charts(fmt.Sprintf("watched-%d", i+1), trialLabel(t)))...)
		}
	}
	return out, problems
}

// trialLabel names a trial by its machine, workload, factors, load and replicate.
func trialLabel(t record.Trial) string {
	parts := []string{t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload]}
	for _, name := range slices.Sorted(maps.Keys(t.Keys)) {
		if factor, ok := strings.CutPrefix(name, record.FactorPrefix); ok {
			parts = append(parts, factor+"="+t.Keys[name])
		}
	}
	return fmt.Sprintf("%s, %s, run %d", strings.Join(parts, ", "), record.LoadText(t.Load.Key()),
		record.RunNumber(t.Replicate))
}

// charts draws the throughput with checkpoints and autovacuum behind it, and below it full-page images, the log and the
// classes of waits.
func (t Track) charts(id, label string) []block.Chart {
	var out []block.Chart
	add := func(title, unit string, lines ...block.Line) {
		if ch, ok := t.chart(block.Chart{ID: fmt.Sprintf("%s-%d", id, len(out)+1), Title: label + ": " + title, Lines: lines},
			unit); ok {
			out = append(out, ch)
		}
	}
	throughput := t.line("throughput", t.Ops, 0)
	throughput.Notes = t.checkpointWords(throughput)
	add("throughput in each second", t.Unit, throughput)
	if series, ok := t.Series[record.DBPageImages]; ok {
		add("full-page images in each second", "images/s", t.line("full-page images", series, 1))
	}
	if series, ok := t.Series[record.DBWALBytes]; ok {
		add("log written in each second", "B/s", t.line("log", series, 2))
	}
	add("sampled activity of the backends, of their time", "%", t.waits()...)
	return out
}

// chart draws lines over the trial's time; false if there is nothing to draw.
func (t Track) chart(ch block.Chart, unit string) (block.Chart, bool) {
	ch, _, ok := finding.TimeChart(ch, unit, t.seconds(), 1)
	ch.Desc += "; " + t.marksText()
	ch.Hint, ch.Zones = ch.Desc, t.zones(t.seconds())
	return ch, ok
}

func (t Track) seconds() float64 { return t.Step * float64(len(t.Ops)) }

func (t Track) rate(counts []float64) []float64 {
	out := make([]float64, len(counts))
	for i, v := range counts {
		out[i] = v / t.Step
	}
	return out
}

func (t Track) line(name string, values []float64, colour int) block.Line {
	return finding.TimeLine(block.Line{Name: name, Group: -1, Colour: colour}, t.Step, t.rate(values))
}

// waits returns lines of the classes in which backends were seen most, as shares of all samples.
func (t Track) waits() []block.Line {
	total := make([]float64, len(t.Ops))
	sums := map[string]float64{}
	for _, class := range record.WaitClasses() {
		for i, v := range t.Series[record.DBWait(class)] {
			total[i] += v
			sums[class] += v
		}
	}
	classes := slices.DeleteFunc(slices.Clone(record.WaitClasses()), func(c string) bool { return sums[c] == 0 })
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	var out []block.Line
	for i, class := range classes[:min(len(classes), mostWaits)] {
		var shares []float64
		for k, v := range t.Series[record.DBWait(class)] {
			shares = append(shares, 100*v/total[k]) // a second without a sample is a gap
		}
		out = append(out, finding.TimeLine(block.Line{Name: waitText(class), Group: i, Colour: i, Dash: i % block.Dashes},
			t.Step, shares))
	}
	return out
}

func (t Track) marksText() string {
	n := map[string]int{}
	for _, m := range t.Marks {
		n[m.What]++
	}
	var parts []string
	if c := n[BesideCheckpoint]; c > 0 {
		parts = append(parts, figure.Count(c, "checkpoint"))
	}
	if v := n[BesideVacuum]; v > 0 {
		parts = append(parts, figure.Count(v, "run")+" of autovacuum")
	}
	if n[BesideBroker] > 0 {
		parts = append(parts, figure.Count(n[BesideBroker], "broker")+" killed, until all replicas were in sync again")
	}
	if n[BesideDrive] > 0 {
		parts = append(parts, figure.Count(n[BesideDrive], "drive")+" lost, until the end")
	}
	if n[BesideAdded] > 0 {
		parts = append(parts, figure.Count(n[BesideAdded], "broker")+" added, until it had its partitions")
	}
	if len(parts) == 0 {
		return "neither checkpoint nor autovacuum"
	}
	return "shaded: " + strings.Join(parts, ", ")
}

// zones returns the marks within the trial, those of autovacuum below.
func (t Track) zones(end float64) []block.Zone {
	var vacuums, checkpoints []block.Zone
	for _, m := range t.Marks {
		z := block.Zone{From: block.Number(max(m.From, 0)), To: block.Number(min(max(m.To, m.From+leastZone*end), end))}
		switch {
		case z.From >= z.To:
		case m.What == BesideCheckpoint:
			z.Kind = zoneCheckpoint
			checkpoints = append(checkpoints, z)
		default:
			z.Kind = zoneVacuum
			vacuums = append(vacuums, z)
		}
	}
	return append(vacuums, checkpoints...)
}

// checkpointWords labels the starts of checkpoints with their triggers, and the kill or the addition of a broker.
func (t Track) checkpointWords(line block.Line) []block.Word {
	var out []block.Word
	for _, m := range t.Marks {
		i := int(m.From / t.Step)
		if m.What != BesideVacuum && m.From >= 0 && i < len(line.Y) && len(out) < mostNames {
			out = append(out, block.Word{X: block.Number(m.From), Y: line.Y[i], Text: m.What + " (" + m.Detail + ")"})
		}
	}
	return out
}
