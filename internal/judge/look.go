package judge

import (
	"math"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// boundaryOf is how much evidence a plan asks of an interval: the ordinary one where the
// number of pairs was fixed, the repeated one where looks may stop it (METHOD section 2).
func boundaryOf(p record.Plan) (stat.Boundary, error) {
	if p.Stop == nil {
		return stat.Fixed(p.Alpha), nil
	}
	table := stat.Repeated
	if p.Stop.Early {
		table = stat.Early
	}
	b, err := table(p.Alpha)
	b.Looks = p.Stop.Looks
	return b, err
}

// Settled tells whether every comparison of a group with its first cell is decided,
// after how many pairs. It looks at the first metric of the trials, and only at
// the plan's looks: what comes after the one that decides changes nothing. A plan
// without looks is never settled before its end.
func Settled(p record.Plan, cells []int, trials []record.Trial) (pairs int, settled bool) {
	boundary, err := boundaryOf(p)
	if err != nil || p.Stop == nil || len(cells) < 2 {
		return 0, false
	}
	rule := stat.Rule{Opts: stat.OptsFor(boundary), Margin: math.Log1p(p.Margin), Quick: p.Quick}
	byCell := map[int]map[int]float64{}
	for _, t := range trials {
		if t.Void == "" && len(t.Values) > 0 {
			if byCell[t.Cell] == nil {
				byCell[t.Cell] = map[int]float64{}
			}
			byCell[t.Cell][t.Replicate] = math.Log(t.Values[0].Value)
		}
	}
	for _, b := range cells[1:] {
		l := rule.Decide(logRatios(byCell[cells[0]], byCell[b], p.Replicates))
		if l.Verdict == stat.GoOn || l.N == 0 {
			return 0, false
		}
		pairs = max(pairs, l.N)
	}
	return pairs, true
}

// logRatios are those of the replicates that both sides have, in order. A value
// that is not positive gives none.
func logRatios(a, b map[int]float64, replicates int) []float64 {
	var out []float64
	for r := range replicates {
		x, okA := a[r]
		y, okB := b[r]
		if d := y - x; okA && okB && !math.IsNaN(d) && !math.IsInf(d, 0) {
			out = append(out, d)
		}
	}
	return out
}
