package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Overall is the geometric mean of b over a in all benchmarks that both measured at one load: first over the benchmarks
// of a workload, then over workloads, so that a workload of many benchmarks does not outweigh the others. Ratios of
// metrics that are better if lower are inverted. If each side is better somewhere, a mean would hide it, and there is
// none.
type Overall struct {
	Load      string   `json:"load"` // record.LoadPoint's text form
	Per       string   `json:"per"`
	Workloads []string `json:"workloads"`
	Cells     int      `json:"cells"`
	Ratio     *float64 `json:"ratio"`
	figure.Bounds
	Verdict trialset.Verdict `json:"verdict,omitempty"`
	Better  string           `json:"better,omitempty"` // "a" or "b"; "" unless DIFFERENT
	N       int              `json:"n"`                // rounds: replicates that measured every benchmark on both sides
	Why     note.Note        `json:"why,omitzero"`     // the reason if there is no ratio
	// of the interval, as a fraction; 0.95 if missing
	Confidence float64 `json:"confidence,omitempty"`
}

// summand is one cell's part of an overall ratio.
type summand struct {
	c      finding.Comparison
	sample trialset.Sample
	rates  map[trialset.Slot]float64 // log ratio by round, higher is better
	filled bool                      // the load saturated both machines
	lean   float64                   // what corrected the cell's log ratio for the stop, higher is better
}

// overalls returns the geometric means of two sides.
func overalls(p *finding.Pairing) []finding.Finding {
	var parts []summand
	for i, m := range p.Both {
		if part := summandOf(p, m, p.Cells[i]); part != nil {
			parts = append(parts, *part)
		}
	}
	return KindOverall.Each(overallsOf(p, parts))
}

// summandOf returns the part of a cell; nil if its metric has no better direction, or its trials are unpaired.
func summandOf(p *finding.Pairing, m trialset.Matched, cs []finding.Comparison) *summand {
	at := slices.IndexFunc(cs, func(c finding.Comparison) bool {
		return c.Primary && c.Per == finding.PerMachine && c.Ratio > 0 && c.Difference == nil &&
			(c.Direction == record.Higher || c.Direction == record.Lower)
	})
	if at < 0 || !cs[at].Paired && !trialset.Imported(m.A) || p.Pair.By == trialset.ByType {
		return nil
	}
	s := interimOf(m, cs[at].Metric, p.Plans).Of(trialset.NewSample(m.A, m.B, cs[at].Metric))
	idle := slices.ContainsFunc(cs, func(c finding.Comparison) bool {
		return c.Per != finding.PerMachine && c.Verdict == "" && !c.Estimate
	})
	out := &summand{c: cs[at], sample: s, rates: map[trialset.Slot]float64{}, filled: !idle}
	if mean := cs[at].MeanRatio; mean != nil {
		out.lean = math.Log(cs[at].Ratio / *mean)
		if cs[at].Direction == record.Lower {
			out.lean = -out.lean
		}
	}
	if !s.Paired {
		return out // an import without rounds
	}
	for i, d := range s.Differences(cs[at].Metric) {
		if cs[at].Direction == record.Lower {
			d = -d
		}
		if round := trialset.RoundOf(s.A[i]); round.Plan != "" {
			out.rates[round] = d
		}
	}
	return out
}

// overallsOf returns the means load by load. A load of one cell has none.
func overallsOf(p *finding.Pairing, parts []summand) []Overall {
	out := []Overall{}
	for len(parts) > 0 {
		load := parts[0].c.Load
		at := func(s summand) bool { return s.c.Load == load }
		same := slices.DeleteFunc(slices.Clone(parts), func(s summand) bool { return !at(s) })
		if len(same) > 1 {
			out = append(out, overallAt(p, same)...)
		}
		parts = slices.DeleteFunc(parts, at)
	}
	return out
}

// overallAt returns the mean at one load: as measured, and per vCPU, core, dollar and watt if these are known.
func overallAt(p *finding.Pairing, parts []summand) []Overall {
	base := Overall{Load: parts[0].c.Load, Per: finding.PerMachine, Workloads: workloadsOf(parts), Cells: len(parts)}
	if why := reversal(*p.Pair, parts); !why.IsZero() {
		base.Why = why
		return []Overall{base}
	}
	d := meanByRound(parts)
	if base.N = len(d); base.N < estimate.MinReplicates {
		if trialset.Imported(parts[0].sample.A) {
			return nil // which runs of an import are one round is unknown
		}
		base.Why = note.New("too-few-rounds", estimate.MinReplicates)
		return []Overall{base}
	}
	reg := trialset.PreregisteredFor(trialset.Sample{A: trialsOf(parts)}, p.Plans)
	r := stat.PairedRatio(d, stat.OptsFor(reg.Boundary))
	r.LogRatio = r.Leaning(overWorkloads(parts, func(s summand) (float64, bool) { return s.lean, true }))
	out := []Overall{base.settled(r.LogRatio, 0, reg)}
	a, b := p.Pair.BasisA, p.Pair.BasisB
	if a == nil {
		return out
	}
	for _, s := range cost.Shares() {
		if perA, perB := s.Of(*a), s.Of(*b); perA > 0 && perB > 0 && filledAll(parts) {
			part := base
			part.Per = s.Per
			part = part.settled(r.LogRatio, math.Log(perA/perB), reg)
			if s.Per == cost.PerWatt {
				part.Verdict, part.Better = "", ""
			}
			out = append(out, part)
		}
	}
	return out
}

func (o Overall) settled(r stat.LogRatio, shift float64, reg trialset.Preregistered) Overall {
	r.Mean += shift
	r.Hull = stat.Interval{Lo: r.Hull.Lo + shift, Hi: r.Hull.Hi + shift}
	o.Ratio, o.Bounds = new(math.Exp(r.Mean)), estimate.BoundsOf(r.Hull.Exp())
	o.Confidence = reg.Confidence()
	if o.Verdict = reg.Rule().Verdict(r); o.Verdict == trialset.Different {
		o.Better = trialset.Winner(r, record.Higher)
	}
	return o
}

// reversal names two cells in which different sides are better.
func reversal(p finding.Pair, parts []summand) note.Note {
	first := map[string]finding.Comparison{}
	for _, s := range parts {
		c := s.c.Leaning()
		if _, seen := first[c.Better]; !seen && c.Better != "" {
			first[c.Better] = s.c
		}
	}
	a, lost := first["a"]
	b, won := first["b"]
	if !won || !lost {
		return note.Note{}
	}
	by := ""
	if a.ByEstimate() || b.ByEstimate() {
		by = " by the estimate only"
	}
	return note.New("reversal", p.B, cellText(b), p.A, cellText(a), by)
}

func cellText(c finding.Comparison) string {
	return strings.TrimSuffix(c.Workload+" "+trialset.ParamsText(c.Shown()), " ")
}

// meanByRound returns the mean log ratio of each round that has every part.
func meanByRound(parts []summand) []float64 {
	var out []float64
	rounds := slices.SortedFunc(maps.Keys(parts[0].rates),
		func(a, b trialset.Slot) int { return a.Replicate - b.Replicate })
	for _, round := range rounds {
		mean := overWorkloads(parts, func(s summand) (float64, bool) {
			d, ok := s.rates[round]
			return d, ok
		})
		if !math.IsNaN(mean) {
			out = append(out, mean)
		}
	}
	return out
}

// overWorkloads returns the mean over workloads of the mean over their cells; NaN if a cell has no value.
func overWorkloads(parts []summand, of func(summand) (float64, bool)) float64 {
	byWorkload := map[string][]float64{}
	for _, s := range parts {
		v, ok := of(s)
		if !ok {
			return math.NaN()
		}
		byWorkload[s.c.Workload] = append(byWorkload[s.c.Workload], v)
	}
	var means []float64
	for _, name := range workloadsOf(parts) {
		means = append(means, stat.Mean(byWorkload[name]))
	}
	return stat.Mean(means)
}

func trialsOf(parts []summand) []record.Trial {
	var out []record.Trial
	for _, s := range parts {
		out = append(append(out, s.sample.A...), s.sample.B...)
	}
	return out
}

func workloadsOf(parts []summand) []string {
	seen := map[string]bool{}
	for _, s := range parts {
		seen[s.c.Workload] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// filledAll reports whether every part saturated the machine: shares of a partly idle machine mean nothing.
func filledAll(parts []summand) bool {
	return !slices.ContainsFunc(parts, func(s summand) bool { return !s.filled })
}

// overallSays returns a sentence for each mean, among the verdicts.
func overallSays(v *finding.PairView) []block.Block {
	var out []block.Sentence
	for _, o := range KindOverall.All(v.Pair) {
		if repeats(finding.Comparison{Per: o.Per}, v.BasisA, v.BasisB) {
			continue
		}
		over := fmt.Sprintf("geometric mean over %s (%s) at %s", figure.Count(len(o.Workloads), "workload"),
			figure.Count(o.Cells, "cell"), o.Load)
		if o.Ratio == nil {
			out = append(out, block.Sentence{Lead: "no mean", Tone: block.Warn, Text: fmt.Sprintf("%s: %s", over, o.Why.Text())})
			continue
		}
		said := figure.Claim{Subject: v.LabelB, Object: v.LabelA, Per: o.Per, Direction: record.Higher,
			Ratio: o.Around(*o.Ratio), Within: o.Verdict == trialset.Equivalent, N: o.N, Each: figure.Round}
		out = append(out, block.Sentence{Lead: verdictText(o.Verdict), Tone: finding.VerdictInk(o.Verdict),
			Text: said.Sentence() + ": " + over})
	}
	return finding.Verdicts(out...)
}
