package compare

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/capacity"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// compareCell compares each metric that both sides of a cell have, and notes why the others cannot be compared.
func (x comparer) compareCell(p finding.Pair, m trialset.Matched, apart *gaps) []finding.Comparison {
	m.A, m.B = integrity.ZeroErrors(m.A, m.B)
	a, b := trialset.Valid(m.A), trialset.Valid(m.B)
	if len(a) == 0 || len(b) == 0 {
		apart.add(notCompared, nothingValid(p, a), x.name(m))
		apart.missing = append(apart.missing, x.failedCells(p, m)...)
		return nil
	}
	offered := x.loads.Of(p, m)
	deciders := offered.Deciders(a, b)
	primary := ""
	if len(deciders) > 0 {
		primary = deciders[0]
	}
	if why := trialset.UndecidedBy(a, b); !why.IsZero() {
		apart.add(noVerdict, why, x.name(m))
	}
	seen := interimOf(m, primary, x.in.Plans)
	failed := x.failedMore(p, m)
	for _, f := range failed {
		if f.half {
			apart.missing = append(apart.missing, finding.Missing{Cell: x.name(m), Why: f.why})
		}
		if primary == "" {
			apart.add(noVerdict, f.why, x.name(m))
		}
	}
	var out []finding.Comparison
	for _, metric := range trialset.MetricsOf(a, b) {
		if why := integrity.UnlikeUnits(p.A, p.B, metric.Name, a, b); !why.IsZero() {
			apart.add(notCompared, why, x.name(m))
			apart.missing = append(apart.missing, finding.Missing{Cell: x.name(m), Metric: metric.Name, Why: why,
				Absent:   why.Code == integrity.OnOneSide,
				Deciding: metric.Name == trialset.PrimaryOf(a) || metric.Name == trialset.PrimaryOf(b)})
			continue
		}
		of := m
		if record.CountsErrors(metric.Name) {
			of.A, of.B = integrity.WithFailed(m.A, metric.Name), integrity.WithFailed(m.B, metric.Name)
		}
		c := x.concludeOn(of, metric, slices.Contains(deciders, metric.Name), seen)
		if c.Primary = metric.Name == primary; c.Primary {
			for _, f := range failed {
				c.Flags = append(c.Flags, f.why)
			}
		}
		for _, side := range []struct {
			name   string
			trials []record.Trial
		}{{p.A, a}, {p.B, b}} {
			if why := integrity.InSomeRuns(side.name, metric.Name, side.trials); !why.IsZero() {
				c.Flags = append(c.Flags, why)
				apart.missing = append(apart.missing, finding.Missing{Cell: x.name(m), Metric: metric.Name, Why: why,
					Absent: true})
			}
		}
		offered.Limit(&c, trialset.PrimaryOf(a))
		out = append(out, c)
	}
	return out
}

// concludeOn compares one metric of machines, levels or types.
func (x comparer) concludeOn(m trialset.Matched, metric record.Metric, primary bool,
	seen sequential.Cut) finding.Comparison {
	if c, ok := x.notCrossed(m, metric, primary); ok {
		return c
	}
	if x.axis.By == trialset.ByType {
		return x.compareTypes(m, metric, primary)
	}
	return x.compareMetric(m, metric, primary, seen)
}

// failedCells returns a cell that has no valid run on a side, or on either.
func (x comparer) failedCells(p finding.Pair, m trialset.Matched) []finding.Missing {
	var out []finding.Missing
	for _, side := range []struct {
		name   string
		trials []record.Trial
	}{{p.A, m.A}, {p.B, m.B}} {
		if len(trialset.Valid(side.trials)) > 0 {
			continue
		}
		why := NoValid{}
		why.add(side.trials)
		out = append(out, finding.Missing{Cell: x.name(m),
			Why: note.New("cell-failed", why.Void, axis.Label(p.By, side.name), x.name(m), trialset.FirstFew(why.Reasons))})
	}
	return out
}

// survivors are the runs of a side of which many failed: those left are not all that was measured.
type survivors struct {
	why  note.Note
	half bool // at least half failed: nothing can be judged by the others
}

// A side loses more runs than chance and noise take if so many more of it failed than of the other, and that share.
const (
	failedMore  = 2
	failedShare = 0.25
)

// failedMore returns the sides of a cell of which many runs failed, and more than of the other.
func (x comparer) failedMore(p finding.Pair, m trialset.Matched) []survivors {
	var out []survivors
	lost := func(trials []record.Trial) int { return len(trials) - len(trialset.Valid(trials)) }
	for _, side := range []struct {
		name        string
		trials, not []record.Trial
	}{{p.A, m.A, m.B}, {p.B, m.B, m.A}} {
		n, all := lost(side.trials), len(side.trials)
		share := float64(n) / float64(all)
		half := n >= failedMore && 2*n >= all && share > float64(lost(side.not))/float64(len(side.not))
		if !half && (n < lost(side.not)+failedMore || share < failedShare) {
			continue
		}
		why := NoValid{}
		why.add(trialset.Filter(side.trials, func(t *record.Trial) bool { return t.Void != "" }))
		reason, _, _ := strings.Cut(why.Reasons[0], "\n")
		out = append(out, survivors{half: half,
			why: note.New("runs-failed-on", n, all, axis.Label(p.By, side.name), x.name(m), reason)})
	}
	return out
}

func nothingValid(p finding.Pair, a []record.Trial) note.Note {
	if len(a) == 0 {
		return note.New("no-valid-trial-of", p.A)
	}
	return note.New("no-valid-trial-of", p.B)
}

// bothValid returns an error if one side has no valid trial in any cell.
func (x comparer) bothValid(p finding.Pair, both []trialset.Matched) error {
	var a, b [][]record.Trial
	var names []string
	for _, m := range both {
		a, b, names = append(a, m.A), append(b, m.B), append(names, x.name(m))
	}
	if err := anyValid(p.A, names, a); err != nil {
		return err
	}
	return anyValid(p.B, names, b)
}

func anyValid(side string, names []string, cells [][]record.Trial) error {
	e := NoValid{Side: side, Cells: names}
	for _, trials := range cells {
		if len(trialset.Valid(trials)) > 0 {
			return nil
		}
		e.add(trials)
	}
	return e
}

// add counts failed trials, with their reasons.
func (e *NoValid) add(trials []record.Trial) {
	for _, t := range trials {
		e.Void++
		if !slices.Contains(e.Reasons, t.Void) {
			e.Reasons = append(e.Reasons, t.Void)
		}
	}
}

// absent returns the cells that a side lacks, named as tables do.
func (x comparer) absent(side string, only []trialset.Key, trials []record.Trial) []finding.Missing {
	if len(only) == 0 {
		return nil
	}
	first := map[trialset.Key]int{}
	for i := range trials {
		k := trialset.KeyOf(trials[i], x.axis.By, x.axis.Varied)
		if _, known := first[k]; !known {
			first[k] = i
		}
	}
	return list.Map(only, func(k trialset.Key) finding.Missing {
		if i, known := first[k]; known {
			t := trials[i]
			k.Params = trialset.ParamsText(x.in.Wordings.Of(t).Without(strings.TrimPrefix(x.axis.By,
				record.FactorPrefix)).Of(trialset.ParamsOf(t, x.axis.Varied)))
		}
		return finding.Missing{Cell: k.String(), Absent: true,
			Why: note.New("cell-absent", axis.Label(x.axis.By, side), k.String())}
	})
}

// uncompared warns of the cells that only one side has.
func uncompared(side string, only []trialset.Key) []note.Note {
	if len(only) == 0 {
		return nil
	}
	return []note.Note{note.New("not-compared-alone", side, trialset.FirstFew(trialset.Texts(only)))}
}

// emulated reports whether any of the sample's trials ran on an emulator.
func (x comparer) emulated(s trialset.Sample) bool {
	return slices.ContainsFunc(s.A, x.in.Fleet.Emulated) || slices.ContainsFunc(s.B, x.in.Fleet.Emulated)
}

// clusters compares a cluster of side a with one of side b that costs the same, if both were measured; nil otherwise.
// The cells that it compares differ in their number of nodes, and in nothing else.
func (x comparer) clusters(p *finding.Pair, trials []record.Trial) *finding.Clusters {
	if !x.in.Ask.EqualCost || !trialset.AcrossMachines(x.axis.By) || cost.CheckPrices(*p) != nil {
		return nil
	}
	side := func(name string) []record.Trial {
		return trialset.Filter(trials, func(t *record.Trial) bool {
			return axis.Level(t.Keys, x.axis.By) == name && cost.NodesOf(t) > 0
		})
	}
	ofA, ofB := side(p.A), side(p.B)
	y, found := x, &finding.Clusters{Compared: map[trialset.Key]bool{}}
	if found.NodesA, found.NodesB = cost.ClustersOf(*p, ofA, ofB); found.NodesA == 0 {
		return nil
	}
	chosen := slices.Concat(cost.WithNodes(ofA, found.NodesA), cost.WithNodes(ofB, found.NodesB))
	y.axis.Varied = maps.Clone(x.axis.Varied)
	if y.axis.Varied == nil {
		y.axis.Varied = map[trialset.Dimension]bool{}
	}
	for i := range chosen {
		workload := trialset.WorkloadOf(chosen[i])
		y.axis.Varied[trialset.Dimension{Workload: workload, Key: cost.NodesKey(workload)}] = true
	}
	y.loads = capacity.LoadsOf(chosen, x.axis.By)
	found.Both, _, _ = y.axis.Match(chosen, p.A, p.B)
	for _, m := range found.Both {
		found.Cells = append(found.Cells, y.compareClusters(*p, m, *found)...)
		for _, t := range slices.Concat(m.A, m.B) {
			found.Compared[trialset.KeyOf(t, x.axis.By, x.axis.Varied)] = true
		}
	}
	if len(found.Both) == 0 {
		return nil
	}
	return found
}

// compareClusters returns the deciding comparison of two clusters under one load, with what weakens it.
func (x comparer) compareClusters(p finding.Pair, m trialset.Matched, of finding.Clusters) []finding.Comparison {
	chief := list.Filter(x.compareCell(p, m, &gaps{}), func(c finding.Comparison) bool { return c.Primary })
	for i := range chief {
		c := &chief[i]
		if a, b, known := m.CPUUse(); known && min(a, b) < capacity.FullCPU && c.Metric == record.Throughput {
			c.Flag("clusters-not-full", a, b)
		}
		if of.NodesA > 1 && trialset.Common(m.A, record.KeyHosts) == "" ||
			of.NodesB > 1 && trialset.Common(m.B, record.KeyHosts) == "" {
			c.Flag("nodes-share-machine")
		}
	}
	return chief
}

// withoutClusters leaves out the cells that were compared as clusters.
func withoutClusters(only []trialset.Key, c *finding.Clusters) []trialset.Key {
	if c == nil {
		return only
	}
	return list.Filter(only, func(k trialset.Key) bool { return !c.Compared[k] })
}
