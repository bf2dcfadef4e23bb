package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/judge"
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
