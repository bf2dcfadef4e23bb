package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// minSweep is the least number of CPU counts for a scaling law, minSingle without replicates to separate scatter from
// shape.
const minSweep, minSingle = 4, 6

// Sweep is a curve over the CPUs of a closed load.
type Sweep struct{ trialset.Curve }

// SweepsOf finds sweeps of three numbers of CPUs or more: one CPU and all of them are two cells, and no sweep.
func SweepsOf(trials []record.Trial) []Sweep {
	var out []Sweep
	for _, c := range cpuAxis().Curves(trials) {
		if len(c.Points) > 2 {
			out = append(out, Sweep{c})
		}
	}
	return out
}

func cpuAxis() trialset.CurveAxis { return trialset.LoadAxisOf(record.ParamCPUs) }

// Chief returns the first trial of the most CPUs.
func (s Sweep) Chief() record.Trial { return s.Last().Trials[0] }

// FamilyOf returns a trial's key without its number of CPUs.
func FamilyOf(t record.Trial) trialset.Key { return trialset.FamilyAlong(t, cpuAxis()) }

// metric returns the sweep's metric, or the reason if there is none.
func (s Sweep) metric() (m record.Metric, reason note.Note) {
	ms := trialset.MetricsOf(list.Map(s.ByPoint(), trialset.Valid)...)
	if len(ms) == 0 {
		return m, note.New("no-valid-trial")
	}
	m = ms[0]
	if m.Name != trialset.PrimaryOf(s.ByPoint()...) || m.Better != record.Higher && runsIn(s.Chief(), m) == 0 {
		return m, note.New("no-rate-to-follow")
	}
	return m, note.Note{}
}

// runsIn returns the number of runs in the time of a metric: one per CPU for a load of single runs, otherwise one on
// all of them together, as of a parallel build. It is 0 if the metric is not the time of a run.
func runsIn(t record.Trial, m record.Metric) float64 {
	switch {
	case m.Unit != "s" || m.Better != record.Lower || trialset.IsLatency(m):
		return 0
	case t.Load.Kind == record.Once:
		return t.Load.Level
	}
	return 1
}

// FitPoints returns the numbers of CPUs with enough valid trials, those left out, and the reason if there is nothing to
// analyze.
func (s Sweep) FitPoints(metric record.Metric) (points []stat.Point, left []string, reason note.Note) {
	least, needed := estimate.MinReplicates, minSweep
	if s.single(metric) {
		least, needed = 1, minSingle
	}
	for _, at := range s.Points {
		n, values := int(at.X), trialset.ValuesOf(trialset.Valid(at.Trials), metric.Name)
		if len(values) < least {
			left = append(left, fmt.Sprint(n))
			continue
		}
		logs := stat.Logs(values)
		if math.IsNaN(stat.Mean(logs)) {
			return nil, nil, note.New("cpus-not-positive", n)
		}
		if runs := runsIn(at.Trials[0], metric); runs > 0 {
			for i, l := range logs {
				logs[i] = math.Log(runs) - l
			}
		}
		points = append(points, stat.Point{N: n, Logs: logs})
	}
	switch {
	case len(points) >= needed:
		return points, left, note.Note{}
	case least == 1 && len(points) > 0:
		return nil, nil, note.New("few-single-runs", len(points), estimate.MinReplicates, minSingle)
	}
	return nil, nil, note.New("few-numbers-of-cpus", len(points), estimate.MinReplicates, minSweep)
}

// single reports whether no number of CPUs has enough replicates for an interval, which leaves only estimates.
func (s Sweep) single(metric record.Metric) bool {
	return !slices.ContainsFunc(s.Points, func(p trialset.CurvePoint) bool {
		return len(trialset.ValuesOf(trialset.Valid(p.Trials), metric.Name)) >= estimate.MinReplicates
	})
}

// Flat returns the points' trials one by one.
func Flat(points []stat.Point, cores int) stat.Sweep {
	s := stat.Sweep{Cores: cores}
	for _, p := range points {
		for _, l := range p.Logs {
			s.N, s.X = append(s.N, float64(p.N)), append(s.X, math.Exp(l))
		}
	}
	return s
}

// CoresOfType is the prefix, before the instance type, of the note on a machine whose cores are not from a fingerprint.
const CoresOfType = "cores are those of the instance type "

// HasCoresOfType reports whether the cores of a machine are those of its instance type.
func HasCoresOfType(m record.Machine) bool {
	return slices.ContainsFunc(m.Unknown, func(u string) bool { return strings.HasPrefix(u, CoresOfType) })
}

// CoresOf returns the number of a machine's CPUs before second threads begin; 0 if every CPU is a core. The note
// reports if it is unknown.
func CoresOf(m record.Machine) (cores int, doubt note.Note) {
	c := m.CPU
	switch {
	case c.ThreadsPerCore < 2:
		return 0, note.Note{}
	case HasCoresOfType(m):
		return c.Cores, note.New("cores-of-type", c.Cores)
	case c.Cores > 0 && (len(c.Allowed) == 0 || len(c.Allowed) == c.Threads):
		return c.Cores, note.Note{}
	}
	return 0, note.New("threads-not-told", len(c.Allowed), c.Threads)
}
