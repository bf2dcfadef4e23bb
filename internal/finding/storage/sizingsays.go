package storage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/catalog"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
)

// sizingSays describes the cells of each machine with the highest disk load, in bytes and in I/Os. The others are in
// the JSON document.
func sizingSays(v *finding.View) []block.Block {
	var out []block.Section
	for _, own := range finding.GroupBy(usingDisks(v.Cells), func(c finding.Cell) string { return c.Machine }) {
		most := func(of func(DiskNeed) float64) int {
			best := 0
			for i, c := range own {
				if of(*KindSizing.Of(c).Need) > of(*KindSizing.Of(own[best]).Need) {
					best = i
				}
			}
			return best
		}
		at := []int{most(func(n DiskNeed) float64 { return n.MiBps }), most(func(n DiskNeed) float64 { return n.IOPS })}
		slices.Sort(at)
		at = slices.Compact(at)
		for _, i := range at {
			out = append(out, newSizing(own[i], v.Place(own[i])))
		}
		if rest := len(own) - len(at); rest > 0 {
			last := &out[len(out)-1]
			last.Blocks = append(last.Blocks, block.Sentence{Lead: "others", Tone: block.Dim, Detail: true,
				Text: fmt.Sprintf("%s with lower needs; show --json lists them", figure.Count(rest, "cell"))})
		}
	}
	return finding.Blocks(out)
}

func usingDisks(cells []finding.Cell) []finding.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c finding.Cell) bool { return activeSizing(c) == nil })
}

// activeSizing returns the sizing of a cell whose disk was active and has a need; else nil.
func activeSizing(c finding.Cell) *Sizing {
	if s := KindSizing.Of(c); s != nil && !s.Idle && s.Need != nil {
		return s
	}
	return nil
}

func newSizing(c finding.Cell, where string) block.Section {
	s := *KindSizing.Of(c)
	disk := strings.TrimSpace(s.Device + " " + s.Kind)
	out := block.Section{Title: "disk",
		Fixed: fmt.Sprintf("%s: %s, I/Os of %s on average, %s%% of the bytes read, %s%% of requests merged by the "+
			"kernel, in use %s%% of the time, iowait %s%% (n=%d)",
			where, disk, figure.Quantity(s.MeanIO, "B"), figure.Fixed(100*s.Reads, 0), figure.Fixed(100*s.Merged, 0),
			figure.Fixed(s.BusyPct, 0), figure.Fixed(s.Iowait, 1), s.N)}
	out.Blocks = append(out.Blocks, ratesTable(s.Averages))
	notes := append(missingNotes(s.Averages),
		block.Sentence{Lead: "cap", Tone: block.Strong, Detail: !s.Cap.Held, Text: capText(s.Cap)},
		block.Sentence{Lead: "need", Tone: block.Strong, Detail: len(s.Storage) == 0, Text: diskNeedText(*s.Need)})
	if s.Together != nil {
		notes = append(notes, block.Sentence{Lead: "both", Detail: true, Text: s.Together.text()})
	}
	for _, d := range s.Doubts {
		notes = append(notes, block.Sentence{Lead: "note", Tone: block.Warn, Detail: len(s.Storage) == 0, Text: d.Text()})
	}
	out.Blocks = append(out.Blocks, finding.Blocks(notes)...)
	if len(s.Storage) > 0 {
		out.Blocks = append(out.Blocks, storageTable(s.Storage))
	}
	out.Blocks = append(out.Blocks, finding.Blocks(sourceNotes(s.Storage))...)
	return out
}

// ratesTable returns a row for each averaging window and share of the time.
func ratesTable(averages []DiskAverage) block.Table {
	t := block.Table{Keys: 1, Detail: true, Spare: []string{"MB/s", "I/Os"}, Columns: []block.Column{
		{Name: "averaged", Right: true}, {Name: "of time", Right: true}, {Name: "MB/s, interval", Right: true},
		{Name: "MB/s", Right: true}, {Name: "I/Os per s, interval", Right: true}, {Name: "I/Os", Right: true},
		{Name: "counted", Right: true},
	}}
	mega, one := figure.Scale{Factor: 1e6, Unit: ""}, figure.Scale{Factor: 1, Unit: ""}
	for _, a := range averages {
		for _, p := range a.Points {
			if p.IOPS == nil {
				continue
			}
			bytes, ios := figureSpan(p.Bytes), figureSpan(p.IOPS)
			t.Rows = append(t.Rows, []block.Cell{
				{Text: stepText(a.Seconds)}, {Text: figure.Fixed(p.Percentile, 0) + "%"},
				finding.IntervalCell(bytes, mega), {Text: bytes.Estimate(mega)}, finding.IntervalCell(ios, one),
				{Text: ios.Estimate(one)},
				{Text: one.Number(figure.RoundTo(p.CountedLeast.Value, figure.Digits), figure.Digits) + " to " +
					one.Number(figure.RoundTo(p.Counted.Value, figure.Digits), figure.Digits)},
			})
		}
	}
	return t
}

func stepText(seconds float64) string {
	if seconds < 1 {
		return figure.Exact(seconds*1e3) + " ms"
	}
	return figure.Exact(seconds) + " s"
}

func figureSpan(f *DiskFigure) figure.Span {
	return figure.Span{Value: f.Value, Lo: f.Lo, Hi: f.Hi}
}

// missingNotes lists the shares of the time for which the trials are too short.
func missingNotes(averages []DiskAverage) []block.Sentence {
	var out []block.Sentence
	for _, a := range averages {
		var missing []string
		why := ""
		for _, p := range a.Points {
			if p.IOPS == nil {
				missing = append(missing, figure.Fixed(p.Percentile, 0)+"%")
				why = cmp.Or(why, p.Why.Text())
			}
		}
		if len(missing) > 0 {
			out = append(out, block.Sentence{Lead: "unknown", Tone: block.Dim, Detail: true,
				Text: fmt.Sprintf("averaged over %s, %s of the time: %s", stepText(a.Seconds), strings.Join(missing, ", "), why)})
		}
	}
	return out
}

func capText(c DiskCap) string {
	if !c.Held {
		return "none found: " + c.Why.Text()
	}
	unit := "op/s"
	if c.Metric == "bytes_per_s" {
		unit = "B/s"
	}
	if c.Of == CapThrottled {
		return fmt.Sprintf("the disk is throttled to %s", figure.Quantity(c.Level, unit))
	}
	text := fmt.Sprintf("capped at %s for %s%% of the time, with %s I/Os in flight and iowait %s%%: ",
		figure.Quantity(c.Level, unit), figure.Fixed(100*c.Share, 0), figure.Fixed(*c.Flight, 1), figure.Fixed(*c.Iowait, 1))
	if c.Of == CapUnknown {
		return text + "by an unknown limit; " + c.Why.Text()
	}
	var near []string
	for _, l := range c.Limits {
		near = append(near, fmt.Sprintf("%s, %s", l.Name, figure.Quantity(l.Value, unit)))
	}
	return text + "by the " + c.Of + " (" + strings.Join(near, "; ") + ")"
}

func diskNeedText(n DiskNeed) string {
	text := fmt.Sprintf("%s IOPS as the provider counts them, %s MiB/s and %s GiB suffice for %s%% of the time, "+
		"averaged over %s",
		figure.Fixed(n.IOPS, 0), figure.Fixed(n.MiBps, 1), figure.Exact(n.GiB), figure.Exact(n.Percentile),
		stepText(n.Averaging))
	if !n.Why.IsZero() {
		text += "; " + n.Why.Text()
	}
	return text
}

func storageTable(all []catalog.Storage) block.Table {
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "storage"}, {Name: "GiB", Right: true}, {Name: "IOPS", Right: true}, {Name: "MiB/s", Right: true},
		{Name: "$/month", Right: true}, {Name: "remark"}}}
	for _, s := range all {
		cost := block.Cell{Text: finding.UnknownFigure, Tone: block.Dim}
		if s.USDPerMonth.Known {
			cost = block.Cell{Text: figure.Fixed(s.USDPerMonth.Value, 2), Tone: block.Strong}
		}
		remark := s.Why
		if s.BurstS != nil {
			remark = strings.TrimSuffix("on burst credits alone for "+figure.Quantity(*s.BurstS,
				"s")+" at the needed size; "+remark, "; ")
		}
		t.Rows = append(t.Rows, []block.Cell{
			{Text: s.Kind, Tone: block.Strong}, {Text: figure.Exact(s.GiB)}, knownCell(s.IOPS), knownCell(s.MiBps), cost,
			{Text: remark, Tone: block.Dim}})
	}
	return t
}

// knownCell formats a figure that is unknown if it is 0.
func knownCell(v float64) block.Cell {
	if v == 0 {
		return block.Cell{Text: finding.UnknownFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Exact(v)}
}

func sourceNotes(all []catalog.Storage) []block.Sentence {
	var of []string
	for _, s := range all {
		if s.USDPerMonth.Known {
			of = append(of, strings.Join(figure.NonEmpty(s.Kind, s.Region, s.Date), " "))
		}
	}
	if len(of) == 0 {
		return nil
	}
	return []block.Sentence{
		{Lead: "prices", Tone: block.Dim, Text: strings.Join(of, "; ") + "; show --json has their sources"}}
}
