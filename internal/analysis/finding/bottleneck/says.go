package bottleneck

import (
	"fmt"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"slices"
	"strings"
)

// worthStating reports whether a bottleneck is worth a sentence: not that of a kernel that computes, nor of a disk
// under its own full load. JSON has all of them.
func worthStating(c finding.Cell, b *Bottleneck) bool {
	switch {
	case c.Workload == DiskWorkload:
		return b.What != Disk
	case len(b.Evidence.Waits) > 0, strings.HasSuffix(c.Load, " "+record.ParamClients):
		return true
	case strings.Contains(c.Load, "/s"):
		return b.What != Client
	}
	return false
}

// manyOthers is the share of the CPUs from which other programs are named beside what limits a cell.
const manyOthers = .05

// says states the bottleneck of each cell, and the dips of databases with the activity that coincides.
func says(v *finding.View) []block.Block {
	var out []block.Sentence
	stated := map[string]bool{} // bottlenecks of earlier cells: those of others are details
	for _, c := range v.Cells {
		where := v.Place(c) + ": "
		if b := KindBottleneck.Of(c); b != nil && worthStating(c, b) {
			look := block.Strong
			if b.What == Unknown || b.What == Nothing {
				look = block.Dim
			}
			out = append(out, block.Sentence{Lead: "bottleneck", Tone: look, Detail: stated[b.What],
				Text:  where + b.What + ": " + strings.Join(append(slices.Clone(b.Reasons), b.Details...), "; "),
				Brief: where + b.What + ": " + strings.Join(append([]string{chiefReason(*b)}, b.Details...), "; ")})
			stated[b.What] = true
		}
		if b := KindBottleneck.Of(c); b != nil && b.Evidence.Others != nil && b.Evidence.Others.total() >= manyOthers {
			out = append(out, block.Sentence{Lead: "others", Tone: block.Dim, Detail: true, Text: where + "other programs had " +
				Pct(b.Evidence.Others.total()) + " of the CPUs: " + b.Evidence.Others.text()})
		}
		if t := KindTimeline.Of(c); t != nil && t.N > 0 {
			out = append(out, block.Sentence{Lead: "timeline", Tone: block.Plain, Detail: len(t.Faults) == 0,
				Text: where + timelineText(*t)})
			for _, f := range t.Faults {
				out = append(out, block.Sentence{Lead: "fault", Tone: block.Strong, Text: where + f.text()})
			}
			for _, d := range t.Doubts {
				out = append(out, block.Sentence{Lead: "note", Tone: block.Warn, Detail: true, Text: where + d.Text()})
			}
		}
	}
	return finding.Blocks(out)
}

// chiefReason returns the reason that decides: the first, or the last, which concludes from all, if no resource is the
// bottleneck.
func chiefReason(b Bottleneck) string {
	switch {
	case len(b.Reasons) == 0:
		return "no reason known"
	case b.What == Nothing, b.What == Unknown:
		return b.Reasons[len(b.Reasons)-1]
	}
	return b.Reasons[0]
}

// mostDips limits the dips of a cell in a sentence; show --json has all of them.
const mostDips = 3

func timelineText(t Timeline) string {
	text := dipsText(t)
	if t.Unwatched || len(t.Faults) > 0 {
		return text + fmt.Sprintf(" in %s of %s", figure.Seconds(t.Seconds), figure.Count(t.N, "run"))
	}
	if len(t.Checkpoints) > 0 {
		var by []string
		n := 0
		for _, trigger := range t.Triggers() {
			n += t.Checkpoints[trigger]
			by = append(by, fmt.Sprintf("%s %d", trigger, t.Checkpoints[trigger]))
		}
		text += fmt.Sprintf("; %s began (%s)", figure.Count(n, "checkpoint"), strings.Join(by, ", "))
	} else {
		text += "; no checkpoint began"
	}
	return text + fmt.Sprintf(" in %s of %s", figure.Seconds(t.Seconds), figure.Count(t.N, "run"))
}

func dipsText(t Timeline) string {
	switch {
	case t.Lost == nil:
		return "too short to tell dips"
	case len(t.Dips) == 0:
		return "no dips"
	}
	depth := 0.0
	var texts []string
	for i, d := range t.Dips {
		depth += d.Depth / float64(len(t.Dips))
		if i < mostDips {
			texts = append(texts, dipText(d, t.N > 1, t.Unwatched))
		}
	}
	if more := len(t.Dips) - mostDips; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s of %s%%, which cost %s%% of the operations: %s", figure.Count(len(t.Dips), "dip"),
		figure.PercentOf(depth, 0), figure.PercentOf(*t.Lost, 1), strings.Join(texts, "; "))
}

func dipText(d Dip, several, unwatched bool) string {
	var beside []string
	for _, b := range d.Beside {
		beside = append(beside, besideText(b))
	}
	if len(beside) == 0 {
		beside = []string{"nothing that is known"}
	}
	where := ""
	if several {
		where = fmt.Sprintf(" of run %d", record.RunNumber(d.Replicate))
	}
	if unwatched {
		return fmt.Sprintf("at %s s%s for %s s", figure.Exact(d.At), where, figure.Exact(d.Length))
	}
	return fmt.Sprintf("%s at %s s%s for %s s", strings.Join(beside, ", "), figure.Exact(d.At), where,
		figure.Exact(d.Length))
}

func besideText(b Beside) string {
	switch b.What {
	case BesideCheckpoint:
		return "checkpoint (" + b.Detail + ")"
	case BesideBroker:
		return fmt.Sprintf("kill of %s (%s s in)", b.Detail, figure.Fixed(*b.At, 1))
	case BesideDrive:
		return fmt.Sprintf("loss of %s (%s s in)", b.Detail, figure.Fixed(*b.At, 1))
	case BesideAdded:
		return fmt.Sprintf("addition of %s (%s s in)", b.Detail, figure.Fixed(*b.At, 1))
	case BesideImages:
		return fmt.Sprintf("full-page images (%s a second, otherwise %s)", figure.Fixed(*b.Within, 0),
			figure.Fixed(*b.Other, 0))
	case BesideVacuum:
		return strings.TrimSpace(b.What + " " + strings.TrimPrefix(b.Detail, "autovacuum: "))
	}
	return fmt.Sprintf("%s (%s%% of the time, otherwise %s%%)", waitText(b.What), figure.PercentOf(*b.Within, 0),
		figure.PercentOf(*b.Other, 0))
}

// waitText names the activity of backends of a class.
func waitText(class string) string {
	switch class {
	case record.WaitCPU:
		return "at work or waiting for a CPU"
	case record.WaitIO:
		return "waits for data files"
	case record.WaitWAL:
		return "waits for the log"
	case record.WaitLock:
		return "waits for locks"
	case record.WaitLWLock:
		return "waits for shared memory"
	case record.WaitStandby:
		return "waits for the standby"
	case record.WaitClient:
		return "waits for clients"
	}
	return "other waits"
}
