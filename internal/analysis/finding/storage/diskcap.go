package storage

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// DiskCap describes a limit on the disk: a plateau of its rate while I/Os queue. Its height alone identifies the limit.
type DiskCap struct {
	Held   bool        `json:"binds"`
	Of     string      `json:"of,omitempty"`     // the limit: CapMachine, CapVolume, CapEither, CapUnknown
	Metric string      `json:"metric,omitempty"` // the metric with a plateau: "bytes_per_s" or "counted_iops"
	Level  float64     `json:"level,omitempty"`
	Share  float64     `json:"share,omitempty"`      // share of the time at that level, 0 to 1
	Window float64     `json:"window_s,omitempty"`   // averaging window of the rates
	Limits []DiskLimit `json:"limits,omitempty"`     // those near that level
	Iowait *float64    `json:"iowait_pct,omitempty"` // during that time, of the time of all CPUs
	Flight *float64    `json:"in_flight,omitempty"`  // during that time, mean
	Why    note.Note   `json:"why,omitzero"`         // the reason why there is no limit, or why it is unknown
}

// Sources of a cap.
const (
	CapMachine   = "machine"
	CapVolume    = "volume"
	CapEither    = "machine or volume"
	CapUnknown   = "unknown"
	CapThrottled = "throttling" // as the finding about it describes
)

// DiskLimit is a limit from the catalogue.
type DiskLimit struct {
	Of     string  `json:"of"`   // CapMachine, CapVolume
	Name   string  `json:"name"` // such as "r6g.large, burst"
	Metric string  `json:"metric"`
	Value  float64 `json:"value"` // B/s, or I/Os per second
	Date   string  `json:"date"`
}

// The metrics that can be limited.
const (
	CapBytes = "bytes_per_s"
	capIOPS  = "counted_iops"

	// capNear is the tolerance for a plateau to match a limit: it covers the rounding of the published limits (I/Os of
	// 128 KiB and 16 KiB), and the overshoot of EBS throttling.
	capNear = 0.05
	// capWaits is the mean number of I/Os in flight from which on I/Os wait for the disk, and not the disk for them.
	capWaits = 0.5
)

// diskLevel is a plateau of one metric, with the state of the disk at it.
type diskLevel struct {
	metric                   string
	p                        stat.Plateau
	window, iowait, inFlight float64
}

// capOf looks for a plateau of bytes, then of I/Os, and for a limit of that height.
func capOf(lines []diskTimeline, kind string, disk record.Disk, m record.Machine, o sizingOptions) DiskCap {
	var found []diskLevel
	window := 1.0
	if !longEnough(lines, window) {
		window = diskStep
	}
	for _, metric := range []string{CapBytes, capIOPS} {
		if l, ok := diskLevelOf(lines, metric, window); ok {
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		if !longEnough(lines, window) {
			return DiskCap{Why: note.New("too-short-for-level")}
		}
		return DiskCap{Why: note.New("no-level-of-rate")}
	}
	limits := limitsOf(kind, disk, m, o)
	best := found[0].cap(limits)
	for _, l := range found[1:] {
		if c := l.cap(limits); c.Held && (!best.Held || len(best.Limits) == 0 && len(c.Limits) > 0) {
			best = c
		}
	}
	if best.Held && best.Of == CapUnknown {
		best.Why = unknownCap(limits, kind)
	}
	return best
}

// leastLevel is the least number of windows for a plateau, and for any statement of need.
const leastLevel = 20

func longEnough(lines []diskTimeline, window float64) bool {
	n := 0
	for _, l := range lines {
		rates, _ := stat.Rates(l.io, l.lengths, window, diskStep)
		n += len(rates)
	}
	return n >= leastLevel
}

// diskLevelOf looks for a plateau over the windows of all trials.
func diskLevelOf(lines []diskTimeline, metric string, window float64) (diskLevel, bool) {
	var rates, iowait, cpu, flight []float64
	for _, l := range lines {
		column := l.bytes
		if metric == capIOPS {
			column = l.counted
		}
		windows := func(column []float64) []float64 {
			r, _ := stat.Rates(column, l.lengths, window, diskStep)
			return r
		}
		rates = append(rates, windows(column)...)
		iowait, cpu = append(iowait, windows(l.iowait)...), append(cpu, windows(l.cpu)...)
		// In flight is a gauge, not a counter: weighted by time, it averages like one.
		weighted := make([]float64, len(l.inFlight))
		for i, n := range l.inFlight {
			weighted[i] = n * l.lengths[i]
		}
		flight = append(flight, windows(weighted)...)
	}
	p, ok := stat.PlateauOf(rates)
	if !ok {
		return diskLevel{}, false
	}
	out := diskLevel{metric: metric, p: p, window: window}
	var waiting, ticks float64
	for _, i := range p.At {
		waiting += iowait[i]
		ticks += cpu[i]
		out.inFlight += flight[i] / float64(len(p.At))
	}
	out.iowait = 100 * trialset.Part(waiting, ticks)
	return out, true
}

// cap decides whether a level is a cap, and lists the limits near it.
func (l diskLevel) cap(limits []DiskLimit) DiskCap {
	c := DiskCap{Metric: l.metric, Level: l.p.Level, Share: l.p.Share, Window: l.window, Iowait: &l.iowait,
		Flight: &l.inFlight}
	if l.inFlight < capWaits {
		c.Why = note.New("level-of-load")
		return c
	}
	c.Held, c.Of = true, CapUnknown
	for _, x := range limits {
		if x.Metric == l.metric && math.Abs(l.p.Level/x.Value-1) <= capNear {
			c.Limits = append(c.Limits, x)
		}
	}
	of := func(what string) bool {
		return slices.ContainsFunc(c.Limits, func(x DiskLimit) bool { return x.Of == what })
	}
	switch machine, volume := of(CapMachine), of(CapVolume); {
	case machine && volume:
		c.Of = CapEither
	case machine:
		c.Of = CapMachine
	case volume:
		c.Of = CapVolume
	}
	return c
}

// agree has throttling hold the disk if it was found: operations wait above an idle device then, so that its own
// counters look like a level load.
func (c *DiskCap) agree(g *throttling.Regulation) {
	if g.Throttled() && !c.Held {
		*c = DiskCap{Held: true, Of: CapThrottled, Metric: CapBytes, Level: *g.Rate}
	}
}

func unknownCap(limits []DiskLimit, kind string) note.Note {
	if kind != "EBS" {
		return note.New("disk-not-in-catalogue")
	}
	var names []string
	for _, l := range limits {
		if l.Of == CapMachine {
			names = append(names, l.Name)
		}
	}
	if len(names) == 0 {
		return note.New("limits-not-in-catalogue")
	}
	return note.New("no-limit-near", strings.Join(slices.Compact(names), ", "))
}

// limitsOf returns the limits of a machine's EBS volumes together, and those of a single volume of each kind: the kind
// of a volume, and its provisioned performance, are invisible from inside the machine.
func limitsOf(kind string, disk record.Disk, m record.Machine, o sizingOptions) []DiskLimit {
	if kind != "EBS" || o.Catalog == nil {
		return nil
	}
	var out []DiskLimit
	add := func(of, name, metric string, value float64, date string) {
		if value > 0 {
			out = append(out, DiskLimit{of, name, metric, value, date})
		}
	}
	if t, ok := o.typeOf(m); ok {
		machineLimits(t, add)
	}
	size := math.Ceil(float64(disk.Bytes) / gib)
	for _, v := range o.Catalog.Volumes() {
		if v.Rule == catalog.BySize {
			has := v.For(catalog.Need{GiB: size})
			name := fmt.Sprintf("%s of %g GiB", v.Name, size)
			add(CapVolume, name, capIOPS, has.IOPS, v.Date)
			add(CapVolume, name, CapBytes, has.MiBps*mib, v.Date)
			add(CapVolume, v.Name+", burst", capIOPS, v.BurstIOPS, v.Date)
			continue
		}
		add(CapVolume, v.Name+", as included", capIOPS, v.IncludedIOPS, v.Date)
		add(CapVolume, v.Name+", as included", CapBytes, v.IncludedMiBps*mib, v.Date)
		add(CapVolume, v.Name+", at most", capIOPS, v.MaxIOPS, v.Date)
		add(CapVolume, v.Name+", at most", CapBytes, v.MaxMiBps*mib, v.Date)
	}
	return out
}

func machineLimits(t catalog.Type, add func(of, name, metric string, value float64, date string)) {
	if l := t.EBS; l != nil {
		add(CapMachine, t.Name+", baseline", CapBytes, l.BaselineMbps*bottleneck.BytesPerMbps, l.Date)
		add(CapMachine, t.Name+", baseline", capIOPS, l.BaselineIOPS, l.Date)
		if l.MaxMbps > l.BaselineMbps {
			add(CapMachine, t.Name+", burst", CapBytes, l.MaxMbps*bottleneck.BytesPerMbps, l.Date)
			add(CapMachine, t.Name+", burst", capIOPS, l.MaxIOPS, l.Date)
		}
	} else if t.EBSMbps.Known {
		add(CapMachine, t.Name+", at most", CapBytes, t.EBSMbps.Value*bottleneck.BytesPerMbps, "")
	}
}
