package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// minSweep is how many different numbers of CPUs a law of scaling is fitted to at least, minSingle where none has replicates that tell scatter from shape.
const minSweep, minSingle = 4, 6

// Sweep is a curve along the CPUs that a closed load takes.
type Sweep struct{ trialset.Curve }

// SweepsOf finds what was measured at three numbers of CPUs or more: one CPU and all of them are two cells, and nobody swept.
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

// FamilyOf is a trial's place without its number of CPUs.
func FamilyOf(t record.Trial) trialset.Key { return trialset.FamilyAlong(t, cpuAxis()) }

// metric is what the sweep is judged by; the reason says why it cannot be.
func (s Sweep) metric() (m record.Metric, reason note.Note) {
	ms := trialset.MetricsOf(trialset.Valid(s.Trials()))
	if len(ms) == 0 {
		return m, note.New("no-valid-trial")
	}
	m = ms[0]
	if m.Name != trialset.PrimaryOf(s.Trials()) || m.Better != record.Higher && runsIn(s.Chief(), m) == 0 {
		return m, note.New("no-rate-to-follow")
	}
	return m, note.Note{}
}

// runsIn is how many runs a load does in the time that a metric states: one on each CPU of a load of single runs, one on all of them
// together otherwise, as of a build with so many jobs. It is 0 of what is no time of a run.
func runsIn(t record.Trial, m record.Metric) float64 {
	switch {
	case m.Unit != "s" || m.Better != record.Lower || trialset.IsLatency(m):
		return 0
	case t.Load.Kind == record.Once:
		return t.Load.Level
	}
	return 1
}

// FitPoints are the numbers of CPUs with enough valid trials, and what was left
// out. The reason says why there is nothing to analyse.
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

// single says whether no number of CPUs has replicates enough for an interval, so that all there is are estimates.
func (s Sweep) single(metric record.Metric) bool {
	return !slices.ContainsFunc(s.Points, func(p trialset.CurvePoint) bool {
		return len(trialset.ValuesOf(trialset.Valid(p.Trials), metric.Name)) >= estimate.MinReplicates
	})
}

// Flat lists the points' trials one by one.
func Flat(points []stat.Point, cores int) stat.Sweep {
	s := stat.Sweep{Cores: cores}
	for _, p := range points {
		for _, l := range p.Logs {
			s.N, s.X = append(s.N, float64(p.N)), append(s.X, math.Exp(l))
		}
	}
	return s
}

// CoresOfType begins what stands among the unknown things of a machine whose cores are not from a fingerprint; the name of its instance type
// follows.
const CoresOfType = "cores are those of the instance type "

// HasCoresOfType reports whether the cores of a machine are those of its instance type.
func HasCoresOfType(m record.Machine) bool {
	return slices.ContainsFunc(m.Unknown, func(u string) bool { return strings.HasPrefix(u, CoresOfType) })
}

// CoresOf is where a machine's cores run out and second threads begin; 0 where
// every CPU is a core. The doubt says where that is not known.
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
