// Package clocks states the clock of the CPUs of two sides, cell by cell, and the throughput per GHz.
package clocks

import (
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// KindClocks is the kind of the clocks of two sides.
const KindClocks finding.Kind[Clocks] = "clocks"

// Analyzers returns that of clocks.
func Analyzers() []finding.Analyzer {
	return []finding.Analyzer{{
		Kind: string(KindClocks), Doc: "the clock of the CPUs on both sides, and throughput per GHz", Body: KindClocks.Body(),
		Pair: clocks, Says: says,
	}}
}

// Clocks is the clock of the CPUs that did the work of one benchmark, on both sides. Ratio is b over a.
type Clocks struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`

	A     SideClock `json:"a"`
	B     SideClock `json:"b"`
	Ratio float64   `json:"ratio"`
	figure.Bounds
	N      int  `json:"n"` // pairs, or the runs of the smaller side if they are unpaired
	Paired bool `json:"paired"`
	// ratio of throughput per GHz, b over a; left out if the load offers a rate, or a clock may be nominal
	PerGHz *estimate.Estimate `json:"per_ghz,omitempty"`
}

// SideClock is the clock of the CPUs of one side.
type SideClock struct {
	MHz    float64   `json:"mhz"`     // mean of the runs
	MinMHz float64   `json:"min_mhz"` // of the slowest CPU in the slowest sample of any run
	Source string    `json:"source"`  // of the runs: "cpufreq" is the real frequency, "cpuinfo" may be the nominal one
	Trials []float64 `json:"trials"`  // mean of each run, MHz
}

// measured is the source of a clock that is certainly the real frequency.
const measured = "cpufreq"

// Caveats returns a note if a clock may be nominal.
func (c Clocks) Caveats() []note.Note {
	var out []note.Note
	if c.A.Source != measured || c.B.Source != measured {
		out = append(out, note.New("clock-nominal"))
	}
	return out
}

// clocks returns a finding for each cell of which at least one side has a clock.
func clocks(p *finding.Pairing) []finding.Finding {
	var out []finding.Finding
	for i, m := range p.Both {
		at := []trialset.Key{trialset.KeyOf(m.A[0], "", nil), trialset.KeyOf(m.B[0], "", nil)}
		primary := primaryOf(m, p.Cells[i])
		a, b := clocked(m.A, primary), clocked(m.B, primary)
		switch {
		case len(a)+len(b) == 0:
		case len(a) == 0:
			out = append(out, KindClocks.Impossible(note.New("clock-unknown", p.Pair.A), at...)...)
		case len(b) == 0:
			out = append(out, KindClocks.Impossible(note.New("clock-unknown", p.Pair.B), at...)...)
		default:
			c := held(a, b, primary)
			c.Workload, c.Params, c.Wording, c.Load = m.Place.Workload, m.Params, p.Wordings.Between(m), m.Place.Load
			out = append(out, KindClocks.New(&c, at...)...)
		}
	}
	return out
}

// primaryOf names the primary metric of a cell if it is throughput that the machines were free to raise; else "".
func primaryOf(m trialset.Matched, cs []finding.Comparison) string {
	at := slices.IndexFunc(cs, func(c finding.Comparison) bool {
		return c.Primary && c.Per == finding.PerMachine && c.Verdict != "" &&
			trialset.IsRate(record.Metric{Better: c.Direction, Unit: c.Unit})
	})
	if at < 0 || m.A[0].Load.Kind == record.Open {
		return ""
	}
	return cs[at].Metric
}

// The quantities of a trial that are compared here like metrics.
const (
	clockMHz = "clock_mhz"
	perGHz   = "per_ghz"
)

// clocked returns the valid trials that have a clock, with it and throughput per GHz as metrics.
func clocked(trials []record.Trial, primary string) []record.Trial {
	var out []record.Trial
	for _, t := range trialset.Measuring(trials) {
		if t.Clock == nil || !(t.Clock.MeanMHz > 0) {
			continue
		}
		t.Values = append(slices.Clone(t.Values), record.Value{Metric: record.Metric{Name: clockMHz}, Value: t.Clock.MeanMHz})
		if v, ok := t.Value(primary); ok {
			t.Values = append(t.Values, record.Value{Metric: record.Metric{Name: perGHz},
				Value: v.Value / t.Clock.MeanMHz * 1e3})
		}
		out = append(out, t)
	}
	return out
}

// held compares the clocks of two sides by replicate.
func held(a, b []record.Trial, primary string) Clocks {
	c := Clocks{A: sideOf(a), B: sideOf(b)}
	r, n, paired := ratio(a, b, clockMHz)
	c.Ratio, c.Bounds, c.N, c.Paired = r.Value, r.Bounds, n, paired
	if primary != "" && c.A.Source == measured && c.B.Source == measured {
		if per, n, _ := ratio(a, b, perGHz); n > 0 {
			c.PerGHz = &per
		}
	}
	return c
}

func ratio(a, b []record.Trial, metric string) (r estimate.Estimate, n int, paired bool) {
	s := trialset.NewSample(a, b, metric)
	got, ok := s.Ratio(metric, stat.Opts{Boundary: stat.Fixed(estimate.Alpha), SDFloor: stat.SDFloor})
	if !ok {
		return estimate.Estimate{}, 0, false
	}
	return estimate.FromLogs(got.LogRatio, got.N), got.N, s.Paired
}

func sideOf(trials []record.Trial) SideClock {
	s := SideClock{Source: trials[0].Clock.Source, MinMHz: trials[0].Clock.MinMHz,
		Trials: trialset.ValuesOf(trials, clockMHz)}
	for _, t := range trials {
		s.MinMHz = min(s.MinMHz, t.Clock.MinMHz)
		if t.Clock.Source != s.Source {
			s.Source = "several"
		}
	}
	s.MHz = stat.Mean(s.Trials)
	return s
}
