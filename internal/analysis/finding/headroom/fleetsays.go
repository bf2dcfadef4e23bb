package headroom

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// alarmText states the highest safe utilization if one machine may fail.
func alarmText(l loadline.Line) string {
	var parts []string
	for i, a := range l.Alarms {
		text := fmt.Sprintf("%s%% (%d)", figure.PercentOf(a.Share, 1), a.Machines)
		if i == 0 {
			text = fmt.Sprintf("%s%% of it (fleet of %d)", figure.PercentOf(a.Share, 1), a.Machines)
		}
		if a.CPU != nil {
			text += fmt.Sprintf(" at %s%% CPU", figure.Fixed(*a.CPU, 1))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	of := "the line's estimate, which has no interval"
	switch {
	case l.Bounded():
		of = "the lower end of the line's interval"
	case l.SteeredBy != "":
		of = "the line's lower bound"
	case !l.Crossed:
		of = "the end of the sweep"
	}
	return fmt.Sprintf("to survive the loss of one machine within %s%% of %s, run each at most at %s",
		figure.PercentOf(l.Headroom, 0), of, strings.Join(parts, ", "))
}

// needText states the number of machines for a demand, their load and their cost.
func needText(n loadline.Need, unit string) string {
	demand := figure.ScaleFor(unit, n.Demand).Text(n.Demand, figure.FineDigits)
	if n.Machines == nil {
		return fmt.Sprintf("for %s not known: %s", demand, n.Why)
	}
	text := fmt.Sprintf("%s for %s", figure.Count(*n.Machines, "machine"), demand)
	if n.Failures > 0 {
		text = fmt.Sprintf("%s (%s) for %s", figure.Count(*n.Machines, "machine"), numberText(n), demand)
	}
	each := fmt.Sprintf("each handles %s%% of its limit (%s, the lower end of the interval)",
		figure.PercentOf(*n.Share, 1), figure.Quantity(*n.Line, unit))
	parts := []string{text + ", " + costText(n), each}
	if n.Failures > 0 {
		parts[1] += fmt.Sprintf(", %s%% when %s down", figure.PercentOf(*n.ShareAfter, 1), areDown(n.Failures))
		alert := fmt.Sprintf("alert above %s%%", figure.PercentOf(*n.Alarm, 1))
		if n.AlarmCPU != nil {
			alert += fmt.Sprintf(" (%s%% CPU)", figure.Fixed(*n.AlarmCPU, 1))
		}
		parts = append(parts, alert)
	}
	return strings.Join(parts, "; ")
}

func areDown(n int) string {
	if n == 1 {
		return "one is"
	}
	return fmt.Sprintf("%d are", n)
}

func costText(n loadline.Need) string {
	if n.PerMonth == nil {
		return "price unknown"
	}
	return figure.Dollars(*n.PerMonth) + "/month"
}

// fleetNotes states the machines of either side for a demand by each further objective: the recommendation has the
// chief one.
func fleetNotes(p finding.Pair, a, b string) []block.Sentence {
	var out []block.Sentence
	seen := map[string]bool{}
	for _, f := range KindFleet.All(p) {
		sweep := strings.Join([]string{f.Workload, trialset.ParamsText(f.Params), f.Load}, "\x00")
		if !seen[sweep] {
			seen[sweep] = true
			continue
		}
		where := strings.Join(figure.NonEmpty(f.Workload, finding.ParamsText(f.Wording.Of(f.Params)), f.Load,
			"by "+f.Statistic), ", ")
		for _, side := range []struct {
			name string
			need *loadline.Need
		}{{a, f.A}, {b, f.B}} {
			text := "has no such load line"
			if side.need != nil {
				text = needText(*side.need, figure.UnitOf(f.Workload, side.need.Unit))
			}
			out = append(out, block.Sentence{Lead: "fleet", Tone: block.Strong, Detail: true,
				Text: fmt.Sprintf("%s, %s: %s", side.name, where, text)})
		}
	}
	return out
}

func fleetsSaid(v *finding.PairView) []block.Block {
	return finding.Verdicts(fleetNotes(v.Pair, v.LabelA, v.LabelB)...)
}
