package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/catalog"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// tellsBinds says whether a sentence on what binds says more than that a kernel works and a disk's full load fills the disk. JSON has all.
func tellsBinds(c finding.Cell) bool {
	b := bottleneck.KindBottleneck.Of(c)
	switch {
	case c.Workload == "disk":
		return b.What != bottleneck.BindsDisk
	case len(b.Evidence.Waits) > 0, strings.HasSuffix(c.Load, " "+record.ParamClients):
		return true
	case strings.Contains(c.Load, "/s"):
		return b.What != bottleneck.BindsClient
	}
	return false
}

// ingestNotes say of what ingests how much of its disk's bandwidth that is, which size asks most of the disk, and on what it depends.
func ingestNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		where := v.Place(c) + ": "
		if storage.KindDiskBandwidth.Of(c) != nil {
			out = append(out, block.Sentence{Lead: "raw disk", Tone: block.Strong, Text: where + ofDiskText(*storage.KindDiskBandwidth.Of(c))})
		}
		if s := storage.KindPeakDemand.Of(c); s != nil {
			out = append(out, block.Sentence{Lead: "disk by size", Tone: block.Strong, Text: v.Along(c, s.Param) + stressText(*s)})
			if s.Need != nil {
				out = append(out, block.Sentence{Lead: "need", Tone: block.Strong, Text: fmt.Sprintf("of each size of %s: %s%s", s.Param, diskNeedText(*s.Need), storageText(s.Storage))})
			}
		}
	}
	return out
}

// worthNotes say what a dollar carries, and what a unit costs.
func worthNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	for _, c := range v.Cells {
		if w := judge.KindWorth.Of(c); w != nil && !strings.HasSuffix(c.Load, " "+record.ParamCPUs) { // of kernels the page draws it
			out = append(out, block.Sentence{Lead: "a dollar", Tone: block.Strong, Text: v.Place(c) + ", " + c.Metric + ": " + worthText(*w)})
			for _, d := range w.Doubts {
				out = append(out, block.Sentence{Lead: "doubt", Tone: block.Warn, Text: v.Place(c) + ": " + d.Text()})
			}
		}
	}
	return block.Unique(out)
}

func ofDiskText(o storage.DiskBandwidthShare) string {
	u := figure.ScaleFor("B/s", o.Ingest, o.Raw)
	text := fmt.Sprintf("it ingests %s, %s of the %s that disk wrote there (%s)", u.Text(o.Ingest, figure.Digits), finding.ShareText(o.Share), u.Text(o.Raw, figure.Digits), o.Of)
	if o.PerByte != nil && o.Written != nil {
		text += fmt.Sprintf("; the device wrote %s of what it can, %s bytes for each", finding.ShareText(*o.Written), finding.NumberText(*o.PerByte))
	}
	text += ": " + o.Verdict
	if !o.Why.IsZero() {
		text += "; " + o.Why.Text()
	}
	return text
}

func stressText(s storage.PeakDiskDemand) string {
	most := func(m storage.DiskDemandPeak, unit, what string) string {
		sure := "more than any other"
		if !m.Certain {
			sure = "not certainly more than others"
		}
		t := finding.SpanOf(m.Value)
		u := figure.ScaleFor(unit, t.Values()...)
		figure := "by estimate " + t.Estimate(u)
		if t.Bounded() {
			figure = t.Interval(u)
		}
		return fmt.Sprintf("%s=%s asks most %s, %s (%s)", s.Param, record.FormatSize(int64(m.Size)), what, figure, sure)
	}
	return "of " + s.Device + " " + most(s.Bytes, "B/s", "in bytes") + ", " + most(s.IOPS, "op/s", "in I/Os")
}

// storageText is what satisfies a need, in one clause.
func storageText(all []catalog.Storage) string {
	var parts []string
	for _, s := range all {
		if s.USDPerMonth.Known {
			parts = append(parts, fmt.Sprintf("%s of %s GiB, %s IOPS, %s MiB/s: %s $/month", s.Kind, figure.Exact(s.GiB), figure.Exact(s.IOPS), figure.Exact(s.MiBps), figure.Fixed(s.USDPerMonth.Value, 2)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

func worthText(w judge.Worth) string {
	amount := func(t estimate.Estimate, unit string) string {
		s := finding.SpanOf(t)
		u := figure.ScaleFor(unit, s.Values()...)
		if s.Bounded() {
			return s.Interval(u)
		}
		return "by estimate " + s.Estimate(u)
	}
	text := "carries " + amount(w.Dollar, w.Unit)
	if w.Op != nil {
		text += "; one operation costs " + tinyText(*w.Op) + " $"
	}
	if w.TB != nil {
		text += "; 10^12 bytes cost " + finding.NumberText(*w.TB) + " $"
	}
	return text + fmt.Sprintf(", at %s $/h (%s)", figure.Exact(w.PricePerHour), w.PriceSource)
}

// tinyText writes dollars, which may be far below a cent.
func tinyText(t estimate.Estimate) string {
	number := func(v float64) string { return fmt.Sprintf("%.3g", v) }
	if s := finding.SpanOf(t); s.Bounded() {
		return number(*t.Lo) + " to " + number(*t.Hi)
	}
	return "by estimate " + number(t.Value)
}

// ofDiskPlot draws how much of its disk's bandwidth each cell ingests.
func ofDiskPlot(v *finding.View) []block.Plot {
	return finding.SharePlot{
		Suffix: "of-disk", Title: "share of the disk's bandwidth", Axis: "bytes ingested, % of what disk wrote to the same disk; dashed: all of it",
		Of: func(c finding.Cell) (share estimate.Estimate, text, tip string, ok bool) {
			o := storage.KindDiskBandwidth.Of(c)
			if o == nil {
				return share, "", "", false
			}
			return o.Share, finding.ShareText(o.Share) + " of " + figure.Quantity(o.Raw, "B/s") + ", " + o.Verdict, ofDiskText(*o), true
		},
	}.Draw(v)
}
