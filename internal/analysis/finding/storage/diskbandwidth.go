package storage

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// DiskBandwidthShare relates the ingest rate of a log broker to the write bandwidth of workload disk on the same disk
// in the same session: the document of `of_disk` in `show --json`. It belongs to the primary metric.
type DiskBandwidthShare struct {
	Share  estimate.Estimate `json:"share"`              // ingest rate over raw bandwidth: 1 is all of it
	Ingest float64           `json:"ingest_bytes_per_s"` // acknowledged
	Raw    float64           `json:"raw_bytes_per_s"`    // write bandwidth of workload disk
	// its benchmark, the one with the highest bandwidth: "block=16KiB depth=128 jobs=4 rw=write"
	Of string `json:"of"`
	// bytes/s written to the device over those under workload disk; null if its counters are unknown
	Written *estimate.Estimate `json:"written_share"`
	PerByte *estimate.Estimate `json:"written_per_ingested"` // bytes written to the device per ingested byte; likewise
	Verdict string             `json:"verdict"`              // Saturates, SaturatesNot, SaturatesUndecided
	Why     note.Note          `json:"why,omitzero"`         // the reason for the verdict
}

// Verdicts on whether ingestion saturates a disk.
const (
	Saturates          = "saturates the disk"
	SaturatesNot       = "does not saturate the disk"
	SaturatesUndecided = "undecided"
)

// rawDisk holds the trials of workload disk's cell with the highest write bandwidth.
type rawDisk struct {
	trials []record.Trial
	mean   float64
	name   string
}

// rawWritesOf returns the cells of workload disk that write at full load, closed.
func rawWritesOf(trials []record.Trial) [][]record.Trial {
	writes := trialset.Filter(trialset.Valid(trials), func(t *record.Trial) bool {
		rw := t.Keys[bottleneck.DiskWorkload+".rw"]
		return trialset.WorkloadOf(*t) == bottleneck.DiskWorkload && t.Load.Kind == record.Closed &&
			(rw == "write" || rw == "randwrite") && unlimited(*t)
	})
	order, cells := trialset.GroupByKeys(writes, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	var out [][]record.Trial
	for _, at := range order {
		out = append(out, cells[at])
	}
	return out
}

// rawFor returns the highest write bandwidth on the disk that holds the log of a cell's trials.
func rawFor(trials []record.Trial, writes [][]record.Trial) (rawDisk, bool) {
	best := rawDisk{}
	for _, cell := range writes {
		if !sameDisk(trials[0], cell[0]) {
			continue
		}
		if mean := estimate.Average(trialset.ValuesOf(cell, record.Throughput)); mean > best.mean {
			best = rawDisk{cell, mean, trialset.ParamsText(writeParams(cell[0]))}
		}
	}
	return best, best.mean > 0
}

// sameDisk reports whether a trial's log is in the directory or on the device that workload disk wrote to.
func sameDisk(t, disk record.Trial) bool {
	if t.Keys[record.KeyMachine] != disk.Keys[record.KeyMachine] {
		return false
	}
	if t.Keys[trialset.WorkloadOf(t)+".path"] == disk.Keys[bottleneck.DiskWorkload+".path"] {
		return true
	}
	on := func(u *record.DiskUse) bool { return u != nil && u.OnData != nil && *u.OnData }
	return on(t.Disk) && disk.Disk != nil && t.Disk.Device == disk.Disk.Device
}

// writeParams returns the parameters of workload disk that define its writes and their concurrency.
func writeParams(t record.Trial) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"rw", "block", record.ParamDepth, record.ParamJobs} {
		if v := t.Keys[bottleneck.DiskWorkload+"."+name]; v != "" {
			out[name] = v
		}
	}
	return out
}

// valued returns copies of the trials that have a figure, each with that figure alone.
func valued(trials []record.Trial, name string, of func(record.Trial) (float64, bool)) []record.Trial {
	var out []record.Trial
	for _, t := range trials {
		if v, ok := of(t); ok && v > 0 {
			t.Values = []record.Value{{Metric: record.Metric{Name: name, Better: record.Higher}, Value: v}}
			out = append(out, t)
		}
	}
	return out
}

func valueNamed(name string) func(record.Trial) (float64, bool) {
	return func(t record.Trial) (float64, bool) {
		v, ok := t.Value(name)
		return v.Value, ok
	}
}

// writtenTo returns the bytes/s written to the named device.
func writtenTo(device string) func(record.Trial) (float64, bool) {
	return func(t record.Trial) (float64, bool) {
		if t.Disk == nil || t.Disk.Device != device || t.DurationS <= 0 {
			return 0, false
		}
		return float64(t.Disk.WriteBytes) / t.DurationS, true
	}
}

// diskSharesOf returns the share of its disk's bandwidth for each cell that ingests.
func diskSharesOf(trials []record.Trial) map[trialset.Key]*DiskBandwidthShare {
	out := map[trialset.Key]*DiskBandwidthShare{}
	writes := rawWritesOf(trials)
	if len(writes) == 0 {
		return out
	}
	order, cells := trialset.GroupByKeys(trialset.Valid(trials),
		func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for _, at := range order {
		own := trialset.Having(cells[at], trialset.Ingest)
		if len(own) == 0 || !knowsCPU(own) { // a remote broker has other disks
			continue
		}
		if raw, ok := rawFor(own, writes); ok {
			out[at] = diskShareOf(own, raw)
		}
	}
	return out
}

func knowsCPU(trials []record.Trial) bool { return len(trialset.Having(trials, record.CPUPercent)) > 0 }

// diskShareOf relates a cell's trials to the raw ones, by replicate if one plan measured both.
func diskShareOf(own []record.Trial, raw rawDisk) *DiskBandwidthShare {
	const figure = "figure"
	share := trialset.RatioOf(valued(raw.trials, figure, valueNamed(record.Throughput)),
		valued(own, figure, valueNamed(trialset.Ingest)), figure)
	if share == nil {
		return nil
	}
	out := &DiskBandwidthShare{Share: *share, Ingest: estimate.Average(trialset.ValuesOf(own, trialset.Ingest)),
		Raw: raw.mean, Of: raw.name}
	if device := deviceOf(raw.trials); device != "" {
		out.Written, out.PerByte = writtenShare(own, raw.trials, device), itself(own, device)
	}
	out.judge(min(len(own), len(raw.trials)))
	return out
}

// deviceOf returns the busiest device if all trials share it, else "".
func deviceOf(trials []record.Trial) string {
	device := ""
	for i, t := range trials {
		if t.Disk == nil || i > 0 && t.Disk.Device != device {
			return ""
		}
		device = t.Disk.Device
	}
	return device
}

// itself returns the bytes written to a device per byte ingested in the same trial.
func itself(trials []record.Trial, device string) *estimate.Estimate {
	var ratios []float64
	for _, t := range trials {
		took, _ := t.Value(trialset.Ingest)
		wrote, ok := writtenTo(device)(t)
		if !ok {
			return nil
		}
		if took.Value > 0 {
			ratios = append(ratios, wrote/took.Value)
		}
	}
	return estimate.AmountOf(ratios)
}

// writtenShare returns a device's bytes/s over the mean of those under workload disk. A page cache writes back in
// bursts, and in a short trial perhaps nothing: mean and interval are arithmetic.
func writtenShare(own, raw []record.Trial, device string) *estimate.Estimate {
	var most []float64
	for _, t := range raw {
		if wrote, ok := writtenTo(device)(t); ok {
			most = append(most, wrote)
		}
	}
	whole := stat.Mean(most)
	if len(most) == 0 || !(whole > 0) {
		return nil
	}
	var shares []float64
	for _, t := range own {
		wrote, ok := writtenTo(device)(t)
		if !ok {
			return nil
		}
		shares = append(shares, wrote/whole)
	}
	t := estimate.AmountOf(shares)
	if t == nil || !t.Bounded() || len(most) < estimate.MinReplicates {
		return t
	}
	// The denominator is uncertain too: its interval widens the share's at either end.
	w := estimate.AmountOf(most)
	lo, hi := *t.Lo*whole / *w.Hi, math.Inf(1)
	if *w.Lo > 0 {
		hi = *t.Hi * whole / *w.Lo
	}
	return new(figure.Between(lo, hi).Around(t.Value))
}

// judge sets the verdict on saturation. Known device counters decide: data still in a page cache does not limit a disk.
// A disk is saturated from the share bottleneck.FullDisk on. Replicates are those of the smaller side.
func (o *DiskBandwidthShare) judge(replicates int) {
	by := o.Written
	if by == nil {
		by = &o.Share
		o.Why = note.New("page-cache-unknown")
	}
	switch {
	case !by.Bounded() && replicates < estimate.MinReplicates:
		o.Verdict, o.Why = SaturatesUndecided, note.New("too-few-for-disk", estimate.MinReplicates)
	case !by.Bounded():
		o.Verdict, o.Why = SaturatesUndecided, note.New("disk-scatters")
	case by.Below(bottleneck.FullDisk):
		o.Verdict = SaturatesNot
	case o.Written == nil:
		o.Verdict = SaturatesUndecided
	case *by.Lo >= bottleneck.FullDisk:
		o.Verdict = Saturates
	default:
		o.Verdict = SaturatesUndecided
	}
	if o.Written != nil && o.Share.Bounded() && *o.Share.Lo >= bottleneck.FullDisk && o.Verdict == SaturatesNot {
		o.Why = note.New("page-cache-took-in")
	}
}

// unlimited reports whether no bandwidth limit was set.
func unlimited(t record.Trial) bool {
	b := t.Keys[bottleneck.DiskWorkload+".bandwidth"]
	return b == "" || b == "0B"
}

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
		t := m.Value
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
