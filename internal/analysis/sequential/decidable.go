package sequential

import (
	"math"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// decidablePower is how often Student's interval decides a difference that is called decidable; its hull with that of
// the signed ranks does so slightly less often.
const decidablePower = 0.8

// Decidable holds the minimum detectable effect of one kind of comparison on a machine, from a comparison of the same
// work with itself (an A/A). Figures that need three pairs are nil below that.
type Decidable struct {
	What    string   `json:"what"`    // workload
	CPUs    int      `json:"cpus"`    // loaded
	Sliced  bool     `json:"sliced"`  // the sides alternate inside one child; otherwise each is a trial of its own
	TrialS  float64  `json:"trial_s"` // seconds measured of each side
	WarmupS float64  `json:"warmup_s"`
	PairS   float64  `json:"pair_s"` // seconds per pair with all overhead; 0 if there was none
	Pairs   int      `json:"pairs"`  // of the A/A
	SD      *float64 `json:"sd"`     // of the log ratios of the pairs
	SDLo    *float64 `json:"sd_lo"`  // 95%
	SDHi    *float64 `json:"sd_hi"`
	Ratio   *float64 `json:"ratio"` // of the A/A, b over a: 1 but for chance
	figure.Bounds
	In     []Projection `json:"in"`
	Doubts []note.Note  `json:"notes"`
}

// Projection is the minimum detectable effect within a time, with as many pairs as fit. The interval reflects how well
// the few pairs of the A/A determine the noise; it assumes that the noise does not change.
type Projection struct {
	Minutes    int      `json:"minutes"`
	Pairs      int      `json:"pairs"`      // that fit in
	Difference *float64 `json:"difference"` // as a fraction: 0.012 is 1.2%; nil below three pairs
	figure.Bounds
}

// DecidableBy evaluates the trials of a plan of pairs of like cells (plan.AA). took holds the seconds that each trial
// cost, from the end of the previous one to its own, by ID.
func DecidableBy(p record.Plan, trials []record.Trial, took map[string]float64) []Decidable {
	_, cells := trialset.GroupBy(trials, func(t record.Trial) int { return t.Cell })
	out := []Decidable{}
	for i := 1; i < len(p.Cells); i++ {
		if c := p.Cells[i]; c.Group == p.Cells[i-1].Group {
			d := Decidable{
				What: c.Workload, CPUs: int(c.Load.Level), Sliced: c.Sliced, TrialS: p.DurationS, WarmupS: p.WarmupS,
				In: []Projection{}, Doubts: voids(slices.Concat(cells[i-1], cells[i])),
			}
			d.fill(cells[i-1], cells[i], took, p.Alpha)
			out = append(out, d)
		}
	}
	return out
}

// voids returns a note with the number of void trials.
func voids(trials []record.Trial) []note.Note {
	out, n, why := []note.Note{}, 0, ""
	for _, t := range trials {
		if t.Void != "" {
			n, why = n+1, t.Void
		}
	}
	if n > 0 {
		out = append(out, note.New("trials-void", n, len(trials), why))
	}
	return out
}

func (d *Decidable) fill(a, b []record.Trial, took map[string]float64, alpha float64) {
	metric := trialset.PrimaryOf(trialset.Valid(a))
	s := trialset.NewSample(a, b, metric)
	if !s.Paired {
		d.Doubts = append(d.Doubts, note.New("no-pair-in-time"))
		return
	}
	d.Pairs = s.N()
	for _, t := range slices.Concat(s.A, s.B) {
		d.PairS += took[t.ID] / float64(d.Pairs)
	}
	r, ok := s.Ratio(metric, stat.OptsFor(stat.Fixed(alpha)))
	switch {
	case d.Pairs < estimate.MinReplicates:
		d.Doubts = append(d.Doubts, note.New("few-pairs-in-time", d.Pairs, estimate.MinReplicates))
		return
	case !ok:
		d.Doubts = append(d.Doubts, trialset.NotPositive(metric, s.A, s.B))
		return
	}
	d.like(r.LogRatio)
	sd := stat.SD(s.Differences(metric))
	d.project(sd, stat.SDInterval(sd, d.Pairs, estimate.Alpha), alpha)
}

// like sets the difference that the A/A itself found, which should be nothing.
func (d *Decidable) like(r stat.LogRatio) {
	ratio := math.Exp(r.Mean)
	d.Ratio, d.Bounds = &ratio, estimate.BoundsOf(r.Hull.Exp())
	if r.Hull.Excludes(0) {
		d.Doubts = append(d.Doubts, note.New("differs-from-itself", 100*(ratio-1)))
	}
}

// minutes returns the durations for which a machine is evaluated.
func minutes() []int { return []int{1, 5, 15} }

func (d *Decidable) project(sd float64, iv stat.Interval, alpha float64) {
	d.SD, d.SDLo, d.SDHi = &sd, &iv.Lo, &iv.Hi
	for _, m := range minutes() {
		p := Projection{Minutes: m, Pairs: int(60 * float64(m) / d.PairS)}
		if p.Pairs >= estimate.MinReplicates {
			p.Difference = new(smallest(sd, p.Pairs, alpha))
			p.Bounds = figure.Between(smallest(iv.Lo, p.Pairs, alpha), smallest(iv.Hi, p.Pairs, alpha))
		}
		d.In = append(d.In, p)
	}
}

// smallest returns the difference that n pairs decide, as a fraction; the floor of the standard deviation is that of
// every verdict.
func smallest(sd float64, n int, alpha float64) float64 {
	return math.Expm1(stat.MinDetectable(math.Max(sd, stat.SDFloor), n, alpha, decidablePower))
}
