package plan

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"plimsoll/internal/list"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// The defaults of a search (docs/method.md#load-lines).
const (
	SearchProbes   = 10      // near the line
	SearchRequests = 110_000 // per probe, for an error of 2 %
	SearchClients  = 64
	SearchWarmupS  = 10 // each probe starts a new server
	SearchTimeS    = 20
	// Of quick sessions: a search is one replicate unless sides are compared, and all of it takes a minute and a half, a
	// JVM started for each probe.
	QuickProbes = 5
	QuickTimeS  = 1.5

	// longest is the maximum duration of a probe that needs many requests, as a multiple of the plan's; a base probe
	// may take twice that, because the base enters every ratio.
	longest = 3
	// extraProbes search for the median's line if the first ones, which search for that of p99, have not shown it.
	extraProbes = 4

	lowShare  = .15 // of the capacity: up to there a load of a sweep is measured as long as a base probe
	mostBase  = 6   // base probes, as in stat.LineSearch
	mostLower = 5   // loads below a sweep's shares, as in stat.LoadSweep
)

// shares returns the loads of a sweep, as shares of the throughput of a closed loop.
func shares() []float64 {
	return []float64{.05, .10, .15, .20, .30, .40, .50, .60, .70, .75, .80, .85, .90, .95, 1}
}

// searchedLoad returns a rate that is still to be found.
func searchedLoad(decl record.Workload, p record.Params, all bool) (record.LoadPoint, error) {
	if !slices.Contains(decl.Loads, record.Open) || !slices.Contains(decl.Loads, record.Closed) {
		return record.LoadPoint{}, usagef("%s has no load line: it does not support an open loop", decl.Name)
	}
	for _, name := range []string{record.ParamRate, record.ParamClients} {
		if d, ok := decl.Param(name); ok && d.Number(p[name]) > 0 {
			return record.LoadPoint{}, usagef("%s.%s is set, but the load is to be found\nhint: leave it out", decl.Name, name)
		}
	}
	return record.LoadPoint{Kind: record.Open, Unit: record.ParamRate, All: all, Arrivals: p[record.ParamArrivals]}, nil
}

func (c *Course) searched(g group) bool { return c.plan.Cells[g.cells[0]].Search != nil }

// inTurn returns a round's turns in order; in searches, the side with the fewest probes is next.
func (c *Course) inTurn(r round) []turn {
	turns := r.group.turns(c.plan, r.index())
	if c.searched(r.group) {
		slices.SortStableFunc(turns, func(a, b turn) int {
			return cmp.Compare(len(c.searches[slot{a[0], r.replicate}]), len(c.searches[slot{b[0], r.replicate}]))
		})
	}
	return turns
}

// probe is one step of a search: a rate, or the closed loop that comes first.
type probe struct {
	number, attempt int
	rate            float64 // 0: the closed loop
	base            bool
	confirms        string // the statistic of the line found; "": it is still sought
}

// probe returns the next step of a search, or the run that confirms its line; false if both are done.
func (c *Course) probe(cell, replicate int) (probe, bool) {
	made := c.searches[slot{cell, replicate}]
	if retry, ok := onceMore(made); ok {
		return retry, true
	}
	if n := len(made); n > 0 && made[n-1].Confirms != "" {
		return probe{}, false
	}
	if next, more := c.seek(cell, replicate, made); more {
		return next, true
	}
	return c.confirmation(cell, made)
}

// confirmation returns the run at the line that a search found; false if none is asked for, or there is no line.
func (c *Course) confirmation(cell int, made []record.Trial) (probe, bool) {
	s := *c.plan.Cells[cell].Search
	if !s.Confirm || s.Sweep || len(made) == 0 {
		return probe{}, false
	}
	statistic := loadline.Statistics(s.Objectives)[0]
	search := stat.LineSearch{Capacity: loadline.CapacityOf(made), Objective: s.Objectives[statistic]}
	line, ok := search.Line(loadline.Probes(made, statistic, s))
	if !ok || !line.Crossed {
		return probe{}, false
	}
	return probe{number: made[len(made)-1].Probe + 1, rate: line.Load, confirms: statistic}, true
}

// seek returns the next probe of a search; false if it is over.
func (c *Course) seek(cell, replicate int, made []record.Trial) (probe, bool) {
	last := 0
	for _, t := range made {
		last = max(last, t.Probe)
	}
	next := probe{number: last + 1}
	if last == 0 {
		return next, true
	}
	capacity := loadline.CapacityOf(made)
	if capacity <= 0 {
		return probe{}, false // the target is unknown
	}
	search := c.plan.Cells[cell].Search
	if last >= mostProbes(*search) {
		return probe{}, false
	}
	if search.Sweep {
		load, more := stat.LoadSweep{Capacity: capacity, Shares: shares()}.Next(loadline.Probes(made, "p99", *search))
		next.rate, next.base = load, load <= lowShare*capacity
		return next, more
	}
	step, more := c.step(*search, cell, replicate, capacity, made)
	next.rate, next.base = step.Load, step.Base
	return next, more
}

// onceMore repeats the last probe if something other than the target made it void.
func onceMore(made []record.Trial) (probe, bool) {
	if len(made) == 0 {
		return probe{}, false
	}
	t := made[len(made)-1]
	tries := list.Filter(made, func(o record.Trial) bool { return o.Probe == t.Probe })
	told := t.Load.Kind == record.Closed && loadline.CapacityOf(made) > 0
	if t.Void == "" || t.Over || told || spent(tries) {
		return probe{}, false
	}
	p := probe{number: t.Probe, attempt: len(tries), confirms: t.Confirms}
	if t.Load.Kind == record.Open {
		p.rate = t.Load.Level
	}
	return p, true
}

// mostProbes bounds a search, whatever its results: the closed loop, base probes, and probes near the lines of two
// statistics.
func mostProbes(s record.Search) int {
	if s.Sweep {
		return 1 + len(shares()) + mostLower
	}
	return 1 + mostBase + s.Probes + max(1, len(s.Objectives)-1)*min(extraProbes, s.Probes)
}

// step returns the search's next step for the line of the first statistic, and then for those of the others.
func (c *Course) step(s record.Search, cell, replicate int, capacity float64, made []record.Trial) (stat.LineStep,
	bool) {
	for i, statistic := range loadline.Statistics(s.Objectives) {
		if i > 0 && s.Chief {
			break
		}
		search := stat.LineSearch{
			Capacity: capacity, Around: c.foundBefore(cell, replicate, statistic), Objective: s.Objectives[statistic],
			Probes: s.Probes + i*min(extraProbes, s.Probes), Idle: loadline.IdleOf(s),
		}
		if step, more := search.Next(loadline.Probes(made, statistic, s)); more {
			return step, true
		}
	}
	return stat.LineStep{}, false
}

// foundBefore returns the geometric mean of the lines of the cell's searches so far; 0 if there are none.
func (c *Course) foundBefore(cell, replicate int, statistic string) float64 {
	sum, n := 0.0, 0
	for r := range replicate {
		made := c.searches[slot{cell, r}]
		search := stat.LineSearch{Capacity: loadline.CapacityOf(made),
			Objective: c.plan.Cells[cell].Search.Objectives[statistic]}
		if l, ok := search.Line(loadline.Probes(made, statistic, *c.plan.Cells[cell].Search)); ok && l.Crossed {
			sum, n = sum+math.Log(l.Load), n+1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}

// aim sets an order's load to that of its probe.
func (c *Course) aim(o *record.Order, cell int, r round) {
	p, _ := c.probe(cell, r.replicate)
	search := c.plan.Cells[cell].Search
	o.Probe, o.Attempt, o.Confirms = p.number, p.attempt, p.confirms
	o.Seed += uint64(p.number)
	s := &o.Sides[0]
	s.Params = maps.Clone(s.Params)
	if p.rate == 0 {
		s.Load = record.LoadPoint{Kind: record.Closed, Level: search.Clients, Unit: record.ParamClients}
		s.Params[record.ParamClients] = strconv.FormatFloat(search.Clients, 'f', -1, 64)
		return
	}
	s.Load.Level, s.Load.All = rounded(p.rate), false
	s.Params[record.ParamRate] = strconv.FormatFloat(s.Load.Level, 'f', -1, 64)
	most := longest * o.DurationS
	if p.base {
		most *= 2
	}
	if !c.plan.Quick {
		o.DurationS = min(max(search.Requests/s.Load.Level, o.DurationS), most)
	}
}

// rounded rounds to five digits, enough for any reader.
func rounded(rate float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(rate, 'g', 5, 64), 64)
	return out
}

// probesLeft returns about how many trials the replicate of a search, or of a safe rate to verify, still needs.
func (c *Course) probesLeft(cell, replicate int) int {
	s := c.plan.Cells[cell].Search
	switch {
	case c.plan.Cells[cell].Safe:
		return c.cappedLeft(cell, replicate)
	case s == nil:
		return 0
	}
	all := 1 + len(shares())
	if !s.Sweep {
		all = 1 + 3 + s.Probes
		if !s.Chief {
			all += (len(loadline.Statistics(s.Objectives)) - 1) * min(extraProbes, s.Probes)
		}
	}
	if s.Confirm {
		all++
	}
	return max(all-len(c.searches[slot{cell, replicate}]), 1)
}
