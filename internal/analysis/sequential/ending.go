package sequential

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// MostPairs is the maximum of --max-replicates.
const MostPairs = stat.MostPairs

// Ending is how one comparison of a session with interim analyses ended.
type Ending struct {
	What    string           // workload, load and everything else its sides share
	A, B    string           // the difference of the sides: levels or machines
	Verdict trialset.Verdict // "" if it was cut short
	Pairs   int              // analysed
	// CI of the ratio of b to a; missing with too few pairs, or by ranks
	figure.Bounds
	P      *float64     // of the test by ranks, if a value has no logarithm, so that there is no ratio; else nil
	Needed int          // pairs that would decide; 0 if it is decided
	Futile *stat.Futile // why it ended undecided before its last analysis; nil if it did not
	SpentS float64      // seconds warmed up and measured on both sides, pilots and extra pairs included
}

// Endings returns how each comparison of a plan with interim analyses ended, by the trials of that plan, or nothing for
// other plans.
func Endings(p record.Plan, trials []record.Trial) []Ending {
	_, byCell := trialset.GroupBy(trials, func(t record.Trial) int { return t.Cell })
	cells, order := map[int][]int{}, []int{}
	for i, c := range p.Cells {
		if cells[c.Group] == nil {
			order = append(order, c.Group)
		}
		cells[c.Group] = append(cells[c.Group], i)
	}
	var out []Ending
	for _, g := range order {
		var mine []record.Trial
		for _, cell := range cells[g] {
			mine = append(mine, byCell[cell]...)
		}
		for _, l := range looksAt(p, cells[g], mine) {
			out = append(out, endingOf(p, l, byCell))
		}
	}
	return out
}

func endingOf(p record.Plan, l Looked, byCell map[int][]record.Trial) Ending {
	a, b := p.Cells[l.A], p.Cells[l.B]
	e := Ending{What: commonOf(a, b), Pairs: l.N, Needed: l.Needed, Futile: l.Futile,
		SpentS: spent(byCell[l.A]) + spent(byCell[l.B]),
		Bounds: estimate.BoundsOf(l.Ratio.Hull.Exp())}
	e.A, e.B = apartBy(a, b, byCell[l.A], byCell[l.B])
	if l.Ranked != nil {
		p := l.Ranked.P()
		e.P, e.Bounds = &p, figure.Bounds{}
	}
	if l.Verdict != stat.GoOn {
		e.Verdict = l.Verdict
	}
	return e
}

// spent returns the seconds that trials warmed up and measured.
func spent(trials []record.Trial) float64 {
	s := 0.0
	for _, t := range trials {
		s += t.WarmupS + t.DurationS
	}
	return s
}

// commonOf returns the parts that two cells share: workload, load, and the parameters that tables show.
func commonOf(a, b record.Cell) string {
	text := a.Workload
	for _, name := range slices.Sorted(maps.Keys(a.Params)) {
		if v := a.Params[name]; v == b.Params[name] && v != "" && !slices.Contains(a.Minor, name) {
			text += " " + name + "=" + v
		}
	}
	if a.Load.Unit != "" && a.Load == b.Load {
		text += " at " + record.LoadText(a.Load.Key())
	}
	return text
}

// apartBy returns the difference of two cells: the levels that differ, else their machines.
func apartBy(a, b record.Cell, ofA, ofB []record.Trial) (string, string) {
	var left, right []string
	for _, f := range slices.Sorted(maps.Keys(a.Levels)) {
		if a.Levels[f] != b.Levels[f] {
			name := strings.TrimPrefix(f, a.Workload+".")
			left, right = append(left, name+"="+a.Levels[f]), append(right, name+"="+b.Levels[f])
		}
	}
	if len(left) == 0 {
		return machineOf(a, ofA), machineOf(b, ofB)
	}
	return strings.Join(left, " "), strings.Join(right, " ")
}

func machineOf(c record.Cell, trials []record.Trial) string {
	if len(trials) == 0 {
		return c.Host
	}
	return trials[0].Keys[record.KeyMachine]
}
