package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// Verdicts on whether throughput depends strongly on a parameter.
const (
	Sensitive            = "strongly"
	Insensitive          = "not strongly"
	SensitivityUndecided = "undecided"
)

// strongly is the ratio of lowest to highest throughput below which a parameter matters. It is our choice: capacity
// planners plan for a difference of a fifth.
const strongly = .8

// sensitivities finds the curves of a number, of closed loads.
func sensitivities(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, c := range trialset.CurvesAlong(closedIngest(in.Swept), sensitivityAxes) {
		out = append(out, KindSensitivity.New(sensitivityOf(c), c.Scope()...)...)
	}
	return out
}

// closedIngest returns the valid trials of closed loads, of workloads that ingest bytes.
func closedIngest(trials []record.Trial) []record.Trial {
	closed := trialset.Filter(trialset.Valid(trials), func(t *record.Trial) bool { return t.Load.Kind == record.Closed })
	ingest := map[string]bool{}
	for i := range closed {
		if _, ok := trialset.ValueIn(&closed[i], trialset.Ingest); ok {
			ingest[trialset.WorkloadOf(closed[i])] = true
		}
	}
	return trialset.Filter(closed, func(t *record.Trial) bool { return ingest[trialset.WorkloadOf(*t)] })
}

// sensitivityAxes returns the axes of parameters that are numbers, and of the clients, which make the load as well, by
// name.
func sensitivityAxes(trials []record.Trial) []trialset.CurveAxis {
	out := slices.DeleteFunc(trialset.NumberAxes(trials),
		func(a trialset.CurveAxis) bool { return a.Param == record.ParamClients })
	for i := range out {
		out[i].Load = false
	}
	out = append(out, trialset.LoadAxisOf(record.ParamClients))
	slices.SortFunc(out, func(a, b trialset.CurveAxis) int { return cmp.Compare(a.Param, b.Param) })
	return out
}

// sensitivityOf returns nil if there is one value, or no rate that is positive throughout.
func sensitivityOf(c trialset.Curve) *Sensitivity {
	logs, ok := c.Logs(trialset.Ingest)
	if len(c.Points) < 2 || !ok {
		return nil
	}
	d := &Sensitivity{Param: c.Param, Unit: c.Unit, Metric: trialset.Ingest, Spread: estimate.Spread(logs),
		Verdict: SensitivityUndecided}
	for _, p := range c.Points {
		d.Points = append(d.Points, SensitivityPoint{p.X, p.Estimate(trialset.Ingest),
			len(trialset.ValuesOf(p.Trials, trialset.Ingest))})
	}
	switch {
	case d.Spread.Bounded() && *d.Spread.Lo >= strongly:
		d.Verdict = Insensitive
	case d.Spread.Below(strongly):
		d.Verdict = Sensitive
	}
	return d
}

// fewLarges finds, in each family that differs in clients and one size, the fewest clients with the largest size and
// the most with the smallest.
func fewLarges(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	clients := trialset.LoadAxisOf(record.ParamClients)
	loaded := trialset.Filter(closedIngest(in.Swept), func(t *record.Trial) bool {
		return t.Load.Unit == record.ParamClients
	})
	_, byWorkload := trialset.GroupByKeys(loaded, trialset.WorkloadOf)
	for _, ts := range byWorkload {
		for _, size := range trialset.SizeAxes(ts) {
			_, families := trialset.GroupByKeys(ts, func(t record.Trial) trialset.Key {
				return trialset.FamilyAlong(t, size, clients)
			})
			for _, family := range families {
				f, scope := fewLarge(size.Curve(family), clients.Curve(family))
				out = append(out, KindFewLarge.New(f, scope...)...)
			}
		}
	}
	return out
}

// fewLarge returns nil if not both were measured, or they are one.
func fewLarge(sizes, clients trialset.Curve) (f *FewLarge, scope []trialset.Key) {
	if len(sizes.Points) < 2 || len(clients.Points) < 2 {
		return nil, nil
	}
	pick := func(size trialset.CurvePoint, level float64) trialset.CurvePoint {
		return trialset.CurvePoint{X: size.X,
			Trials: trialset.Filter(size.Trials, func(t *record.Trial) bool { return t.Load.Level == level })}
	}
	least, most := clients.First().X, clients.Last().X
	small, large := pick(sizes.First(), most), pick(sizes.Last(), least)
	if len(small.Trials) == 0 || len(large.Trials) == 0 {
		return nil, nil
	}
	r := large.Over(small, trialset.Ingest)
	if r == nil {
		return nil, nil
	}
	f = &FewLarge{
		Metric: trialset.Ingest, Param: sizes.Param, Ratio: *r,
		Few: Shape{least, large.X, large.Average(trialset.Ingest)}, Many: Shape{most, small.X,
			small.Average(trialset.Ingest)},
	}
	switch {
	case r.Above(1):
		f.Better = "few"
	case r.Below(1):
		f.Better = "many"
	}
	return f, []trialset.Key{large.At(), small.At()}
}

func sensitivitySentence(v *finding.View, c finding.Cell, d Sensitivity) []block.Sentence {
	where := v.Along(c, d.Param)
	if d.Param == record.ParamClients {
		where = v.Sweep(c)
	}
	return []block.Sentence{{Lead: "sensitivity", Tone: block.Strong, Text: where + sensitivityText(d)}}
}

func fewLargeSentence(_ *finding.View, _ finding.Cell, f FewLarge) []block.Sentence {
	return []block.Sentence{{Lead: "clients", Tone: block.Strong, Text: fewLargeText(f)}}
}

func sensitivityText(d Sensitivity) string {
	byValue := func(a, b SensitivityPoint) int { return cmp.Compare(a.Value, b.Value) }
	low, high := slices.MinFunc(d.Points, byValue), slices.MaxFunc(d.Points, byValue)
	at := func(p SensitivityPoint) string { return d.Param + "=" + xText(p.X, d.Unit) }
	said := map[string]string{
		Sensitive: "depends strongly on " + d.Param, Insensitive: "does not depend strongly on " + d.Param,
		SensitivityUndecided: "may or may not depend strongly on " + d.Param,
	}[d.Verdict]
	return fmt.Sprintf("%s %s: the lowest, at %s, is %s of the highest, at %s", d.Metric, said, at(low),
		finding.ShareText(capped(d.Spread)), at(high))
}

// capped returns a share of the highest, clipped at 1.
func capped(t estimate.Estimate) estimate.Estimate {
	if t.Hi != nil && *t.Hi > 1 {
		t.Hi = new(1.0)
	}
	return t
}

func xText(x float64, unit string) string {
	if unit == "B" {
		return sizeText(x)
	}
	return figure.Exact(x) + unit
}

func fewLargeText(f FewLarge) string {
	shape := func(s Shape) string {
		return fmt.Sprintf("%s clients with %s=%s", figure.Exact(s.Clients), f.Param, sizeText(s.Size))
	}
	text := fmt.Sprintf("few large against many small: %s ingest %s, %s %s", shape(f.Few),
		figure.Quantity(f.Few.Value, "B/s"), shape(f.Many), figure.Quantity(f.Many.Value, "B/s"))
	if !f.Ratio.Bounded() {
		return text + fmt.Sprintf(": by estimate %s as much, %s", figure.Factors(f.Ratio.Value, f.Ratio.Value),
			figure.NoInterval())
	}
	verdict := map[string]string{"few": "few large is better", "many": "many small is better"}[f.Better]
	if verdict == "" {
		verdict = "undecided"
	}
	return text + ": " + figure.Factors(f.Ratio.Ends()) + " as much: " + verdict
}
