// Package energy states the measured power of cells, under load and at rest, and the work per joule.
package energy

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// KindEnergy is the kind of measured power.
const KindEnergy finding.Kind[Energy] = "energy"

// Analyzers returns the analyzer of energy.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{
		Kind: string(KindEnergy), Doc: "the measured power under load and at rest", Body: KindEnergy.Body(), Brief: true,
		Run: metered, Show: finding.SentencesEach(KindEnergy, sentence),
	}}
}

// Energy is the power of the machine in one cell, by the widest scope that its meters cover.
type Energy struct {
	Scope  string            `json:"scope"`      // such as "package+dram"
	Source string            `json:"source"`     // of its meters: "rapl", "ipmi", "command", …
	Watts  estimate.Estimate `json:"watts"`      // mean power in the window, W
	Idle   estimate.Estimate `json:"idle_watts"` // by the same meters before the run's servers and load began, W
	N      int               `json:"n"`          // runs with both
	Parts  []Part            `json:"parts"`      // of the first of them
}

// Part is the power of one part of the machine. Parts overlap.
type Part struct {
	Name  string  `json:"name"` // of a cluster with its host
	Scope string  `json:"scope"`
	Watts float64 `json:"watts"`      // W
	Idle  float64 `json:"idle_watts"` // W; 0 if unknown
}

// metered returns a finding for each cell with valid runs of one scope.
func metered(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Groups {
		if e, ok := of(trialset.Valid(g.Trials)); ok {
			out = append(out, KindEnergy.New(&e, g.Key)...)
		}
	}
	return out
}

// of returns the power of runs. Runs by another scope than the first are left out.
func of(trials []record.Trial) (Energy, bool) {
	var e Energy
	var watts, idle []float64
	for _, t := range trials {
		total, ok := t.Energy.Total()
		if !ok || e.N > 0 && total.Scope != e.Scope {
			continue
		}
		if e.N++; e.N == 1 {
			e.Scope, e.Source, e.Parts = total.Scope, total.Source, partsOf(t.Energy.Parts)
		}
		watts, idle = append(watts, total.Watts), append(idle, total.IdleWatts)
	}
	e.Watts = estimate.MeanOf(watts, stat.SDFloor*stat.Mean(watts))
	e.Idle = estimate.MeanOf(idle, stat.SDFloor*stat.Mean(idle))
	return e, e.N > 0
}

func partsOf(all []record.EnergyOf) []Part {
	var out []Part
	for _, p := range all {
		if p.Seconds > 0 {
			name := strings.Join(figure.NonEmpty(p.Host, p.Name), " ")
			out = append(out, Part{Name: name, Scope: p.Scope, Watts: p.Joules / p.Seconds, Idle: p.IdleWatts})
		}
	}
	return out
}

func sentence(v *finding.View, c finding.Cell, e Energy) []block.Sentence {
	watts := func(x estimate.Estimate) string {
		return figure.SpanText(x, figure.ScaleFor("W", x.Values()...))
	}
	text := fmt.Sprintf("%s drew %s, and %s at rest (measured by %s, %s)", e.Scope, watts(e.Watts), watts(e.Idle),
		e.Source, figure.N(e.N))
	return []block.Sentence{{Lead: "energy", Tone: block.Dim, Text: v.Along(c) + text}}
}
