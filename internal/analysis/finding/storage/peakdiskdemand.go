package storage

import (
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
	"slices"
)

// PeakDiskDemand is the value of a swept size with the highest disk load, in bytes and in I/Os: the document of
// `stress` in `show --json`. It belongs to the primary metric of the cell of the largest size.
type PeakDiskDemand struct {
	Param   string            `json:"param"`
	Device  string            `json:"device"`
	Points  []DiskDemandPoint `json:"points"` // smallest size first
	Bytes   DiskDemandPeak    `json:"most_bytes"`
	IOPS    DiskDemandPeak    `json:"most_iops"`
	Need    *DiskNeed         `json:"need"`    // the maximum over all sizes; null if there is no disk timeline
	Storage []catalog.Storage `json:"storage"` // storage that satisfies it

	cells []string // ids of the trials of all sizes
}

// DiskDemandPoint is the disk activity at one size.
type DiskDemandPoint struct {
	Size  float64           `json:"size"` // bytes
	Bytes estimate.Estimate `json:"bytes_per_s"`
	IOPS  estimate.Estimate `json:"iops"` // completed, as the kernel issued them
	N     int               `json:"n"`
}

// DiskDemandPeak is the size with the highest disk load.
type DiskDemandPeak struct {
	Size  float64            `json:"size"`
	Value estimate.Estimate  `json:"figure"`
	Over  *estimate.Estimate `json:"highest_over_lowest"` // of any two sizes; null if a run has no disk activity
	// higher than at each other size, at 95% for all of them together
	Certain bool `json:"certain"`
}

// minDemandSizes is the least number of sizes for a peak.
const minDemandSizes = 2

// peakDiskDemandsOf returns the peak of each sweep of sizes that wrote to a server's disk, by the cell of the largest
// size.
func peakDiskDemandsOf(trials []record.Trial) map[trialset.Key]*PeakDiskDemand {
	out := map[trialset.Key]*PeakDiskDemand{}
	_, byWorkload := trialset.GroupByKeys(trialset.Valid(trials), trialset.WorkloadOf)
	for _, ts := range byWorkload {
		if len(trialset.Having(ts, trialset.Ingest)) == 0 || !knowsCPU(ts) {
			continue
		}
		for _, c := range trialset.CurvesAlong(ts, trialset.SizeAxes) {
			if s := peakDiskDemandOf(c); s != nil {
				out[c.Last().At()] = s
			}
		}
	}
	return out
}

// peakDiskDemandOf returns nil if there are too few sizes, or no single disk was active at each of them.
func peakDiskDemandOf(c trialset.Curve) *PeakDiskDemand {
	trials := slices.Concat(c.ByPoint()...)
	device := deviceOf(trials)
	if len(c.Points) < minDemandSizes || device == "" {
		return nil
	}
	s := &PeakDiskDemand{Param: c.Param, Device: device, Storage: []catalog.Storage{}}
	moved := func(p trialset.CurvePoint) []float64 { return PerSecond(p.Trials, diskBytes) }
	done := func(p trialset.CurvePoint) []float64 { return PerSecond(p.Trials, diskIOs) }
	for _, p := range c.Points {
		b, i := moved(p), done(p)
		if len(b) == 0 || len(i) == 0 {
			return nil
		}
		s.Points = append(s.Points, DiskDemandPoint{Size: p.X, Bytes: *estimate.AmountOf(b), IOPS: *estimate.AmountOf(i),
			N: len(b)})
	}
	for _, t := range trials {
		s.cells = append(s.cells, t.ID)
	}
	bytes, positive := c.LogsOf(moved)
	s.Bytes = s.most(bytes, positive, func(p DiskDemandPoint) estimate.Estimate { return p.Bytes })
	ios, positive := c.LogsOf(done)
	s.IOPS = s.most(ios, positive, func(p DiskDemandPoint) estimate.Estimate { return p.IOPS })
	return s
}

func diskBytes(u record.DiskUse) int64 { return u.ReadBytes + u.WriteBytes }

func diskIOs(u record.DiskUse) int64 { return u.Reads + u.Writes }

// PerSecond returns the disk activity of each trial per second.
func PerSecond(trials []record.Trial, of func(record.DiskUse) int64) []float64 {
	var out []float64
	for _, t := range trials {
		if t.Disk != nil && t.DurationS > 0 {
			out = append(out, float64(of(*t.Disk))/t.DurationS)
		}
	}
	return out
}

// most returns the point with the highest load, and whether it is significantly higher than each other one, by
// simultaneous intervals of all pairs of points. Without logarithms nothing is significant.
func (s *PeakDiskDemand) most(points []stat.Point, positive bool,
	of func(DiskDemandPoint) estimate.Estimate) DiskDemandPeak {
	top := 0
	for i, p := range s.Points {
		if of(p).Value > of(s.Points[top]).Value {
			top = i
		}
	}
	out := DiskDemandPeak{Size: s.Points[top].Size, Value: of(s.Points[top])}
	if !positive {
		return out
	}
	over := estimate.Spread(points).Inverse(1)
	out.Over = &over
	out.Certain = true
	for i := range points {
		if i != top {
			out.Certain = out.Certain && estimate.Against(points, i, top).Above(1)
		}
	}
	return out
}

// Size states the storage that satisfies the need at any of the sizes.
func (s *PeakDiskDemand) Size(sizings map[string]*Sizing, m record.Machine, name string, o sizingOptions) {
	kind := ""
	for _, id := range s.cells {
		z := sizings[id]
		if z == nil || z.Need == nil || z.Device != s.Device || z.Idle {
			continue
		}
		if s.Need == nil {
			n := *z.Need
			s.Need, kind = &n, z.Kind
			continue
		}
		s.Need.IOPS, s.Need.MiBps = max(s.Need.IOPS, z.Need.IOPS), max(s.Need.MiBps, z.Need.MiBps)
		s.Need.GiB = max(s.Need.GiB, z.Need.GiB)
	}
	if s.Need != nil {
		m.Name = name
		s.Storage = storagesFor(s.Need.Need, kind, m, o)
	}
}
