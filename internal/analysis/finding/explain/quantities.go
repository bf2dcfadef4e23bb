package explain

import (
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/finding/storage"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// The quantities derived from a trial's disk statistics.
const (
	diskIOsPerOp   = "disk_ios_per_op"
	diskBytesPerOp = "disk_bytes_per_op"
)

// quantities adds the secondary metrics that differ between the measured trials. The number of disk I/Os is tested.
func (e *explainer) quantities(x *Explanation, s sides, tests *[]candidate) {
	a, b := withDisk(s.measuredA), withDisk(s.measuredB)
	x.Throughput = throughputOf(a, b, s.measuredPaired)
	if min(len(a), len(b)) < estimate.MinReplicates {
		return
	}
	for _, m := range trialset.MetricsOf(a, b) {
		va, vb := trialset.ValuesOf(a, m.Name), trialset.ValuesOf(b, m.Name)
		if !beside(m.Name, a) || len(va) != len(a) || len(vb) != len(b) ||
			!integrity.UnlikeUnits("", "", m.Name, a, b).IsZero() {
			continue
		}
		q, d, ok := quantityOf(m, va, vb, s.measuredPaired)
		if !ok {
			continue
		}
		if m.Name == diskIOsPerOp || m.Name == diskBytesPerOp {
			q.Category = category.WaitingDisk
		}
		test := m.Name == diskIOsPerOp
		if !test && (d.P() > explainAlpha || !farApart(q.Ratio)) {
			continue
		}
		x.Quantities = append(x.Quantities, q)
		if i := len(x.Quantities) - 1; test {
			*tests = append(*tests, candidate{ioPValue(a, b, s.measuredPaired, d), farApart(q.Ratio),
				func(p float64, named bool) { x.Quantities[i].P, x.Quantities[i].Named = &p, named }})
		}
	}
}

// ioPValue returns the p-value of a difference in disk I/Os: the larger one of that per operation and that per second,
// as background writes per second inflate I/Os per operation at a lower throughput. It is 1 if the two disagree in
// direction, if the side with more I/Os has the higher throughput, or if its disk is nearly idle.
func ioPValue(a, b []record.Trial, paired bool, perOp stat.Difference) float64 {
	ios := func(u record.DiskUse) int64 { return u.Reads + u.Writes }
	left, right := storage.PerSecond(a, ios), storage.PerSecond(b, ios)
	if len(left) != len(a) || len(right) != len(b) {
		return 1 // a metric of that name, without disk statistics
	}
	rate := stat.DifferenceOf(stat.Logs(left), stat.Logs(right), paired, stat.SDFloor)
	more, other := b, a
	if perOp.Mean < 0 {
		more, other = a, b
	}
	busy := 0.0
	for _, t := range more {
		busy += t.Disk.BusyPct / float64(len(more))
	}
	carriesMore := stat.Mean(trialRates(more)) > (1+enoughCost)*stat.Mean(trialRates(other))
	if !(rate.Mean*perOp.Mean > 0) || busy < enoughBusy || carriesMore {
		return 1
	}
	return math.Max(perOp.P(), rate.P())
}

// throughputOf compares the throughput of both sides; nil if their units differ.
func throughputOf(a, b []record.Trial, paired bool) *Quantity {
	va, vb := trialset.ValuesOf(a, record.Throughput), trialset.ValuesOf(b, record.Throughput)
	if len(a) == 0 || len(b) == 0 || len(va) != len(a) || len(vb) != len(b) ||
		!integrity.UnlikeUnits("", "", record.Throughput, a, b).IsZero() {
		return nil
	}
	v, _ := a[0].Value(record.Throughput)
	q, _, ok := quantityOf(v.Metric, va, vb, paired)
	if !ok {
		return nil
	}
	if min(len(a), len(b)) < estimate.MinReplicates {
		q.Bounds = figure.Bounds{}
	}
	return &q
}

func farApart(ratio float64) bool { return ratio >= enoughRatio || ratio <= 1/enoughRatio }

// beside reports whether a metric adds to the one compared and to the categories.
func beside(name string, trials []record.Trial) bool {
	switch {
	case name == trialset.PrimaryOf(trials), name == record.CPUPerOp, name == record.CPUPercent, name == record.Throughput,
		name == record.GeneratorCPU, name == record.GeneratorCPUPerOp, name == record.WatchCPU, name == record.Packets:
		return false
	case strings.HasPrefix(name, "latency"), strings.HasPrefix(name, "statement"),
		strings.HasPrefix(name, record.WaitShare("")), strings.HasPrefix(name, "ingest"), name == "egress":
		return false
	}
	return true
}

// quantityOf compares by logs; false if a value is not positive.
func quantityOf(m record.Metric, a, b []float64, paired bool) (Quantity, stat.Difference, bool) {
	la, lb := stat.Logs(a), stat.Logs(b)
	d := stat.DifferenceOf(la, lb, paired, stat.SDFloor)
	if math.IsNaN(d.Mean) || math.IsInf(d.Mean, 0) {
		return Quantity{}, d, false
	}
	return Quantity{Name: m.Name, Unit: m.Unit, A: estimate.Average(a), B: estimate.Average(b), Ratio: math.Exp(d.Mean),
		Bounds: estimate.BoundsOf(d.Interval(explainAlpha).Exp())}, d, true
}

// withDisk adds the I/Os and bytes per operation of the busiest disk to trials.
func withDisk(trials []record.Trial) []record.Trial {
	if !slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Disk != nil }) {
		return trials
	}
	out := slices.Clone(trials)
	for i, t := range out {
		n := t.Operations()
		if t.Disk == nil || !(n > 0) {
			continue
		}
		out[i].Values = append(slices.Clone(t.Values),
			record.Value{Metric: record.Metric{Name: diskIOsPerOp, Unit: "op", Better: record.Neutral},
				Value: float64(t.Disk.Reads+t.Disk.Writes) / n},
			record.Value{Metric: record.Metric{Name: diskBytesPerOp, Unit: "B", Better: record.Neutral},
				Value: float64(t.Disk.ReadBytes+t.Disk.WriteBytes) / n})
	}
	return out
}
