package storage

import (
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/record"
)

// Analyzers returns the analyzers of disks.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{
		{Kind: string(KindDiskBandwidth), Rows: diskRows, Doc: "share of the disk's bandwidth",
			Body: KindDiskBandwidth.Body(), Show: bandwidthSays, Run: diskShares},
		{Kind: string(KindSizing), Doc: "the disk that a workload needs", Body: KindSizing.Body(),
			After: []string{string(throttling.KindRegulation)}, Run: sizings, Brief: true, Show: sizingSays,
			Over: disksOverTime},
		{Kind: string(KindPeakDemand), Doc: "the operation sizes with the highest disk load", Body: KindPeakDemand.Body(),
			After: []string{string(KindSizing)}, Run: peakDemands, Show: peakSays},
	}
}

func diskShares(in *finding.Input) []finding.Finding {
	return KindDiskBandwidth.ByKey(diskSharesOf(in.Swept))
}

func optionsOf(in *finding.Input) sizingOptions {
	o := sizingOptions{Percentile: in.Ask.Percentile, GiB: in.Ask.GiB, Volumes: in.Ask.Volumes, Catalog: in.Read.Catalogue,
		Type: in.Read.Type}
	o.Timeline = func(t record.Trial) (diskTimeline, error) { return readTimeline(in, t) }
	return o
}

func readTimeline(in *finding.Input, t record.Trial) (diskTimeline, error) {
	columns, err := in.Read.Windows(t, func(s record.Series) bool {
		return strings.HasPrefix(s.Name, record.DiskSeries("", ""))
	})
	if err != nil {
		return diskTimeline{}, err
	}
	return newDiskTimeline(*t.Disk, columns)
}

func sizings(in *finding.Input) []finding.Finding {
	if in.Read.Windows == nil || in.Read.Catalogue == nil {
		return nil
	}
	var out []finding.Finding
	for _, c := range in.Primary(func(t record.Trial) bool { return t.Void == "" && usedItsDisk(t) }) {
		o, held := optionsOf(in), throttling.KindRegulation.Of(c)
		if held != nil && held.Class == throttling.Quantum {
			o.Held = *held.Rate
		}
		s := sizingOf(c.Own, in.Fleet[c.Machine], c.Machine, o)
		if s != nil {
			s.Cap.agree(held)
		}
		out = append(out, KindSizing.New(s, c.Key())...)
	}
	return out
}

// peakDemands sizes the disk for the peak too, if the disks of its cells were sized.
func peakDemands(in *finding.Input) []finding.Finding {
	sized := map[string]*Sizing{}
	for _, c := range in.Primary(func(t record.Trial) bool { return t.Void == "" && usedItsDisk(t) }) {
		for _, t := range c.Own {
			if s := KindSizing.Of(c); s != nil {
				sized[t.ID] = s
			}
		}
	}
	demands := peakDiskDemandsOf(in.Swept)
	for at, d := range demands {
		if d != nil && len(sized) > 0 {
			d.Size(sized, in.Fleet[at.Machine], at.Machine, optionsOf(in))
		}
	}
	return slices.Clip(KindPeakDemand.ByKey(demands))
}

func diskRows(c finding.Cell) []finding.Row {
	o := KindDiskBandwidth.Of(c)
	if o == nil {
		return nil
	}
	return []finding.Row{{Name: "of raw disk", Value: o.Share, Scale: finding.Percents()}}
}

// The kinds of findings about disks.
const (
	KindSizing        finding.Kind[Sizing]             = "sizing"
	KindDiskBandwidth finding.Kind[DiskBandwidthShare] = "of_disk"
	KindPeakDemand    finding.Kind[PeakDiskDemand]     = "stress"
)
