package explain

import (
	"math"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// sides holds the trials of one cell that explain its difference. If paired, a[i] and b[i] ran side by side in time.
type sides struct {
	a, b     []profiledTrial // profiled trials if both sides have some, else the measured ones
	paired   bool
	profiled bool

	measuredA, measuredB []record.Trial // for secondary metrics
	measuredPaired       bool

	thin []string // profiled trials left out for want of samples
}

func (s sides) n() int { return min(len(s.a), len(s.b)) }

// sidesOf returns the profiled trials of the matched cells or, if a side has none, its measured trials without
// profiles.
func (e *explainer) sidesOf(m trialset.Matched) sides {
	var s sides
	a, b := e.profiledOf(m.A), e.profiledOf(m.B)
	s.measuredA, s.measuredB, s.measuredPaired = slotPairs(e.measuredOf(m.A), e.measuredOf(m.B),
		func(t record.Trial) record.Trial { return t })
	if len(a) > 0 && len(b) > 0 {
		s.profiled = true
		s.a, s.b, s.paired = slotPairs(a, b, trialIn)
		s.dropThin()
		return s
	}
	s.paired = s.measuredPaired
	s.a, s.b = unprofiled(s.measuredA), unprofiled(s.measuredB)
	return s
}

// thinnest is the least number of a profile's samples, as a share of its side's median: a side that works less than the
// other, because it waits, has fewer samples in all its profiles. The error of a mean over trials is that of
// its worst: one profile of 3 samples among many of 1,000 would hide what they all show.
const thinnest = .1

// dropThin leaves profiles of too few samples out, with their partners, if two trials of each side remain.
func (s *sides) dropThin() {
	thinA, thinB := thinOf(s.a), thinOf(s.b)
	var a, b []profiledTrial
	for i, c := range s.a {
		if !thinA[c.trial.ID] && !(s.paired && thinB[s.b[i].trial.ID]) {
			a = append(a, c)
		}
	}
	for i, c := range s.b {
		if !thinB[c.trial.ID] && !(s.paired && thinA[s.a[i].trial.ID]) {
			b = append(b, c)
		}
	}
	if min(len(a), len(b)) < fewestThick {
		return
	}
	for _, c := range slices.Concat(s.a, s.b) {
		if thinA[c.trial.ID] || thinB[c.trial.ID] {
			s.thin = append(s.thin, c.trial.ID)
		}
	}
	s.a, s.b = a, b
}

// thinOf returns the trials of a side whose profiles have too few samples.
func thinOf(side []profiledTrial) map[string]bool {
	least := thinnest * stat.Median(list.Map(side, func(c profiledTrial) float64 { return float64(c.cpu.Samples) }))
	out := map[string]bool{}
	for _, c := range side {
		out[c.trial.ID] = float64(c.cpu.Samples) < least
	}
	return out
}

// fewestThick is the number of profiled trials of a side below which none is left out.
const fewestThick = 2

func trialIn(c profiledTrial) record.Trial { return *c.trial }

func cellsOfTrials(trials []record.Trial) []trialCell {
	var out []trialCell
	seen := map[trialCell]bool{}
	for _, t := range trials {
		if at := trialCellOf(t); !seen[at] {
			seen[at] = true
			out = append(out, at)
		}
	}
	return out
}

func (e *explainer) profiledOf(trials []record.Trial) []profiledTrial {
	var out []profiledTrial
	for _, at := range cellsOfTrials(trials) {
		for _, c := range e.profiled[at] {
			if c.cpu != nil {
				out = append(out, c)
			}
		}
	}
	return out
}

func (e *explainer) measuredOf(trials []record.Trial) []record.Trial {
	cells := cellsOfTrials(trials)
	if len(cells) == 1 {
		return e.measured[cells[0]]
	}
	var out []record.Trial
	for _, at := range cells {
		out = append(out, e.measured[at]...)
	}
	return out
}

// slotPairs pairs items that ran side by side in one plan; if none did, it returns all of both sides, unpaired.
func slotPairs[T any](a, b []T, trialOf func(T) record.Trial) (left, right []T, paired bool) {
	partners := map[trialset.Slot][]int{}
	for i, v := range b {
		at := trialset.PairOf(trialOf(v))
		partners[at] = append(partners[at], i)
	}
	for _, v := range a {
		t := trialOf(v)
		at := trialset.PairOf(t)
		if at.Plan == "" || len(partners[at]) == 0 || trialOf(b[partners[at][0]]).Cell == t.Cell {
			continue
		}
		left, right = append(left, v), append(right, b[partners[at][0]])
		partners[at] = partners[at][1:]
	}
	if len(left) == 0 {
		return a, b, false
	}
	return left, right, true
}

// totals returns the CPU times per operation; false if a trial has none.
func totals(of []profiledTrial) ([]float64, bool) {
	out := make([]float64, len(of))
	for i, c := range of {
		v, ok := c.trial.Value(record.CPUPerOp)
		if !ok || !(v.Value > 0) || math.IsInf(v.Value, 0) {
			return nil, false
		}
		out[i] = v.Value
	}
	return out, len(out) > 0
}

// categoryCosts returns the cost per operation of a category in each trial's CPU profile or, with waits, in its waits.
func categoryCosts(of []profiledTrial, waits bool, name category.Name) []float64 {
	out := make([]float64, len(of))
	for i, c := range of {
		if costs := c.costs(waits); costs != nil {
			out[i] = costs.Of(name).PerOp
		}
	}
	return out
}

func (c profiledTrial) costs(waits bool) *category.Costs {
	if waits {
		return c.waits
	}
	return c.cpu
}

// counting returns the standard deviation of a category's cost per operation due to sampling alone, its lower bound:
// √(p(1−p)/N) of the whole.
func counting(of []profiledTrial, waits bool, name category.Name) float64 {
	squares := 0.0
	for _, c := range of {
		if costs := c.costs(waits); costs != nil && costs.Samples > 0 {
			// A category of no samples may have missed one.
			p := math.Max(costs.Of(name).Share, 1/float64(costs.Samples))
			squares += costs.PerOp * costs.PerOp * p * (1 - math.Min(p, 1)) / float64(costs.Samples)
		}
	}
	return math.Sqrt(squares / float64(max(len(of), 1)))
}

// categoriesIn returns the categories with samples on either side, in a fixed order.
func categoriesIn(s sides, waits bool) []category.Name {
	seen := map[category.Name]bool{}
	for _, side := range [][]profiledTrial{s.a, s.b} {
		for _, c := range side {
			if costs := c.costs(waits); costs != nil {
				for _, of := range costs.Each {
					seen[of.Category] = true
				}
			}
		}
	}
	var out []category.Name
	for _, c := range category.All() {
		if seen[c] {
			out = append(out, c)
		}
	}
	return out
}
