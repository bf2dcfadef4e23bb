package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/judge"
	coded "plimsoll/internal/note"
	"plimsoll/internal/record"
)

// alarmText says how far machines may be loaded so that one may fail.
func alarmText(l judge.LoadLine) string {
	var parts []string
	for i, a := range l.Alarms {
		text := fmt.Sprintf("%s %% with %d", percent(a.Share, 1), a.Machines)
		if i == 0 {
			text = fmt.Sprintf("%s %% of it with %d machines", percent(a.Share, 1), a.Machines)
		}
		if a.CPU != nil {
			text += fmt.Sprintf(" (%s %% CPU)", fixed(*a.CPU, 1))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	of := "the line's estimate, which has no interval"
	switch {
	case l.Lo != nil:
		of = "the lower end of the line's interval"
	case !l.Crossed:
		of = "where the sweep ended"
	}
	return fmt.Sprintf("one machine may fail and the others stay within %s %% of %s, where each ran at no more than %s", percent(l.Headroom, 0), of, strings.Join(parts, ", "))
}

// needText says how many machines a demand needs, and what they cost.
func needText(n judge.Need) string {
	demand := scaleFor(n.Unit, n.Demand).text(n.Demand, fineDigits)
	if n.Machines == nil {
		return fmt.Sprintf("for %s not known: %s", demand, n.Why)
	}
	failures := "none of which may fail"
	if n.Failures > 0 {
		failures = fmt.Sprintf("%d of which may fail", n.Failures)
	}
	parts := []string{
		fmt.Sprintf("%s need %s, %s: each carries %s %% of the lower end of the line's interval, %s",
			demand, count(*n.Machines, "machine"), failures, percent(*n.Share, 1), Quantity(*n.Line, n.Unit)),
	}
	if n.Failures > 0 {
		parts[0] += fmt.Sprintf(", and %s %% after that", percent(*n.ShareAfter, 1))
		alarm := fmt.Sprintf("alarm at %s %%", percent(*n.Alarm, 1))
		if n.AlarmCPU != nil {
			alarm += fmt.Sprintf(" (%s %% CPU)", fixed(*n.AlarmCPU, 1))
		}
		parts = append(parts, alarm)
	}
	return strings.Join(append(parts, costText(n)), "; ")
}

func costText(n judge.Need) string {
	if n.PerHour == nil {
		return "what they cost is not known"
	}
	return fmt.Sprintf("%s $/h, %s $ in a month of %d h (price: %s)", fixed(*n.PerHour, 3), fixed(*n.PerMonth, 0), judge.HoursPerMonth, n.PriceSource)
}

// fleetNotes say what a demand needs of either side's machines.
func fleetNotes(p judge.Pair, a, b string) []note {
	var out []note
	for _, f := range p.Fleets {
		where := strings.Join(nonEmpty(f.Workload, paramsText(major(f.Params, f.Minor)), f.Load, "by "+f.Statistic), ", ")
		for _, side := range []struct {
			name string
			need *judge.Need
		}{{a, f.A}, {b, f.B}} {
			text := "has no such load line"
			if side.need != nil {
				text = needText(*side.need)
			}
			out = append(out, note{"fleet", strong, fmt.Sprintf("%s, %s: %s", side.name, where, text)})
		}
	}
	return out
}

// equalCostNotes say what as much money carries on both sides.
func equalCostNotes(p judge.Pair, a, b string) []note {
	e := p.EqualCost
	if e == nil {
		return nil
	}
	out := []note{{"equal cost", strong, fmt.Sprintf("%d %s cost %s $/h, %d %s %s $/h: equal within %s %%; what they carry is assumed linear in their number",
		e.NodesA, a, fixed(e.SpendA, 3), e.NodesB, b, fixed(e.SpendB, 3), percent(e.Within, 0))}}
	for _, c := range e.Cells {
		said := claim{
			subject: fmt.Sprintf("%d %s", e.NodesB, b), object: fmt.Sprintf("%d %s", e.NodesA, a), verb: "carry", metric: c.Metric, per: "machine",
			direction: record.Higher, ratio: span{c.Ratio, c.Lo, c.Hi}, n: c.N, each: "replicate",
		}
		u := scaleFor(c.Unit, c.A, c.B)
		where := strings.Join(nonEmpty(c.Workload, paramsText(major(c.Params, c.Minor)), loadText(c.Load), c.Metric), ", ")
		text := fmt.Sprintf("%s: %s (%s against %s)", said.sentence(), where, u.text(c.B, fineDigits), u.text(c.A, fineDigits))
		out = append(out, note{"equal cost", dim, strings.Join(append([]string{text}, coded.Texts(c.Flags)...), "; ")})
	}
	if len(e.Cells) == 0 {
		out = append(out, note{"equal cost", warn, "nothing was compared that is a rate of which more is better"})
	}
	return out
}
