package bottleneck

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// maxLoads bounds the loads that are drawn second by second with all machines.
const maxLoads = 24

// side is one machine's trial in a chart of several machines.
type side struct {
	machine string
	Track
}

// machinesOverTime draws the throughput of several machines under the same load over one another, second by second,
// from the last valid trial of each.
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
				sides = append(sides, side{t.Keys[record.KeyMachine], track})
			}
		}
		if ch, ok := machinesChart(fmt.Sprintf("overlaid-%d", i+1), title, sides, machines); ok && len(sides) > 1 {
			out = append(out, ch)
		}
	}
	return out, problems
}

// sharedLoads returns the loads under which several machines' servers were measured.
func sharedLoads(trials []record.Trial) []finding.Load {
	loads := finding.LoadsOf(trialset.Filter(trials, func(t *record.Trial) bool {
		return served(*t) && t.Counts() && t.Probe == 0
	}))
	return slices.DeleteFunc(loads, func(l finding.Load) bool { return len(l.Trials) < 2 })
}

// machinesChart draws machines over one axis of time, with a word at the start of each checkpoint; false without a
// value.
func machinesChart(id, title string, sides []side, machines []string) (block.Chart, bool) {
	ch := block.Chart{ID: id, Title: title + ": throughput in each second", Hint: "one run of each machine"}
	end, unit, style := 0.0, "", block.NewStyler(machines, true)
	for i, s := range sides {
		unit = s.Unit
		look := style.Next(s.machine)
		look.Name, look.Group = s.machine, i
		line := finding.TimeLine(look, s.Step, s.rate(s.Ops))
		line.Notes = s.checkpointWords(line)
		ch.Lines, end = append(ch.Lines, line), max(end, s.seconds())
	}
	ch, u, ok := finding.TimeChart(ch, unit, end, 1)
	if !ok {
		return ch, false
	}
	var texts []string
	for i, s := range sides {
		mean := trialset.Sum(s.Ops) / s.seconds()
		texts = append(texts, fmt.Sprintf("%s: %s in %s, %s", s.machine, u.Text(mean, figure.Digits),
			figure.Seconds(s.seconds()), figure.Count(len(ch.Lines[i].Notes), "checkpoint")))
	}
	ch.Desc = strings.Join(texts, "; ")
	return ch, true
}
