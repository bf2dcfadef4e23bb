package throttling

import (
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Verified is the verification of a disk's safe rate.
type Verified struct {
	Holds  *bool     `json:"holds"` // no run below it stalled, every run above it did; nil if undecided
	Below  Capped    `json:"below"`
	Above  Capped    `json:"above"`
	Reason note.Note `json:"reason,omitzero"` // why Holds is nil
}

// Capped holds the runs at one share of the safe rate.
type Capped struct {
	Share   float64  `json:"share"`
	Rate    *float64 `json:"rate"`    // mean offered bytes per second; nil without a run
	Trials  int      `json:"trials"`  // conclusive ones
	Stalled int      `json:"stalled"` // of those: stalled as at full load, or fell behind
	Void    int      `json:"void"`    // failed ones
}

// verifiedOf judges the rate-capped trials of a cell whose plan requires them.
func verifiedOf(full, capped []record.Trial) *Verified {
	out := Verified{Below: Capped{Share: trialset.BelowSafe}, Above: Capped{Share: trialset.AboveSafe}}
	for _, at := range []*Capped{&out.Below, &out.Above} {
		at.count(full, trialset.Filter(capped, func(t *record.Trial) bool { return t.Capped == at.Share }))
	}
	told := trialset.Filter(trialset.Valid(full), func(t *record.Trial) bool { return t.Regulation != nil })
	_, _, safe := trialset.SafeRateOf(full)
	switch {
	case len(told) == 0:
		out.Reason = note.New("no-safe-trial")
	case !safe && all(told, stat.Smooth):
		out.Reason = note.New("never-held-back")
	case !safe:
		out.Reason = note.New("no-quota")
	case out.Below.Trials == 0 || out.Above.Trials == 0:
		out.Reason = note.New("no-trial-near-safe")
	case out.Below.Stalled == 0 && out.Above.Stalled < out.Above.Trials && hasCredit(told):
		out.Reason = note.New("credit-outlasted")
	default:
		holds := out.Below.Stalled == 0 && out.Above.Stalled == out.Above.Trials
		out.Holds = &holds
	}
	return &out
}

func hasCredit(told []record.Trial) bool {
	return slices.ContainsFunc(told, func(t record.Trial) bool { return t.Regulation.Class == stat.Credit })
}

func all(told []record.Trial, class string) bool {
	return !slices.ContainsFunc(told, func(t record.Trial) bool { return t.Regulation.Class != class })
}

func (c *Capped) count(full, trials []record.Trial) {
	silence := estimate.Average(
		trialset.Known(trialset.Filter(trialset.Valid(full), func(t *record.Trial) bool { return t.Regulation != nil }),
			func(r *record.Regulation) *float64 { return r.SilenceS }))
	var rates []float64
	for _, t := range trials {
		switch {
		case !t.Conclusive(), !t.Over && t.Regulation == nil:
			c.Void++
			continue
		case t.Over || stalled(*t.Regulation, silence):
			c.Stalled++
		}
		c.Trials++
		if _, ioBytes, ok := trialset.SafeRateOf(full); ok {
			rates = append(rates, t.Load.Level*ioBytes)
		}
	}
	if len(rates) > 0 {
		rate := estimate.Average(rates)
		c.Rate = &rate
	}
}

// stalled reports whether a trial stalled due to the disk: as long in total as at full load, in stalls of at least a
// quarter of those. Shorter ones are the host's.
func stalled(r record.Regulation, silence float64) bool {
	const share, part = .02, .25
	return r.ZeroFraction >= share && r.SilenceS != nil && *r.SilenceS >= part*silence
}

// verifications holds the rate-capped trials of each cell that has some or whose plan requires them.
type verifications struct {
	asked  map[trialset.CellID]bool
	capped map[trialset.CellID][]record.Trial
}

// verificationsOf collects the trials near the safe rate.
func verificationsOf(trials []record.Trial, plans map[string]record.Plan) verifications {
	out := verifications{map[trialset.CellID]bool{}, map[trialset.CellID][]record.Trial{}}
	for _, t := range trials {
		id := trialset.IDOf(t)
		if cells := plans[t.Plan].Cells; t.Cell >= 0 && t.Cell < len(cells) && cells[t.Cell].Safe {
			out.asked[id] = true
		}
		if t.Capped > 0 {
			out.capped[id] = append(out.capped[id], t)
		}
	}
	return out
}

// judged returns copies of trials with how their disks were throttled (trialset.Regulated).
func judged(trials []record.Trial) []record.Trial {
	if !slices.ContainsFunc(trials, func(t record.Trial) bool { return t.Regulation != nil }) {
		return trials
	}
	out := slices.Clone(trials)
	for i := range out {
		out[i].Regulation = trialset.Regulated(out[i])
	}
	return out
}

// regulationAt returns how the disk of a cell's trials is throttled, nil if unknown, and a note if its plan requires a
// verification that is impossible without it.
func (v verifications) regulationAt(trials []record.Trial) (*Regulation, note.Note) {
	trials = judged(trials)
	found := regulationOf(trials)
	var capped []record.Trial
	asked := false
	seen := map[trialset.CellID]bool{}
	for _, t := range trials {
		if id := trialset.IDOf(t); !seen[id] {
			seen[id] = true
			asked = asked || v.asked[id] || len(v.capped[id]) > 0
			capped = append(capped, judged(v.capped[id])...)
		}
	}
	switch {
	case found != nil && asked:
		found.Verified = verifiedOf(trials, capped)
		if holds := found.Verified.Holds; holds != nil && !*holds {
			found.withdraw()
		}
	case asked:
		return nil, note.New("no-safe-rate", trialset.WorkloadOf(trials[0]))
	}
	return found, note.Note{}
}
