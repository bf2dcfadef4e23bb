package storage

import (
	"math"
	"slices"

	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

const (
	mib = 1 << 20
	gib = 1 << 30
)

// satisfy states the need, and the storage that satisfies it.
func (s *Sizing) satisfy(lines []diskTimeline, m record.Machine, o sizingOptions) {
	if s.Need, s.Unsized = diskNeedOf(lines, o.Percentile, o.Held); s.Need == nil {
		return
	}
	if s.Need.GiB = o.GiB; o.GiB == 0 {
		s.Need.GiB = math.Max(1, math.Ceil(float64(diskOf(m, s.Device).Bytes)/gib))
	}
	s.Storage = storagesFor(s.Need.Need, s.Kind, m, o)
}

// storagesFor returns the storage that satisfies a need: the machine's own disks and, on its provider's machines or on
// request, a provider's volumes; empty without a catalogue.
func storagesFor(need catalog.Need, kind string, m record.Machine, o sizingOptions) []catalog.Storage {
	out := []catalog.Storage{}
	if o.Catalog == nil {
		return out
	}
	t, known := o.typeOf(m)
	if o.Volumes || kind == "EBS" || known && t.Vendor == "aws" {
		out = append(out, o.Catalog.Storages(need)...)
	}
	if known {
		if local, ok := o.Catalog.Local(t, need); ok {
			out = append(out, local)
		}
	}
	return out
}

// maxNeedSpread is the ratio between trials up to which the highest defines the need.
const maxNeedSpread = 3

// diskNeedOf returns the highest rate of any trial at the requested share of time, averaged over 1 s; if the trials are
// too short for that, over a step, which gives a higher need. It is at most what the disk gave in some second, and what
// a quota of held bytes/s lets pass. If the trials are too short even for steps, or too far apart, it returns nil and
// the reason.
func diskNeedOf(lines []diskTimeline, percentile, held float64) (*DiskNeed, note.Note) {
	n := &DiskNeed{Percentile: percentile, Averaging: 1}
	enough := max(leastLevel, stat.WindowsFor(percentile/100))
	if fewestWindows(lines, 1) < enough {
		n.Averaging = diskStep
		n.Why = note.New("averaged-shorter", percentile)
		if had := fewestWindows(lines, diskStep); had < enough {
			return nil, note.New("too-short-to-size", percentile, enough, diskStep, had)
		}
	}
	least := math.Inf(1)
	for _, l := range lines {
		mibps := l.suffices(l.bytes, n.Averaging, n.Percentile) / mib
		n.IOPS = math.Max(n.IOPS, l.suffices(l.counted, n.Averaging, n.Percentile))
		n.MiBps, least = math.Max(n.MiBps, mibps), math.Min(least, mibps)
	}
	n.bound(lines)
	if held > 0 && n.MiBps > held/mib {
		n.MiBps, n.Why = held/mib, note.New("held-to-quota")
	}
	if n.MiBps > maxNeedSpread*least {
		return nil, note.New("trials-far-apart", least, n.MiBps)
	}
	return n, note.Note{}
}

// bound lowers a need over shorter steps to what the disk gave in some second: steps beat against a quota that is
// renewed as often, so that one of them holds two allowances.
func (n *DiskNeed) bound(lines []diskTimeline) {
	if n.Averaging >= 1 {
		return
	}
	bytes, ios := 0.0, 0.0
	for _, l := range lines {
		bytes, ios = math.Max(bytes, l.bestSecond(l.bytes)), math.Max(ios, l.bestSecond(l.counted))
	}
	if n.MiBps > bytes/mib || n.IOPS > ios {
		n.MiBps, n.IOPS, n.Averaging = math.Min(n.MiBps, bytes/mib), math.Min(n.IOPS, ios), 1
		n.Why = note.New("averaged-best", n.Percentile)
	}
}

// bestSecond returns the highest rate of a column over any second, or over all of it if it is shorter.
func (t diskTimeline) bestSecond(column []float64) float64 {
	best, sum, passed, from := 0.0, 0.0, 0.0, 0
	for to := range column {
		sum += column[to]
		passed += t.lengths[to]
		for passed-t.lengths[from] >= 1-diskStep/2 {
			sum -= column[from]
			passed -= t.lengths[from]
			from++
		}
		if passed >= 1-diskStep/2 {
			best = math.Max(best, sum/passed)
		}
	}
	if best == 0 {
		return sum / passed
	}
	return best
}

func (o sizingOptions) typeOf(m record.Machine) (catalog.Type, bool) {
	if o.Type == nil {
		return catalog.Type{}, false
	}
	return o.Type(m)
}

func diskOf(m record.Machine, name string) record.Disk {
	if at := slices.IndexFunc(m.Disks, func(d record.Disk) bool { return d.Name == name }); at >= 0 {
		return m.Disks[at]
	}
	return record.Disk{}
}

// doubtTrials adds notes on the limits of the trials' figures.
func (s *Sizing) doubtTrials(of []record.Trial, lines []diskTimeline) {
	const much, coarse = .1, 1.5
	var others, own, work, late, all float64
	for i, t := range of {
		others += float64(t.Disk.OthersBytes)
		own += float64(t.Disk.ReadBytes + t.Disk.WriteBytes)
		if t.Disk.WorkBytes == nil {
			work = math.Inf(1) // unknown
		} else {
			work += float64(*t.Disk.WorkBytes)
		}
		for _, n := range lines[i].lengths {
			all += n
			if n > coarse*diskStep {
				late += n
			}
		}
	}
	if others > much*own {
		s.doubt("other-disks-moved", 100*others/own)
	}
	if work < own/2 {
		s.doubt("work-moved-less", 100*work/own)
	}
	if late > much/2*all {
		s.doubt("coarse-steps", 100*late/all, coarse*diskStep)
	}
	if s.N < estimate.MinReplicates {
		s.doubt("too-few-replicates", estimate.MinReplicates)
	}
}
