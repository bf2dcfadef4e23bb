package storage

import (
	"fmt"
	"plimsoll/internal/block"
	"plimsoll/internal/catalog"
	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
	"strings"
)

func ofDiskText(o DiskBandwidthShare) string {
	u := figure.ScaleFor("B/s", o.Ingest, o.Raw)
	text := fmt.Sprintf("ingests %s, %s of the %s that workload disk wrote there (%s)", u.Text(o.Ingest, figure.Digits),
		finding.ShareText(o.Share), u.Text(o.Raw, figure.Digits), o.Of)
	if o.PerByte != nil && o.Written != nil {
		text += fmt.Sprintf("; the device wrote %s of its maximum, %s bytes per ingested byte", finding.ShareText(*o.Written),
			finding.NumberText(*o.PerByte))
	}
	text += ": " + o.Verdict
	if !o.Why.IsZero() {
		text += "; " + o.Why.Text()
	}
	return text
}

// bandwidthSays states and draws the share of its disk's bandwidth that each cell ingests.
func bandwidthSays(v *finding.View) []block.Block {
	var out []block.Block
	for _, c := range v.Cells {
		if o := KindDiskBandwidth.Of(c); o != nil {
			out = append(out, block.Sentence{Lead: "raw disk", Tone: block.Strong, Text: v.Place(c) + ": " + ofDiskText(*o)})
		}
	}
	return append(out, finding.Blocks(finding.SharePlot{
		Suffix: "of-disk", Title: "share of the disk's bandwidth", Axis: "bytes ingested, % of the write bandwidth of " +
			"workload disk; dashed: 100%",
		Of: func(c finding.Cell) (share estimate.Estimate, text, tip string, ok bool) {
			o := KindDiskBandwidth.Of(c)
			if o == nil {
				return share, "", "", false
			}
			return o.Share, finding.ShareText(o.Share) + " of " + figure.Quantity(o.Raw, "B/s") + ", " + o.Verdict,
				ofDiskText(*o), true
		},
	}.Draw(v))...)
}

// peakSays states the sizes of operations with the highest disk load, and the storage that each of them needs.
func peakSays(v *finding.View) []block.Block {
	var out []block.Block
	for _, c := range v.Cells {
		s := KindPeakDemand.Of(c)
		if s == nil {
			continue
		}
		out = append(out, block.Sentence{Lead: "disk by size", Tone: block.Strong, Text: v.Along(c, s.Param) + peakText(*s)})
		if s.Need != nil {
			out = append(out, block.Sentence{Lead: "need", Tone: block.Strong,
				Text: fmt.Sprintf("for every size of %s: %s%s", s.Param, diskNeedText(*s.Need), storageText(s.Storage))})
		}
	}
	return out
}

func peakText(s PeakDiskDemand) string {
	most := func(m DiskDemandPeak, unit, what string) string {
		sure := "higher than all others"
		if !m.Certain {
			sure = "not significantly higher than others"
		}
		t := finding.SpanOf(m.Value)
		u := figure.ScaleFor(unit, t.Values()...)
		figure := "by estimate " + t.Estimate(u)
		if t.Bounded() {
			figure = t.Interval(u)
		}
		return fmt.Sprintf("%s at %s=%s, %s (%s)", what, s.Param, record.FormatSize(int64(m.Size)), figure, sure)
	}
	return "peak of " + s.Device + ": " + most(s.Bytes, "B/s", "bytes") + ", " + most(s.IOPS, "op/s", "I/Os")
}

// storageText lists the storage that satisfies a need, in one clause.
func storageText(all []catalog.Storage) string {
	var parts []string
	for _, s := range all {
		if s.USDPerMonth.Known {
			parts = append(parts, fmt.Sprintf("%s of %s GiB, %s IOPS, %s MiB/s: %s $/month", s.Kind, figure.Exact(s.GiB),
				figure.Exact(s.IOPS), figure.Exact(s.MiBps), figure.Fixed(s.USDPerMonth.Value, 2)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}
