package bottleneck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// maxLoads bounds the loads that are drawn second by second with all machines.
const maxLoads = 24

// side is one machine's trial in a chart of machines.
type side struct {
	machine string
	blind   bool // nothing is known of what went on beside the load: the trial is imported
	Track
}

// machinesOverTime draws the throughput of several machines under the same load over one another, step by step, from
// the last valid trial of each; that of an imported trial by itself too, of which nothing else is drawn.
func machinesOverTime(in *finding.Input, machines []string) (out []block.Block, problems []note.Note) {
	loads, problems := finding.AtMost(sharedLoads(in.Trials), maxLoads, "timelines-not-together")
	for i, title := range finding.LoadTitles(loads) {
		var sides []side
		for _, t := range loads[i].Trials {
			track, ok, err := trackOf(in, t)
			if err != nil {
				problems = append(problems, note.New("no-timeline-of-trial", t.ID, err))
			}
			if ok {
				sides = append(sides, side{t.Keys[record.KeyMachine], !followed(t) && importedBySecond(t), track})
			}
		}
		ch, ok := machinesChart(fmt.Sprintf("overlaid-%d", i+1), title, sides, machines)
		if ok && (len(sides) > 1 || sides[0].blind) {
			out = append(out, ch)
		}
	}
	return out, problems
}

// sharedLoads returns the loads under which several machines' servers were measured, and those of imported timelines.
func sharedLoads(trials []record.Trial) []finding.Load {
	loads := finding.LoadsOf(trialset.Filter(trials, func(t *record.Trial) bool {
		return (served(*t) || importedBySecond(*t)) && t.Role() == record.RoleReplicate
	}))
	return slices.DeleteFunc(loads, func(l finding.Load) bool {
		return len(l.Trials) < 2 && !importedBySecond(l.Trials[0])
	})
}

// machinesChart draws machines over one axis of time, with a word at the start of each checkpoint; false without a
// value.
func machinesChart(id, title string, sides []side, machines []string) (block.Chart, bool) {
	ch := block.Chart{ID: id, Hint: "one run of each machine"}
	end, unit, style := 0.0, "", block.NewStyler(machines, true)
	steps := map[string]bool{}
	for i, s := range sides {
		unit = s.Unit
		look := style.Next(s.machine)
		look.Name, look.Group = s.machine, i
		line := finding.TimeLine(look, s.Step, s.rate(s.Ops))
		line.Notes = s.checkpointWords(line)
		if s.blind {
			line.Notes = s.dipWords(line)
			ch.Hint = "one run of each machine; the largest dips are marked; the import does not hold their causes"
		}
		steps[stepText(s.Step)] = true
		ch.Lines, end = append(ch.Lines, line), max(end, s.seconds())
	}
	ch.Title = title + ": throughput " + strings.Join(slices.Sorted(maps.Keys(steps)), ", ")
	ch, u, ok := finding.TimeChart(ch, unit, end, 1)
	if !ok {
		return ch, false
	}
	var texts []string
	for i, s := range sides {
		mean := trialset.Sum(s.Ops) / s.seconds()
		what := figure.Count(len(ch.Lines[i].Notes), "checkpoint")
		if s.blind {
			what = markedText(ch.Lines[i].Notes)
		}
		texts = append(texts, fmt.Sprintf("%s: %s in %s, %s", s.machine, u.Text(mean, figure.Digits),
			figure.Seconds(s.seconds()), what))
	}
	ch.Desc = strings.Join(texts, "; ")
	return ch, true
}

// stepText names the steps of a timeline.
func stepText(step float64) string {
	if step == Step {
		return "in each second"
	}
	return "in steps of " + figure.Seconds(step)
}

// mostMarked is how many dips are marked at a line.
const mostMarked = 4

// dipWords marks the largest dips of a trial whose database nobody watched, each where its throughput is lowest, with
// how much of the usual throughput it lacks there. The rise at the start is none.
func (t Track) dipWords(line block.Line) []block.Word {
	dips, level, _ := stat.Dips(t.Ops)
	dips = list.Filter(dips, func(d stat.Dip) bool { return d.From > 0 })
	slices.SortStableFunc(dips, func(a, b stat.Dip) int { return cmp.Compare(b.Lost, a.Lost) })
	var out []block.Word
	for _, d := range dips[:min(len(dips), mostMarked)] {
		at := d.From
		for i := d.From; i < d.To; i++ {
			if t.Ops[i] < t.Ops[at] {
				at = i
			}
		}
		out = append(out, block.Word{X: block.Number(t.Step * float64(at)), Y: line.Y[at],
			Text: figure.Percent(t.Ops[at] / level), Low: true})
	}
	slices.SortFunc(out, func(a, b block.Word) int { return cmp.Compare(a.X, b.X) })
	return out
}

// markedText states the marked dips.
func markedText(marked []block.Word) string {
	if len(marked) == 0 {
		return "no dip"
	}
	return "dips: " + strings.Join(list.Map(marked, func(w block.Word) string {
		return w.Text + " at " + figure.Seconds(float64(w.X))
	}), ", ")
}
