package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Throughput is the capacity of a machine only if the load saturated it. A load of ours tells: one that counts CPUs or
// keeps clients busy takes all that it gets. Of an import it is unknown whether a rate, a link or a quota held it: its
// figures tell.

// unloadedCPU is the CPU use in % below which a machine was not loaded to its capacity.
const unloadedCPU = 50.0

// unloaded is why a cell's rate is not the capacity of the two sides.
type unloaded struct {
	why    *note.Note // proven; nil for none
	hinted *note.Note // a single tell-tale of a rate or cap; nil for none
}

// unloadedIn looks for tell-tales in a cell of imported trials whose primary metric is a rate. A sweep is exempt: its
// loads together tell the capacity.
func (l Loads) unloadedIn(p finding.Pair, m trialset.Matched, rate record.Metric, swept bool) unloaded {
	a, b := trialset.Having(trialset.Counting(m.A), rate.Name), trialset.Having(trialset.Counting(m.B), rate.Name)
	if swept || !trialset.IsRate(rate) || len(a) == 0 || len(b) == 0 || !trialset.Imported(a) && !trialset.Imported(b) ||
		a[0].Load.Unit == record.ParamCPUs {
		return unloaded{}
	}
	if cpuA, cpuB, known := m.CPUUse(); known && min(cpuA, cpuB) >= FullCPU {
		return unloaded{}
	}
	if why := idleSides(m, rate.Name); why != nil {
		return unloaded{why: why}
	}
	var tells []note.Note
	for _, tell := range []*note.Note{scattersLittle(a, b, rate.Name), l.sameElsewhere(m, rate),
		sameFigure(p, a, b, rate)} {
		if tell != nil {
			tells = append(tells, *tell)
		}
	}
	switch len(tells) {
	case 0:
		return unloaded{}
	case 1:
		return unloaded{hinted: &tells[0]}
	default:
		return unloaded{why: new(note.New("a-rate-or-cap", strings.Join(note.Texts(tells), "; ")))}
	}
}

// idleSides returns a note if the CPUs of both sides, or of the one that carries less, were far from full: that one
// might have carried more.
func idleSides(m trialset.Matched, rate string) *note.Note {
	cpuA, cpuB, known := m.CPUUse()
	if !known || min(cpuA, cpuB) >= unloadedCPU {
		return nil
	}
	ratio := estimate.Average(trialset.ValuesOf(trialset.Measuring(m.B), rate)) /
		estimate.Average(trialset.ValuesOf(trialset.Measuring(m.A), rate))
	full := max(cpuA, cpuB) >= unloadedCPU
	if ahead := cpuB < cpuA && ratio > 1+rateMargin || cpuA < cpuB && ratio < 1-rateMargin; full && ahead {
		return nil // the idle side carries more even so
	}
	return new(note.New("idle-cpus", cpuA, cpuB))
}

// rateMargin is a difference of rates, as a fraction, that is one.
const rateMargin = 0.02

// scattersLittle returns a note if replicates are closer to each other than a saturated machine repeats itself.
func scattersLittle(a, b []record.Trial, rate string) *note.Note {
	if min(len(a), len(b)) < estimate.MinReplicates {
		return nil
	}
	sdA, sdB := stat.SD(stat.Logs(trialset.ValuesOf(a, rate))), stat.SD(stat.Logs(trialset.ValuesOf(b, rate)))
	if !(max(sdA, sdB) < stat.SDFloor) {
		return nil
	}
	return new(note.New("scatters-little", rate, 100*sdA, 100*sdB, 100*stat.SDFloor))
}

// alikeRates reports whether two rates are one to within the floor of their scatter.
func alikeRates(a, b float64) bool {
	return a > 0 && b > 0 && math.Abs(math.Log(b/a)) < stat.SDFloor
}

// cellRate is the throughput of one side in one cell, and its latency; 0 if that is unknown.
type cellRate struct {
	place         trialset.Key
	rate, latency float64
}

// unlike reports whether the work of two cells differs: another workload, or the same if requests take another time.
// Kernels may well be flat over sizes.
func (c cellRate) unlike(o cellRate) bool {
	apart := c.latency > 0 && o.latency > 0 && math.Abs(math.Log(c.latency/o.latency)) > rateMargin
	return (c.place.Workload != o.place.Workload || apart) && c.place != o.place
}

func newCellRate(at trialset.Key, trials []record.Trial, rate string) cellRate {
	c := cellRate{place: at, rate: estimate.Average(trialset.ValuesOf(trials, rate))}
	if names := centralLatencies(trials, trials); len(names) > 0 {
		c.latency = estimate.Average(trialset.ValuesOf(trials, names[0]))
	}
	return c
}

// sideLoad is a side, load and unit, whose rates can be held against each other.
type sideLoad struct{ side, load, unit string }

// cellRatesOf returns the means of the imported cells' primary rates, the lowest first.
func cellRatesOf(trials []record.Trial, by string) map[sideLoad][]cellRate {
	type cell struct {
		side string
		at   trialset.Key
	}
	out := map[sideLoad][]cellRate{}
	order, groups := trialset.GroupBy(trialset.Filter(trials,
		func(t *record.Trial) bool { return trialset.Imports(t) && t.Measures() }),
		func(t record.Trial) cell { return cell{axis.Level(t.Keys, by), trialset.KeyOf(t, by, nil)} })
	for _, c := range order {
		rate := sweep.PrimaryMetric(groups[c])
		if !trialset.IsRate(rate) || len(groups[c]) < estimate.MinReplicates {
			continue
		}
		key := sideLoad{c.side, trialset.LoadOf(groups[c][0]), rate.Unit}
		out[key] = append(out[key], newCellRate(c.at, groups[c], rate.Name))
	}
	for _, cells := range out {
		slices.SortStableFunc(cells, func(x, y cellRate) int { return cmp.Compare(x.rate, y.rate) })
	}
	return out
}

// sameElsewhere names other cells in which both sides have the same throughput: unlike work at one rate.
func (l Loads) sameElsewhere(m trialset.Matched, rate record.Metric) *note.Note {
	onA, onB := l.alikeCells(m.A, rate), l.alikeCells(m.B, rate)
	both := slices.DeleteFunc(onA, func(p trialset.Key) bool { return !slices.Contains(onB, p) })
	if len(both) == 0 {
		return nil
	}
	return new(note.New("same-in-other-work", trialset.FirstFew(trialset.Texts(both))))
}

// alikeCells returns the other cells in which a side carries as much as in these trials; of many the first few.
func (l Loads) alikeCells(trials []record.Trial, rate record.Metric) []trialset.Key {
	const enough = 20
	own := newCellRate(trialset.KeyOf(trials[0], l.by, nil), trialset.Measuring(trials), rate.Name)
	cells := l.rates[sideLoad{axis.Level(trials[0].Keys, l.by), trialset.LoadOf(trials[0]), rate.Unit}]
	from, _ := slices.BinarySearchFunc(cells, own.rate*(1-stat.SDFloor),
		func(c cellRate, v float64) int { return cmp.Compare(c.rate, v) })
	var out []trialset.Key
	for _, c := range cells[from:] {
		if c.rate > own.rate*(1+stat.SDFloor) || len(out) == enough {
			break
		}
		if c.unlike(own) {
			out = append(out, c.place)
		}
	}
	return out
}

// sameFigure returns a note if two sides that are not alike have one rate: their latencies differ, or their instance
// types, or it is the rate of a link or a volume.
func sameFigure(p finding.Pair, a, b []record.Trial, rate record.Metric) *note.Note {
	meanA, meanB := estimate.Average(trialset.ValuesOf(a, rate.Name)), estimate.Average(trialset.ValuesOf(b, rate.Name))
	if !alikeRates(meanA, meanB) {
		return nil
	}
	if name := nominalCap(math.Sqrt(meanA*meanB), rate.Unit); name != "" {
		return new(note.New("carries-nominal", name))
	}
	for _, latency := range centralLatencies(a, b) {
		o := stat.Opts{Boundary: stat.Fixed(estimate.Alpha), SDFloor: stat.SDFloor}
		if r := stat.WelchRatio(stat.Logs(trialset.ValuesOf(a, latency)), stat.Logs(trialset.ValuesOf(b, latency)),
			o); r.N >= estimate.MinReplicates && r.Hull.Excludes(0) && math.Abs(r.Mean) > rateMargin {
			return new(note.New("same-rate-unlike-latency", latency, 100*math.Expm1(r.Mean)))
		}
	}
	if p.BasisA != nil && p.BasisA.Type != "" && p.BasisB.Type != "" && p.BasisA.Type != p.BasisB.Type &&
		min(len(a), len(b)) >= estimate.MinReplicates {
		return new(note.New("same-rate-unlike-types", p.BasisA.Type, p.BasisB.Type, 100*stat.SDFloor))
	}
	return nil
}

// nominalCap names the link or the volume whose limit a rate of bytes is; "" for none.
func nominalCap(rate float64, unit string) string {
	if unit != "B/s" {
		return ""
	}
	for _, gbit := range []float64{0.1, 1, 2.5, 5, 10, 12, 12.5, 15, 20, 25, 30, 40, 50, 75, 100, 200} {
		if share := rate * 8 / (gbit * 1e9); share > 0.925 && share < 0.995 { // less the headers of its packets
			return fmt.Sprintf("%.0f%% of a link of %g Gbit/s", 100*share, gbit)
		}
	}
	for _, mib := range []float64{125, 128, 250, 500, 1000, 2000, 4000} {
		if math.Abs(rate/(mib*(1<<20))-1) < 0.01 {
			return fmt.Sprintf("the %g MiB/s of a volume", mib)
		}
	}
	return ""
}

// latenciesOf returns the latencies that both sides have, those that decide first before the others: p99, one of
// unknown statistic, p50.
func latenciesOf(a, b []record.Trial) []string {
	var out []string
	for _, m := range trialset.MetricsOf(a, b) {
		if trialset.IsLatency(m) && len(trialset.Having(a, m.Name)) > 0 && len(trialset.Having(b, m.Name)) > 0 {
			out = append(out, m.Name)
		}
	}
	first := []string{record.LatencyP99, record.Latency, record.LatencyP50}
	rank := func(name string) int {
		if at := slices.Index(first, name); at >= 0 {
			return at
		}
		return len(first)
	}
	slices.SortStableFunc(out, func(x, y string) int { return rank(x) - rank(y) })
	return out
}

// centralLatencies returns the mean or median latencies of both sides; if there are none, all.
func centralLatencies(a, b []record.Trial) []string {
	all := latenciesOf(a, b)
	central := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return !slices.Contains([]string{record.Latency, record.LatencyP50, "latency_mean", "latency_avg", "latency_average",
			"latency_median"}, name)
	})
	if len(central) > 0 {
		return central
	}
	return all
}

// FullCPU is the CPU use in % from which a machine counts as saturated by its clients.
const FullCPU = 90.0
