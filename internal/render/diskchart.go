package render

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding/storage"
)

// DiskLoad is what the disks of several machines did under the same load, in one trial of each.
type DiskLoad struct {
	Title string
	Sides []DiskSide
}

// DiskSide is one machine's trial, and what all trials of its cell needed.
type DiskSide struct {
	Machine  string
	Timeline storage.DiskTimeline
	Sizing   storage.Sizing
}

const (
	mib = 1 << 20

	// diskRoom is how many times all that it draws such a chart is high, for the words at its levels.
	diskRoom = 1.1
)

// heldRates are one machine's rates over time, and the levels that they are held against; 0 is none.
type heldRates struct {
	machine    string
	window     float64   // that the rates are averaged over, s
	rates      []float64 // in each window
	lengths    []float64 // of the windows as they were, s
	need, held float64
}

// diskCharts draw what the disk moved, and its I/Os, over the trials' time.
func diskCharts(id string, d DiskLoad, machines []string) []block.Chart {
	var bytes, ios []heldRates
	for _, s := range d.Sides {
		need, limit := s.Sizing.Need, s.Sizing.Cap
		moved, counted, lengths := s.Timeline.Rates(need.Averaging)
		if len(lengths) == 0 {
			continue
		}
		b := heldRates{machine: s.Machine, window: need.Averaging, rates: moved, lengths: lengths, need: need.MiBps * mib}
		i := heldRates{machine: s.Machine, window: need.Averaging, rates: counted, lengths: lengths, need: need.IOPS}
		switch {
		case !limit.Binds:
		case limit.Metric == "bytes_per_s":
			b.held = limit.Level
		default:
			i.held = limit.Level
		}
		bytes, ios = append(bytes, b), append(ios, i)
	}
	var out []block.Chart
	if ch, ok := diskChart(bytes, "B/s", machines); ok {
		ch.ID, ch.Title = id+"-bytes", d.Title+": bytes of the disk a second"
		out = append(out, ch)
	}
	if ch, ok := diskChart(ios, "op/s", machines); ok {
		ch.ID, ch.Title = id+"-ios", d.Title+": I/Os of the disk a second, as a provider counts them"
		out = append(out, ch)
	}
	return out
}

// diskChart draws machines over one axis of time; false where nothing was done or needed.
func diskChart(sides []heldRates, unit string, machines []string) (block.Chart, bool) {
	top, end := 0.0, 0.0
	for _, s := range sides {
		_, ends := s.places()
		end, top = math.Max(end, ends), math.Max(top, math.Max(s.need, s.held))
		for _, v := range s.rates {
			top = math.Max(top, v)
		}
	}
	if top == 0 || end == 0 {
		return block.Chart{}, false
	}
	ch := block.Chart{
		X:    block.Axis{Name: "time", Unit: "s", Hi: block.Number(end)},
		Hint: "one trial of each machine; thin: what its trials need, and the level that a disk was held at",
	}
	var u figure.Scale
	ch.Y, u = block.FromZero("", unit, diskRoom*top)
	style := block.NewStyler(machines, true)
	var said []string
	for i, s := range sides {
		look := style.Next(s.machine)
		look.Name, look.Group, look.Joined, look.Shape = s.machine, i, true, ""
		at := end * float64(i+1) / float64(len(sides)+1)
		ch.Lines = append(ch.Lines, s.line(look, u))
		if s.need > 0 {
			ch.Lines = append(ch.Lines, levelLine(look, "need", s.need, u, end, at))
		}
		if s.held > 0 {
			ch.Lines = append(ch.Lines, levelLine(look, "held", s.held, u, end, at))
		}
		said = append(said, s.text(u))
	}
	ch.Legend, ch.Desc = block.LegendOf(ch.Lines), strings.Join(said, "; ")
	return ch, true
}

// places are where the windows begin, and where the last one ends.
func (r heldRates) places() (begin []block.Number, end float64) {
	for _, length := range r.lengths {
		begin = append(begin, block.Number(end))
		end += length
	}
	return begin, end
}

func (r heldRates) line(look block.Line, u figure.Scale) block.Line {
	look.X, _ = r.places()
	for _, v := range r.rates {
		look.Y = append(look.Y, block.Number(v/u.Factor))
	}
	return look
}

// levelLine is a level throughout, with its name at one place.
func levelLine(look block.Line, name string, level float64, u figure.Scale, end, at float64) block.Line {
	y, tip := block.Number(level/u.Factor), u.Text(level, figure.Digits)
	look.Name, look.Faint = look.Name+", "+name, true
	look.X, look.Y, look.Tips = []block.Number{0, block.Number(end)}, []block.Number{y, y}, []string{tip, tip}
	look.Notes = []block.Word{{X: block.Number(at), Y: y, Text: name}}
	return look
}

// text says in words what is drawn of a machine.
func (r heldRates) text(u figure.Scale) string {
	done, passed := 0.0, 0.0
	for i, v := range r.rates {
		done, passed = done+v*r.lengths[i], passed+r.lengths[i]
	}
	out := fmt.Sprintf("%s: %s on average in %s, in windows of %s, need %s", r.machine, u.Text(done/passed, figure.Digits), figure.Seconds(passed), stepText(r.window), u.Text(r.need, figure.Digits))
	if r.held > 0 {
		out += ", held at " + u.Text(r.held, figure.Digits)
	}
	return out
}
