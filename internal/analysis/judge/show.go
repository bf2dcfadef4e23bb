package judge

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/answers"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Show analyzes sessions by their trials alone.
func Show(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) finding.Shown {
	return Analyze(finding.NewInput(trials, machines, plans))
}

// Analyze returns an estimate with its 95% CI for each cell and metric, every trial and the notes, and the
// findings of the analyzers.
func Analyze(in *finding.Input) finding.Shown {
	shown := finding.Shown{Machines: in.Fleet, Workloads: []finding.Cell{}, Warnings: leftOut(in.PlanLines)}
	shown.Warnings = append(shown.Warnings, factorial.Unattributed(in.PlanLines)...)
	shown.Warnings = append(shown.Warnings, integrity.OfSessions(in.Read.Events, in.Trials)...)
	in.Cells = slices.Concat(list.Concurrently(in.Groups,
		func(g finding.Group) []finding.Cell { return cellsIn(in, g) })...)
	shareMinor(in.Cells)
	places := sync.OnceValue(func() map[place]int { return placesOf(in.Cells) })
	for _, a := range Analyzers() {
		if a.Run != nil && !in.Halted() {
			shown.Warnings = append(shown.Warnings, attach(in.Cells, places, a.Run(in))...)
		}
	}
	shown.Workloads = append(shown.Workloads, in.Cells...)
	return shown
}

// cellsIn returns the cells of a group's metrics; none once the analysis has been stopped.
func cellsIn(in *finding.Input, g finding.Group) []finding.Cell {
	if in.Halted() {
		return nil
	}
	cells := cellsOf(g.Trials, in.Fleet)
	for i := range cells {
		c := &cells[i]
		c.Wording = in.Wordings.Of(g.Trials[0])
		if c.Primary {
			c.Doubts = append(c.Doubts, integrity.PooledImports(g.Trials, c.Metric, in.Plans)...)
			c.Doubts = append(c.Doubts, integrity.Outlier(g.Trials, c.Metric)...)
			c.Doubts = append(c.Doubts, integrity.Groups(g.Trials, c.Metric)...)
		}
	}
	return cells
}

// place names a cell: by its metric, or as the primary one of its trials if that is empty.
type place struct {
	at     trialset.Key
	metric string
}

// placesOf returns where among cells each is.
func placesOf(cells []finding.Cell) map[place]int {
	places := make(map[place]int, len(cells))
	for i := range cells {
		c := &cells[i]
		key := c.Key()
		places[place{key, c.Metric}] = i
		if c.Primary {
			places[place{key, ""}] = i
		}
	}
	return places
}

// attach assigns findings to their cells, and returns the notes that belong to none.
func attach(cells []finding.Cell, places func() map[place]int, found []finding.Finding) (rest []note.Note) {
	for _, f := range found {
		if len(f.Cells) == 0 {
			rest = append(rest, f.Notes...)
			continue
		}
		i, ok := places()[place{f.Cells[0], f.Metric}]
		switch {
		case !ok:
		case f.Kind == "":
			cells[i].Doubts = append(cells[i].Doubts, f.Notes...)
		default:
			cells[i].Found = append(cells[i].Found, f)
		}
	}
	return rest
}

// leftOut notes the capabilities that plans lacked on their machines.
func leftOut(plans []record.PlanLine) []note.Note {
	out := []note.Note{}
	for _, p := range plans {
		for _, l := range p.Plan.LeftOut {
			out = append(out, note.New("left-out-by-plan", l))
		}
	}
	return out
}

// cellsOf returns one Cell for each metric of one cell's trials; one without a metric if all trials failed without a
// measurement.
func cellsOf(trials []record.Trial, f trialset.Fleet) []finding.Cell {
	trials, _ = integrity.ZeroErrors(trials, nil)
	ok := trialset.Valid(trials)
	metrics, alike := trialset.MetricsOf(ok), ok
	if len(metrics) == 0 {
		metrics, alike = append(trialset.MetricsOf(trials), record.Metric{})[:1], trials
	}
	var out []finding.Cell
	outcomes := outcomesOf(trials, f)
	for _, m := range metrics {
		c := finding.Cell{
			Machine: trials[0].Keys[record.KeyMachine], Workload: trialset.WorkloadOf(trials[0]),
			Params: trialset.ParamsOf(trials[0], nil), Load: trialset.LoadOf(trials[0]),
			Metric: m.Name, Primary: m.Name == trialset.PrimaryOf(trials), Unit: m.Unit, Better: m.Better,
			Void: len(trials) - len(ok), Trials: trialValues(trials, m.Name, outcomes),
			Path: trialset.Common(alike, record.KeyPath), Regime: trialset.Common(alike, record.KeyRegime),
			CPUSets: integrity.CPUSets(alike), Unseen: integrity.Unseen(trials), Imported: trialset.Imported(trials),
		}
		estimateCell(&c, trialset.ValuesOf(ok, m.Name))
		byMoments(&c, ok)
		boundCell(&c)
		noteCellOrder(&c, trials, m.Name)
		noteUnits(&c, integrity.UnitsOf(m.Name, ok))
		c.Doubts = slices.Concat(remarks(ok), c.Doubts, integrity.Pooled(ok), mixed(ok))
		out = append(out, c)
	}
	return out
}

// remarks notes what the trials of a cell say about all of its figures.
func remarks(trials []record.Trial) []note.Note {
	out := integrity.Starved(trials)
	if share, waited := trialset.Taken(trials); waited {
		out = append(out, note.New("cpus-taken", 100*share))
	}
	if status := answers.Redirects(trials); status != "" {
		out = append(out, note.New("answers-redirect", status))
	}
	left, behind, whose := 0, "", "server"
	for _, t := range trials {
		left = max(left, t.Left)
		behind = cmp.Or(behind, t.Keys[record.KeyServerBehind])
		if t.Load.Kind == record.Once {
			whose = "command"
		}
	}
	if behind != "" {
		out = append(out, note.New("work-behind", behind, whose))
	}
	if n, first := doubted(trials, record.OutputDoubt); n > 0 {
		out = append(out, note.New("output-doubted", n, len(trials), first))
	}
	if n, first := doubted(trials, record.CleanupDoubt); n > 0 {
		out = append(out, note.New("cleanups-failed", n, len(trials), first))
	}
	if left == 1 {
		return append(out, note.New("process-left"))
	}
	if left > 1 {
		out = append(out, note.New("processes-left", left))
	}
	return out
}

// doubted counts the trials with a doubt that concerns whoever reads their figures, and returns the first one.
func doubted(trials []record.Trial, prefix string) (n int, first string) {
	for _, t := range trials {
		at := slices.IndexFunc(t.Doubts, func(d string) bool { return strings.HasPrefix(d, prefix) })
		if at >= 0 {
			n, first = n+1, cmp.Or(first, strings.TrimPrefix(t.Doubts[at], prefix))
		}
	}
	return n, first
}

// mixed notes differences among the trials of one cell: in code path, regime or versions, which make several cells of
// one.
func mixed(trials []record.Trial) []note.Note {
	values := map[string]map[string]bool{}
	for _, t := range trials {
		for key, v := range t.Keys {
			if slices.Contains([]string{record.KeyPath, record.KeyRegime, record.KeyVersion, record.KeyGo, "library"}, key) ||
				strings.HasPrefix(key, record.EnginePrefix) || strings.HasPrefix(key, record.SecretPrefix) {
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

// outcomesOf returns how each trial went, which all of its metrics share.
func outcomesOf(trials []record.Trial, f trialset.Fleet) []finding.TrialOutcome {
	out := make([]finding.TrialOutcome, len(trials))
	for i := range trials {
		t := &trials[i]
		out[i] = finding.TrialOutcome{ID: t.ID, Replicate: t.Replicate, Start: t.Start, Void: note.FromRecord(t.Void),
			Doubts: slices.Clip(f.Doubts(*t))}
	}
	return out
}

func trialValues(trials []record.Trial, metric string, outcomes []finding.TrialOutcome) []finding.TrialValue {
	out := make([]finding.TrialValue, len(trials))
	copied := make([]float64, len(trials)) // pointers into the trials would keep ten times as much memory in use
	for i := range trials {
		out[i].TrialOutcome = &outcomes[i]
		values := trials[i].Values
		if at := slices.IndexFunc(values, func(v record.Value) bool { return v.Name == metric }); at >= 0 {
			copied[i] = values[at].Value
			out[i].Value, out[i].AtLeast = &copied[i], values[at].AtLeast
		}
	}
	return out
}

// estimateCell sets a cell's value, interval and notes from its valid trials.
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

// byMoments sets a cell's interval from the mean and the standard deviation that a file states instead of runs.
func byMoments(c *finding.Cell, trials []record.Trial) {
	m, within, ok := trialset.StatedMoments(trialset.Having(trials, c.Metric), c.Metric)
	if !ok {
		return
	}
	c.N, c.Doubts = m.N, []note.Note{}
	of, enough := trialset.EstimateOf(m)
	if !enough {
		c.Doubts = append(c.Doubts, note.New("too-few-replicates", estimate.MinReplicates))
		return
	}
	c.Estimate = of
	share := 100 * m.SD / math.Abs(m.Mean)
	switch {
	case m.Known:
		c.Doubts = append(c.Doubts, note.New("read-off", share))
		return
	case within:
		c.Doubts = append(c.Doubts, note.New("moments-of-parts", m.N, share))
		return
	}
	c.Doubts = append(c.Doubts, note.New("moments", m.N, share))
	if share > 100*estimate.MaxCV {
		c.Doubts = append(c.Doubts, note.New("replicates-vary", share))
	}
}

// boundCell removes the interval from a cell if a value of it is a lower bound: the interval would hold the bounds, and
// not the truth.
func boundCell(c *finding.Cell) {
	c.AtLeast = slices.ContainsFunc(c.Trials, func(t finding.TrialValue) bool { return t.AtLeast && t.Void.IsZero() })
	if c.AtLeast {
		c.Bounds = figure.Bounds{}
	}
}

// noteUnits removes the figures from a cell whose trials have several units.
func noteUnits(c *finding.Cell, kinds []record.Metric) {
	if len(kinds) < 2 {
		return
	}
	c.Estimate = estimate.Estimate{Value: math.NaN()}
	c.Doubts = append(c.Doubts, note.New("several-units", c.Metric, integrity.InUnits(kinds)))
}
