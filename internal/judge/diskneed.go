package judge

import (
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

const (
	mib = 1 << 20
	gib = 1 << 30
)

// satisfy states what storage must carry, and what does.
func (s *Sizing) satisfy(lines []DiskTimeline, m record.Machine, o SizingOptions) {
	s.Need = diskNeedOf(lines, o.Percentile)
	if s.Need.GiB = o.GiB; o.GiB == 0 {
		s.Need.GiB = math.Max(1, math.Ceil(float64(diskOf(m, s.Device).Bytes)/gib))
	}
	s.Storage = storagesFor(s.Need.Need, m, o)
}

// storagesFor is what satisfies a need, the machine's own disks among it; empty without a catalogue.
func storagesFor(need catalog.Need, m record.Machine, o SizingOptions) []catalog.Storage {
	if o.Catalog == nil {
		return []catalog.Storage{}
	}
	out := o.Catalog.Storages(need)
	if t, ok := o.typeOf(m); ok {
		if local, ok := o.Catalog.Local(t, need); ok {
			out = append(out, local)
		}
	}
	return out
}

// diskNeedOf is the most of any trial at the share of time asked for, averaged over 1 s. Where the trials are too short for that it is averaged
// over a step, which asks for more; where they are too short for that too, it is the highest step.
func diskNeedOf(lines []DiskTimeline, percentile float64) DiskNeed {
	n := DiskNeed{Percentile: percentile, Averaging: 1}
	enough := func(seconds float64) bool { return fewestWindows(lines, seconds) >= stat.WindowsFor(percentile/100) }
	if !enough(1) {
		n.Averaging = diskStep
		n.Why = fmt.Sprintf("the trials are too short for %g %% of the time at 1 s", percentile)
		if !enough(diskStep) {
			n.Percentile = 100
		}
	}
	for _, l := range lines {
		if rates, _ := stat.Rates(l.io, l.lengths, n.Averaging, diskStep); len(rates) == 0 {
			// Shorter than half a step: there is nothing but its mean.
			n.IOPS = math.Max(n.IOPS, part(total(l.counted), total(l.lengths)))
			n.MiBps = math.Max(n.MiBps, part(total(l.bytes), total(l.lengths))/mib)
			continue
		}
		n.IOPS = math.Max(n.IOPS, l.suffices(l.counted, n.Averaging, n.Percentile))
		n.MiBps = math.Max(n.MiBps, l.suffices(l.bytes, n.Averaging, n.Percentile)/mib)
	}
	return n
}

func (o SizingOptions) typeOf(m record.Machine) (catalog.Type, bool) {
	if o.Type == nil {
		return catalog.Type{}, false
	}
	return o.Type(m)
}

// diskOf is a machine's disk of that name, empty where it is not known.
func diskOf(m record.Machine, name string) record.Disk {
	if at := slices.IndexFunc(m.Disks, func(d record.Disk) bool { return d.Name == name }); at >= 0 {
		return m.Disks[at]
	}
	return record.Disk{}
}

// doubtTrials says what the trials' figures may hide.
func (s *Sizing) doubtTrials(of []record.Trial, lines []DiskTimeline) {
	const much, coarse = .1, 1.5
	var others, own, late, all float64
	elsewhere := ""
	for i, t := range of {
		others += float64(t.Disk.OthersBytes)
		own += float64(t.Disk.ReadBytes + t.Disk.WriteBytes)
		if t.Disk.OnData != nil && !*t.Disk.OnData {
			elsewhere = t.Disk.Data
		}
		for _, n := range lines[i].lengths {
			all += n
			if n > coarse*diskStep {
				late += n
			}
		}
	}
	if others > much*own {
		s.doubt("other disks moved %.0f %% of what this one did: the machine's limits hold for all together", 100*others/own)
	}
	if elsewhere != "" {
		s.doubt("the trials' data are not on this disk: they lie in %s", elsewhere)
	}
	if late > much/2*all {
		s.doubt("%.0f %% of the time was sampled in steps of over %g s: rates within these are not seen", 100*late/all, coarse*diskStep)
	}
	if s.N < minReplicates {
		s.doubt("fewer than %d trials: no interval", minReplicates)
	}
}
