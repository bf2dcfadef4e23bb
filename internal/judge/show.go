package judge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/finding/steady"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// Show says what trials say by themselves: for each cell and metric an
// estimate with its 95 % interval, every trial, the doubts, the effects of the
// plans' factors, and how throughput follows the number of CPUs.
func Show(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) finding.Shown {
	shown := finding.Shown{Machines: trialset.FleetOf(machines), Workloads: []finding.Cell{}, Warnings: leftOut(plans)}
	shown.Warnings = append(shown.Warnings, trialset.SetAside(trials)...)
	shown.Warnings = append(shown.Warnings, factorial.Unattributed(plans)...)
	every := trials
	all := trialset.PrimaryFirst(trialset.InPlanOrder(trialset.Counting(trials)), trialset.PlansByHash(plans))
	trials = loadline.Condensed(all, trialset.PlansByHash(plans))
	effects := effectsOf(trials, machines, plans)
	order, groups := trialset.GroupBy(trials, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	byHash := trialset.PlansByHash(plans)
	shares := factorial.Attributed(trials, byHash)
	around, verified := neighboursOf(all, trialset.FleetOf(machines), byHash), storage.VerificationsOf(every, byHash)
	profiled := profiledIn(every)
	_, probes := loadline.ProbesAt(all, byHash)
	for _, p := range order {
		for _, c := range cellsOf(groups[p], trialset.FleetOf(machines)) {
			c.Minor = trialset.MinorOf(groups[p][0], byHash)
			c.Add(KindEffect.Each(effects[factorial.EffectKey{Place: p, Metric: c.Metric}], p))
			c.Add(factorial.KindAttribution.New(shares[factorial.EffectKey{Place: p, Metric: c.Metric}], p))
			if c.Primary {
				c.Doubts = append(c.Doubts, pooledImports(groups[p], c.Metric, byHash)...)
				c.Doubts = append(c.Doubts, outlier(groups[p], c.Metric)...)
				c.Add(steady.KindWarmUp.New(trialset.WarmUpOf(trialset.Valid(heatedFor(p, groups[p], probes))), p))
				around.complete(&c, p, groups[p])
				regulation, doubt := verified.RegulationAt(groups[p])
				c.Doubts = note.With(c.Doubts, doubt)
				c.Add(storage.KindRegulation.New(regulation, p))
			}
			profiled.complete(&c, groups[p])
			c.Doubts = append(c.Doubts, rateLimited(c.Metric, p, groups[p], around.swept)...)
			shown.Workloads = append(shown.Workloads, c)
		}
	}
	return shown
}

// heatedFor are the trials that started a cell's servers: of a search its probes, for which the cell's own trials stand in.
func heatedFor(at trialset.Key, own []record.Trial, probes map[trialset.Key][]record.Trial) []record.Trial {
	if of := probes[at]; len(of) > 0 {
		return of
	}
	return own
}

// leftOut says what plans went without on their machines.
func leftOut(plans []record.PlanLine) []note.Note {
	out := []note.Note{}
	for _, p := range plans {
		for _, l := range p.Plan.LeftOut {
			out = append(out, note.New("left-out-by-plan", l))
		}
	}
	return out
}

// cellsOf makes one Cell for each metric of one cell's trials; one without a
// metric where all trials are void and measured nothing.
func cellsOf(trials []record.Trial, f trialset.Fleet) []finding.Cell {
	trials, _ = withoutErrors(trials, nil)
	ok := trialset.Valid(trials)
	metrics, alike := trialset.MetricsOf(ok), ok
	if len(metrics) == 0 {
		metrics, alike = append(trialset.MetricsOf(trials), record.Metric{})[:1], trials
	}
	var out []finding.Cell
	for _, m := range metrics {
		c := finding.Cell{
			Machine: trials[0].Keys[record.KeyMachine], Workload: trialset.WorkloadOf(trials[0]),
			Params: trialset.ParamsOf(trials[0], nil), Load: trialset.LoadOf(trials[0]),
			Metric: m.Name, Primary: m.Name == trialset.PrimaryOf(trials), Unit: m.Unit, Better: m.Better,
			Void: len(trials) - len(ok), Trials: trialValues(trials, m.Name, f),
			Path: trialset.Common(alike, record.KeyPath), Regime: trialset.Common(alike, record.KeyRegime), CPUSets: setsOf(alike), Unseen: unseen(trials),
		}
		estimateCell(&c, trialset.ValuesOf(ok, m.Name))
		doubtCellOrder(&c, trials, m.Name)
		doubtUnits(&c, kindsOf(m.Name, ok))
		c.Doubts = append(append(c.Doubts, pooled(ok)...), mixed(ok)...)
		out = append(out, c)
	}
	return out
}

// mixed says in what the trials of one cell are not alike: the code path taken,
// where the working set lay and the versions of what ran, which make one cell of several.
func mixed(trials []record.Trial) []note.Note {
	values := map[string]map[string]bool{}
	for _, t := range trials {
		for key, v := range t.Keys {
			if slices.Contains([]string{record.KeyPath, record.KeyRegime, record.KeyVersion, record.KeyGo, "library"}, key) || strings.HasPrefix(key, record.EnginePrefix) || strings.HasPrefix(key, record.SecretPrefix) {
				if values[key] == nil {
					values[key] = map[string]bool{}
				}
				values[key][v] = true
			}
		}
	}
	var out []note.Note
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if vs := slices.Sorted(maps.Keys(values[key])); len(vs) > 1 {
			out = append(out, note.New("unlike-trials", key, strings.Join(vs, ", ")))
		}
	}
	return out
}

func trialValues(trials []record.Trial, metric string, f trialset.Fleet) []finding.TrialValue {
	out := make([]finding.TrialValue, len(trials))
	for i, t := range trials {
		out[i] = finding.TrialValue{ID: t.ID, Replicate: t.Replicate, Start: t.Start, Void: note.FromRecord(t.Void), Doubts: f.Doubts(t)}
		if v, ok := t.Value(metric); ok {
			out[i].Value = &v.Value
		}
	}
	return out
}

// estimate sets a cell's value, interval and doubts from its valid trials.
func estimateCell(c *finding.Cell, values []float64) {
	c.N, c.Doubts = len(values), []note.Note{}
	if c.N == 0 {
		c.Value = math.NaN() // null in JSON
		c.Doubts = append(c.Doubts, note.New("no-valid-trial"))
		return
	}
	c.Estimate = estimate.Of(values)
	if cv := stat.CV(values); cv > estimate.MaxCV {
		c.Doubts = append(c.Doubts, note.New("replicates-vary", 100*cv))
	}
	if c.N < estimate.MinReplicates {
		c.Doubts = append(c.Doubts, note.New("too-few-replicates", estimate.MinReplicates))
	}
}

// doubtUnits takes the figures from a cell whose trials state them in several units.
func doubtUnits(c *finding.Cell, kinds []record.Metric) {
	if len(kinds) < 2 {
		return
	}
	c.Estimate = estimate.Estimate{Value: math.NaN()}
	c.Doubts = append(c.Doubts, note.New("several-units", c.Metric, inKinds(kinds)))
}
