package headroom

import (
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
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
	if c.Above(0) {
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

// peakWithin returns the fleet by the highest throughput whose latency is within the targets. Cells are in the order of
// their throughput, the highest first. Without a cell that is within them, there is no fleet.
func peakWithin(in *finding.Input, cells []finding.Cell, d finding.Demand) Choice {
	var out Choice
	for _, c := range cells {
		missed, known := missedAt(in, c)
		if missed == "" {
			out = peakOf(c, d, basisAt(in, c.Key()))
			if known {
				out.aim(in.Ask.Objectives, loadline.Statistics(in.Ask.Objectives)[0])
			}
			return out
		}
		out = Choice{Machine: c.Machine, By: byPeak, at: c.Key()}
		out.aim(in.Ask.Objectives, missed)
		out.Need = loadline.Need{Demand: d.Rate, Unit: c.Unit, Headroom: d.Headroom, Failures: d.Failures,
			Why: note.New("target-missed", missed, figure.Quantity(latencyAt(in, c, missed).Value, "s"),
				figure.Quantity(*out.Limit, "s"))}
	}
	return out
}

// aim names the target of a choice.
func (c *Choice) aim(objectives map[string]float64, statistic string) {
	limit := objectives[statistic]
	c.Statistic, c.Limit = statistic, &limit
}

// missedAt returns the first statistic whose target a cell misses, and whether the latencies of all targets are known.
func missedAt(in *finding.Input, c finding.Cell) (statistic string, known bool) {
	known = true
	for _, s := range loadline.Statistics(in.Ask.Objectives) {
		switch latency := latencyAt(in, c, s); {
		case latency == nil:
			known = false
		case latency.Value > in.Ask.Objectives[s]:
			return s, known
		}
	}
	return "", known
}

// latencyAt returns a latency of the runs of a cell, or nil if it was not measured.
func latencyAt(in *finding.Input, c finding.Cell, statistic string) *finding.Cell {
	for i := range in.Cells {
		at := &in.Cells[i]
		if at.Metric == record.Latency+"_"+statistic && at.N > 0 && at.Key() == c.Key() {
			return at
		}
	}
	return nil
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
