package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/catalog"
	"plimsoll/internal/judge"
)

// sizing is what one cell needed of its disk, ready for either medium.
type sizing struct {
	Title   string
	Rates   table
	Notes   []note
	Storage table
	Sources []note
}

// sizingsOf describes the cells that asked most of their disk, in bytes and in I/Os, of each machine; what
// the others asked for is less, and stands in the JSON document.
func sizingsOf(cells []judge.Cell, split paramSplit, several bool) []sizing {
	var out []sizing
	for _, own := range groupBy(usingDisks(cells), func(c judge.Cell) string { return c.Machine }) {
		most := func(of func(judge.Cell) float64) int {
			best := 0
			for i, c := range own {
				if of(c) > of(own[best]) {
					best = i
				}
			}
			return best
		}
		at := []int{most(func(c judge.Cell) float64 { return c.Sizing.Need.MiBps }), most(func(c judge.Cell) float64 { return c.Sizing.Need.IOPS })}
		slices.Sort(at)
		at = slices.Compact(at)
		for _, i := range at {
			out = append(out, newSizing(own[i], place(own[i], split, several)))
		}
		if rest := len(own) - len(at); rest > 0 {
			last := &out[len(out)-1]
			last.Sources = append(last.Sources, note{"others", dim, fmt.Sprintf("%s asked for less; show --json has them", count(rest, "cell"))})
		}
	}
	return out
}

func usingDisks(cells []judge.Cell) []judge.Cell {
	var out []judge.Cell
	for _, c := range cells {
		if c.Sizing != nil && !c.Sizing.Idle && c.Sizing.Need != nil {
			out = append(out, c)
		}
	}
	return out
}

func newSizing(c judge.Cell, where string) sizing {
	s := *c.Sizing
	disk := strings.TrimSpace(s.Device + " " + s.Kind)
	out := sizing{
		Title: fmt.Sprintf("%s: %s, I/Os of %s on average, %s %% of the bytes read, %s %% of requests merged by the kernel, in use %s %% of the time, iowait %s %% (n %d)",
			where, disk, Quantity(s.MeanIO, "B"), fixed(100*s.Reads, 0), fixed(100*s.Merged, 0), fixed(s.BusyPct, 0), fixed(s.Iowait, 1), s.N),
		Rates: ratesTable(s.Averages), Storage: storageTable(s.Storage),
	}
	out.Notes = append(out.Notes, missingNotes(s.Averages)...)
	out.Notes = append(out.Notes, note{"cap", strong, capText(s.Cap)}, note{"need", strong, diskNeedText(*s.Need)})
	for _, d := range s.Doubts {
		out.Notes = append(out.Notes, note{"doubt", warn, d.Text()})
	}
	out.Sources = sourceNotes(s.Storage)
	return out
}

// ratesTable has a row for each averaging and share of the time.
func ratesTable(averages []judge.DiskAverage) table {
	t := table{Keys: 1, Spare: []string{"MB/s", "I/Os"}, Columns: []column{
		{"averaged", true}, {"of time", true}, {"MB/s, interval", true}, {"MB/s", true}, {"I/Os per s, interval", true}, {"I/Os", true}, {"counted", true},
	}}
	mega, one := scale{1e6, ""}, scale{1, ""}
	for _, a := range averages {
		for _, p := range a.Points {
			if p.IOPS == nil {
				continue
			}
			bytes, ios := figureSpan(p.Bytes), figureSpan(p.IOPS)
			t.Rows = append(t.Rows, []cell{
				{Text: stepText(a.Seconds)}, {Text: fixed(p.Percentile, 0) + " %"},
				boundedCell(bytes, mega), {Text: bytes.estimate(mega)}, boundedCell(ios, one), {Text: ios.estimate(one)},
				{Text: one.number(roundTo(p.CountedLeast.Value, digits), digits) + " to " + one.number(roundTo(p.Counted.Value, digits), digits)},
			})
		}
	}
	return t
}

// stepText is the time that rates are averaged over.
func stepText(seconds float64) string {
	if seconds < 1 {
		return exact(seconds*1e3) + " ms"
	}
	return exact(seconds) + " s"
}

func figureSpan(f *judge.DiskFigure) span { return span{f.Value, f.Lo, f.Hi} }

func boundedCell(s span, u scale) cell {
	if !s.bounded() {
		return cell{"none", dim}
	}
	return cell{s.interval(u), plain}
}

// missingNotes say which shares of the time the trials are too short for.
func missingNotes(averages []judge.DiskAverage) []note {
	var out []note
	for _, a := range averages {
		var missing []string
		why := ""
		for _, p := range a.Points {
			if p.IOPS == nil {
				missing = append(missing, fixed(p.Percentile, 0)+" %")
				why = cmp.Or(why, p.Why.Text())
			}
		}
		if len(missing) > 0 {
			out = append(out, note{"not told", dim, fmt.Sprintf("averaged over %s, %s of the time: %s", stepText(a.Seconds), strings.Join(missing, ", "), why)})
		}
	}
	return out
}

func capText(c judge.DiskCap) string {
	if !c.Binds {
		return "none seen: " + c.Why.Text()
	}
	unit := "op/s"
	if c.Metric == "bytes_per_s" {
		unit = "B/s"
	}
	text := fmt.Sprintf("held at %s in %s %% of the time, with %s I/Os in flight and iowait %s %%: ",
		Quantity(c.Level, unit), fixed(100*c.Share, 0), fixed(*c.Flight, 1), fixed(*c.Iowait, 1))
	if c.Of == judge.CapUnknown {
		return text + "unknown by what; " + c.Why.Text()
	}
	var near []string
	for _, l := range c.Limits {
		near = append(near, fmt.Sprintf("%s, %s", l.Name, Quantity(l.Value, unit)))
	}
	return text + "by the " + c.Of + " (" + strings.Join(near, "; ") + ")"
}

func diskNeedText(n judge.DiskNeed) string {
	text := fmt.Sprintf("%s IOPS as the provider counts them, %s MiB/s and %s GiB carry %s %% of the time, averaged over %s",
		fixed(n.IOPS, 0), fixed(n.MiBps, 1), exact(n.GiB), exact(n.Percentile), stepText(n.Averaging))
	if !n.Why.IsZero() {
		text += "; " + n.Why.Text()
	}
	return text
}

func storageTable(all []catalog.Storage) table {
	t := table{Keys: 1, Columns: []column{{Name: "storage"}, {"GiB", true}, {"IOPS", true}, {"MiB/s", true}, {"$/month", true}, {Name: "remark"}}}
	for _, s := range all {
		cost := cell{unknownFigure, dim}
		if s.USDPerMonth.Known {
			cost = cell{fixed(s.USDPerMonth.Value, 2), strong}
		}
		remark := s.Why
		if s.BurstS != nil {
			remark = strings.TrimSuffix("by credits alone for "+Quantity(*s.BurstS, "s")+" where it is only as large as needed; "+remark, "; ")
		}
		t.Rows = append(t.Rows, []cell{{s.Kind, strong}, {Text: exact(s.GiB)}, knownCell(s.IOPS), knownCell(s.MiBps), cost, {remark, dim}})
	}
	return t
}

// knownCell is a figure of which 0 means unknown.
func knownCell(v float64) cell {
	if v == 0 {
		return cell{unknownFigure, dim}
	}
	return cell{Text: exact(v)}
}

// sourceNotes say of when and where the prices are.
func sourceNotes(all []catalog.Storage) []note {
	var of []string
	for _, s := range all {
		if s.USDPerMonth.Known {
			of = append(of, strings.Join(nonEmpty(s.Kind, s.Region, s.Date), " "))
		}
	}
	if len(of) == 0 {
		return nil
	}
	return []note{{"prices", dim, strings.Join(of, "; ") + "; show --json names their sources"}}
}
