package headroom

import (
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// peaks reports whether a cell has the throughput of a closed loop in operations, as wrk's output has it: the machine
// did as much as it could for these clients.
func peaks(c finding.Cell) bool {
	open := strings.Contains(c.Load, "/s") || c.Load == record.KeySearched || c.Load == record.KeySwept
	return c.Primary && c.N > 0 && c.Value > 0 && c.Better == record.Higher && !open && !sweep.IsBytes(c.Unit) &&
		strings.HasSuffix(c.Unit, "/s")
}

// peakOf returns the fleet by the lower end of a cell's throughput, or by its estimate if it has no interval: an
// estimate, since latency at that load is not known.
func peakOf(c finding.Cell, d finding.Demand, b finding.Basis) Choice {
	limit := c.Value
	if c.Lo != nil && *c.Lo > 0 {
		limit = *c.Lo
	}
	out := Choice{Machine: c.Machine, By: byPeak, at: c.Key()}
	out.Need = loadline.Need{Demand: d.Rate, Unit: c.Unit, Headroom: d.Headroom, Failures: d.Failures}
	f, err := stat.FleetFor(d.Rate, limit, d.Headroom, d.Failures)
	if err != nil {
		out.Need.Why = note.New("no-fleet", err)
		return out
	}
	price(&out.Need, limit, f, b)
	out.bound(c.Hi)
	return out
}

// price sets the fleet of a need by its limit, and what it costs if a price is known.
func price(n *loadline.Need, limit float64, f stat.Fleet, b finding.Basis) {
	n.Line, n.Machines, n.Share, n.ShareAfter, n.Alarm = &limit, &f.Machines, &f.Share, &f.After, &f.Alarm
	if b.Priced() {
		hour := float64(f.Machines) * b.PricePerHour
		month := hour * HoursPerMonth
		n.PerHour, n.PerMonth, n.PriceSource = &hour, &month, b.PriceSource
	}
}
