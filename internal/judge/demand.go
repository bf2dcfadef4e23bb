package judge

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/catalog"
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/headroom"
	"plimsoll/internal/finding/sweep"
	"plimsoll/internal/loadline"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// HoursPerMonth is a month's share of a year of 365 days.
const HoursPerMonth = catalog.HoursPerMonth

// Demand is what a fleet is to carry.
type Demand struct {
	Rate     float64 // in the unit of the load, such as operations per second
	Headroom float64 // fraction of its load line that each machine may carry
	Failures int     // machines that may fail while the others carry it all
}

// Check refuses what no fleet can be for.
func (d Demand) Check() error {
	switch {
	case !(d.Rate > 0) || math.IsInf(d.Rate, 0):
		return fmt.Errorf("a demand of %g: it must be over 0", d.Rate)
	case !(d.Headroom > 0 && d.Headroom <= 1):
		return fmt.Errorf("a headroom of %g: it is the fraction of its load line that a machine may carry, over 0 and at most 1", d.Headroom)
	case d.Failures < 0 || d.Failures > math.MaxInt32:
		return fmt.Errorf("%d failures: there can be none, or more", d.Failures)
	}
	return nil
}

// needOf is the fleet for a demand by a load line. It rests on the lower end of the line's interval: a fleet is built on what is
// known, and of a line without an interval nothing is.
func needOf(l loadline.Line, d Demand, b finding.Basis) *loadline.Need {
	out := &loadline.Need{Demand: d.Rate, Unit: l.Unit, Headroom: d.Headroom, Failures: d.Failures}
	switch {
	case sweep.IsBytes(l.Unit) || !strings.HasSuffix(l.Unit, "/s"):
		out.Why = note.New("demand-of-bytes", l.Unit)
	case !l.Crossed:
		out.Why = note.New("line-at-least")
	case l.Lo == nil:
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
	out.Line, out.Machines, out.Share, out.ShareAfter, out.Alarm = l.Lo, &f.Machines, &f.Share, &f.After, &f.Alarm
	out.AlarmCPU = l.CPUAt(f.Alarm * *l.Lo)
	if b.PricePerHour > 0 {
		hour := float64(f.Machines) * b.PricePerHour
		month := hour * HoursPerMonth
		out.PerHour, out.PerMonth, out.PriceSource = &hour, &month, b.PriceSource
	}
	return out
}

// SetHeadroom states all alarms for another headroom than DefaultHeadroom.
func SetHeadroom(s finding.Shown, headroom float64) {
	eachLine(s, func(_ *finding.Cell, l *loadline.Line) { l.SetAlarms(headroom) })
}

// SetDemand states with each load line the fleet that the demand needs. Basis may be nil: then no cost is stated.
func SetDemand(s finding.Shown, d Demand, basis func(record.Machine) finding.Basis) {
	SetHeadroom(s, d.Headroom)
	eachLine(s, func(c *finding.Cell, l *loadline.Line) {
		var b finding.Basis
		if basis != nil && !c.Unseen {
			m := s.Machines[c.Machine]
			m.Name = c.Machine
			b = basis(m)
		}
		l.Fleet = needOf(*l, d, b)
	})
}

// HasLines says whether any load line was found.
func HasLines(s finding.Shown) bool {
	return slices.ContainsFunc(s.Workloads, func(c finding.Cell) bool { return len(headroom.LinesIn(c)) > 0 })
}

func eachLine(s finding.Shown, do func(*finding.Cell, *loadline.Line)) {
	for i := range s.Workloads {
		c := &s.Workloads[i]
		if len(headroom.LinesIn(c)) == 0 {
			continue
		}
		lines := maps.Clone(headroom.LinesIn(c))
		for statistic, l := range lines {
			do(c, &l)
			lines[statistic] = l
		}
		c.Replace(headroom.Lines(lines, placeOfCell(*c)))
	}
}
