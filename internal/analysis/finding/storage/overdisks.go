package storage

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

const (
	maxLoads = 24  // loads whose disks are drawn over time
	diskRoom = 1.1 // height of a chart over its highest value, for the labels of its levels
)

// side is one machine's trial in a chart of several machines, with the disk need of its cell.
type side struct {
	machine  string
	timeline diskTimeline
	sizing   Sizing
}

// disksOverTime draws the bytes and the I/Os of disks against the sizing: for each sized cell with an active disk, all
// machines under the same load together.
func disksOverTime(in *finding.Input, machines []string) (out []block.Block, problems []note.Note) {
	trials, sizings := sizedTrials(in)
	loads, problems := finding.AtMost(finding.LoadsOf(trials), maxLoads, "disks-not-drawn")
	for i, title := range finding.LoadTitles(loads) {
		var sides []side
		for _, t := range loads[i].Trials {
			line, err := readTimeline(in, t)
			if err != nil {
				problems = append(problems, note.New("no-disk-timeline", t.ID, err))
				continue
			}
			sides = append(sides, side{t.Keys[record.KeyMachine], line, *sizings[t.ID]})
		}
		out = append(out, finding.Blocks(diskCharts(fmt.Sprintf("diskuse-%d", i+1), title, sides, machines))...)
	}
	return out, problems
}

// sizedTrials returns the last valid trial that used the sized disk, for each cell with disk activity; sizings are by
// trial.
func sizedTrials(in *finding.Input) (trials []record.Trial, sizings map[string]*Sizing) {
	sizings = map[string]*Sizing{}
	for _, c := range in.Primary(func(t record.Trial) bool { return t.Disk != nil && t.Void == "" }) {
		s := activeSizing(c.Cell)
		if s == nil {
			continue
		}
		for _, t := range slices.Backward(c.Own) {
			if t.Disk.Device == s.Device {
				trials, sizings[t.ID] = append(trials, t), s
				break
			}
		}
	}
	return trials, sizings
}

// heldRates holds one machine's rates over time, and the levels they are compared with; 0 is none.
type heldRates struct {
	machine    string
	window     float64   // averaging window of the rates, s
	rates      []float64 // in each window
	lengths    []float64 // actual window lengths, s
	need, held float64
}

// diskCharts draws the bytes and the I/Os over the trials' time.
func diskCharts(id, title string, sides []side, machines []string) []block.Chart {
	var bytes, ios []heldRates
	for _, s := range sides {
		need, limit := s.sizing.Need, s.sizing.Cap
		moved, counted, lengths := s.timeline.rates(need.Averaging)
		if len(lengths) == 0 {
			continue
		}
		b := heldRates{machine: s.machine, window: need.Averaging, rates: moved, lengths: lengths, need: need.MiBps * mib}
		i := heldRates{machine: s.machine, window: need.Averaging, rates: counted, lengths: lengths, need: need.IOPS}
		switch {
		case !limit.Held:
		case limit.Metric == CapBytes:
			b.held = limit.Level
		default:
			i.held = limit.Level
		}
		bytes, ios = append(bytes, b), append(ios, i)
	}
	var out []block.Chart
	if ch, ok := diskChart(id+"-bytes", title+": bytes of the disk a second", bytes, "B/s", machines); ok {
		out = append(out, ch)
	}
	if ch, ok := diskChart(id+"-ios", title+": disk I/Os per second, as a provider counts them", ios, "op/s",
		machines); ok {
		out = append(out, ch)
	}
	return out
}

// diskChart draws machines over one axis of time; false if there is no activity and no need.
func diskChart(id, title string, sides []heldRates, unit string, machines []string) (block.Chart, bool) {
	end := 0.0
	for _, s := range sides {
		end = max(end, trialset.Sum(s.lengths))
	}
	ch := block.Chart{ID: id, Title: title,
		Hint: "one run of each machine; thin: the need of its trials, and the cap of a disk"}
	style := block.NewStyler(machines, true)
	for i, s := range sides {
		look := style.Next(s.machine)
		look.Name, look.Group, look.Joined, look.Shape = s.machine, i, true, ""
		at := end * float64(i+1) / float64(len(sides)+1)
		ch.Lines = append(ch.Lines, s.line(look))
		if s.need > 0 {
			ch.Lines = append(ch.Lines, levelLine(look, "need", s.need, end, at))
		}
		if s.held > 0 {
			ch.Lines = append(ch.Lines, levelLine(look, "held", s.held, end, at))
		}
	}
	ch, u, ok := finding.TimeChart(ch, unit, end, diskRoom)
	for i, l := range ch.Lines {
		if l.Faint {
			tip := u.Text(float64(l.Y[0])*u.Factor, figure.Digits)
			ch.Lines[i].Tips = []string{tip, tip}
		}
	}
	var texts []string
	for _, s := range sides {
		texts = append(texts, s.text(u))
	}
	ch.Desc = strings.Join(texts, "; ")
	return ch, ok
}

func (r heldRates) line(look block.Line) block.Line {
	begin := 0.0
	for i, v := range r.rates {
		look.X, look.Y = append(look.X, block.Number(begin)), append(look.Y, block.Number(v))
		begin += r.lengths[i]
	}
	return look
}

// levelLine returns a horizontal line with its name at one place.
func levelLine(look block.Line, name string, level, end, at float64) block.Line {
	y := block.Number(level)
	look.Name, look.Faint = look.Name+", "+name, true
	look.X, look.Y = []block.Number{0, block.Number(end)}, []block.Number{y, y}
	look.Notes = []block.Word{{X: block.Number(at), Y: y, Text: name}}
	return look
}

// text describes a machine's lines in words.
func (r heldRates) text(u figure.Scale) string {
	done := 0.0
	for i, v := range r.rates {
		done += v * r.lengths[i]
	}
	passed := trialset.Sum(r.lengths)
	out := fmt.Sprintf("%s: %s on average in %s, in windows of %s, need %s", r.machine, u.Text(done/passed, figure.Digits),
		figure.Seconds(passed), stepText(r.window), u.Text(r.need, figure.Digits))
	if r.held > 0 {
		out += ", capped at " + u.Text(r.held, figure.Digits)
	}
	return out
}
