package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
)

// answer returns a result for each chief load line of a view, the highest first, and the fleets for a demand.
func answer(v *finding.View) finding.Answer {
	type limit struct {
		of   string
		line loadline.Line
	}
	var found []limit
	for _, c := range v.Cells {
		if l := Chief(c); l != nil {
			found = append(found, limit{v.Sweep(c), inUnitsOf(c.Workload, *l)})
		}
	}
	slices.SortStableFunc(found, func(a, b limit) int { return cmp.Compare(b.line.MaxSustained, a.line.MaxSustained) })
	var out finding.Answer
	var fleets []string
	for _, f := range found {
		out.Results = append(out.Results, block.Sentence{Lead: v.Cells[0].Workload, Tone: block.Strong, Text: f.of + limitAnswer(f.line)})
		if f.line.Fleet != nil && f.line.Fleet.Machines != nil {
			fleets = append(fleets, f.of+fleetAnswer(*f.line.Fleet))
		}
		for _, d := range f.line.Doubts {
			if d.Code != "too-few-sweeps" {
				out.Object(f.of + d.Text())
			}
		}
	}
	if len(fleets) > 0 {
		out.Cost(demandText(*found[0].line.Fleet, found[0].line.Unit) + strings.Join(fleets, ", "))
	}
	return out
}

// limitAnswer returns the rate of a load line and its latency limit.
func limitAnswer(l loadline.Line) string {
	s := figure.Span{Value: l.MaxSustained, Lo: l.Lo, Hi: l.Hi}
	u := figure.ScaleFor(l.Unit, s.Values()...)
	rate := finding.SureText(s, u, l.N)
	switch {
	case l.AtMost != nil:
		rate = fmt.Sprintf("%s to %s", s.Estimate(u), u.Text(*l.AtMost, figure.Digits))
	case l.SteeredBy != "" || !l.Crossed:
		rate = "at least " + s.Estimate(u) + ", the highest load measured,"
	}
	text := fmt.Sprintf("%s at %s ≤ %s", rate, latencyName(l.Statistic), figure.Quantity(l.Limit, "s"))
	if l.Objective > 0 {
		return text
	}
	return text + ", twice that at low load"
}

// demandText states the demand on a fleet.
func demandText(n loadline.Need, unit string) string {
	return figure.ScaleFor(unit, n.Demand).Text(n.Demand, figure.Digits) + ": "
}

// fleetAnswer states the number of machines with their spares, and their monthly cost.
func fleetAnswer(n loadline.Need) string {
	text := figure.Count(*n.Machines, "machine")
	if n.Failures > 0 {
		text += fmt.Sprintf(" (%d + %d spare)", *n.Machines-n.Failures, n.Failures)
	}
	if n.PerMonth == nil {
		return text + ", price unknown"
	}
	return text + fmt.Sprintf(", $%s/month", figure.Fixed(*n.PerMonth, 0))
}

// answerPair returns the fleets of both sides for a demand by their chief line, the cheaper one first.
func answerPair(v *finding.PairView) finding.Answer {
	var out finding.Answer
	all := KindFleet.All(v.Pair)
	if len(all) == 0 || all[0].A == nil || all[0].B == nil || all[0].A.Machines == nil || all[0].B.Machines == nil {
		return out
	}
	f := all[0]
	a, b := v.LabelA+" "+fleetAnswer(*f.A), v.LabelB+" "+fleetAnswer(*f.B)
	if perMonth(*f.A) <= perMonth(*f.B) {
		a, b = b, a
	}
	out.Cost(demandText(*f.A, figure.UnitOf(f.Workload, f.A.Unit)) + b + "; " + a)
	return out
}

// perMonth returns the monthly cost of a fleet; infinity if it is unknown.
func perMonth(n loadline.Need) float64 {
	if n.PerMonth == nil {
		return math.Inf(1)
	}
	return *n.PerMonth
}
