package headroom

import (
	"maps"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// HoursPerMonth is the hours of a month: a twelfth of 365 days.
const HoursPerMonth = catalog.HoursPerMonth

// asked adds the alarms for the requested headroom, and the fleet for a demand, to each load line of a cell.
func asked(in *finding.Input, at trialset.Key, lines map[string]loadline.Line) map[string]loadline.Line {
	if in.Ask.Headroom == 0 && in.Ask.Demand == nil {
		return lines
	}
	out := maps.Clone(lines)
	for statistic, l := range out {
		if in.Ask.Headroom > 0 {
			l.SetAlarms(in.Ask.Headroom)
		}
		if d := in.Ask.Demand; d.RateOf(at.Workload) > 0 {
			l.SetAlarms(d.Headroom)
			one := *d
			one.Rate = d.RateOf(at.Workload)
			l.Fleet = needOf(l, one, basisAt(in, at))
		}
		out[statistic] = l
	}
	return out
}

// basisAt returns the basis of the machine of a cell, if it is known which one did the work.
func basisAt(in *finding.Input, at trialset.Key) finding.Basis {
	for _, c := range in.Cells {
		if c.Unseen && c.Key() == at {
			return finding.Basis{}
		}
	}
	return in.BasisOf(at.Machine)
}

// needOf returns the fleet for a demand by a load line. It uses the lower end of the line's interval: a line without an
// interval gives no fleet.
func needOf(l loadline.Line, d finding.Demand, b finding.Basis) *loadline.Need {
	out := &loadline.Need{Demand: d.Rate, Unit: l.Unit, Headroom: d.Headroom, Failures: d.Failures}
	switch {
	case sweep.IsBytes(l.Unit) || !strings.HasSuffix(l.Unit, "/s"):
		out.Why = note.New("demand-of-bytes", l.Unit)
	case !l.Crossed:
		out.Why = note.New("line-at-least")
	case !l.Bounded():
		out.Why = note.New("line-without-interval", estimate.MinReplicates)
	}
	if !out.Why.IsZero() {
		return out
	}
	f, err := stat.FleetFor(d.Rate, *l.Lo, d.Headroom, d.Failures)
	if err != nil {
		out.Why = note.New("no-fleet", err)
		return out
	}
	price(out, *l.Lo, f, b)
	out.AlarmCPU = l.CPUAt(f.Alarm * *l.Lo)
	return out
}
