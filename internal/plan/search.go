package plan

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// The defaults of a search (docs/derivations.md#searches): one search, which ends within a minute and a half.
const (
	SearchProbes   = 7   // near the line, before a fresh run is to confirm it
	SearchRequests = 300 // per probe, as far as its time allows: a p99 of fewer is their maximum
	SearchClients  = 64
	SearchWarmupS  = .5
	SearchTimeS    = 5  // a probe
	SearchRuns     = 14 // of the plan's times: the time of a search
	// Of a sweep of rates, whose replicates give its interval.
	SweepRequests = 110_000 // per load, for an error of 2%
	SweepWarmupS  = 10      // each load starts a new server
	SweepTimeS    = 20
	// Of quick sessions.
	QuickProbes = 5
	QuickTimeS  = 1.5

	// longest is the maximum duration of a probe that needs many requests, as a multiple of the plan's; a base probe of a
	// search without a time may take twice that, because the base enters every ratio.
	longest = 3
	// fewerClients divides those of a closed loop that failed: what serves 64 at once is not sure to serve any.
	fewerClients = 8
	// mostConfirmations bounds the runs that are to confirm the line of a search. Each is at least so much below those
	// that did not: one that is tried at the same load often enough succeeds.
	mostConfirmations = 5
	lowerBy           = .95
	// startS is about how long a probe takes besides its warm-up and measurement.
	startS = .5
	// mostStartS bounds that, since a search's time is for its probes.
	mostStartS = 5
	// fewestProbes near the line are made before a fresh run is to confirm it, however little time is left.
	fewestProbes = 4
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

// probe returns the next step of a search, or a fresh run that is to confirm its line; false if both are done. A run
// that does not confirm the line is one more probe, and the search goes on while it has time.
func (c *Course) probe(cell, replicate int) (probe, bool) {
	where := slot{cell, replicate}
	out, ok := c.chosen[where]
	if made := len(c.searches[where]); !ok || out.made != made {
		out.made = made
		out.probe, out.more = c.choose(cell, replicate)
		c.chosen[where] = out
	}
	return out.probe, out.more
}

// choice is the next step of a search after so many probes. Orders ask for it several times.
type choice struct {
	probe
	more bool
	made int
}

// choose computes what probe returns.
func (c *Course) choose(cell, replicate int) (probe, bool) {
	made := c.searches[slot{cell, replicate}]
	s := *c.plan.Cells[cell].Search
	n := len(made)
	if n > 0 && !c.inTime(cell, replicate, 1) {
		return probe{}, false
	}
	if retry, ok := onceMore(made, s.TimeS > 0); ok {
		return retry, true
	}
	if n > 0 && made[n-1].Confirms != "" && (s.TimeS == 0 || loadline.Confirmed(made, s)) {
		return probe{}, false
	}
	line := c.locate(cell, replicate, loadline.Statistics(s.Objectives)[0])
	confirming, sure := confirmation(made, s, line)
	tried := n > 0 && slices.ContainsFunc(made, func(t record.Trial) bool { return t.Confirms != "" })
	if sure && s.TimeS > 0 && (tried || !c.inTime(cell, replicate, 2) && nearLine(made, s) >= fewestProbes) {
		return confirming, true
	}
	if next, more := c.seek(cell, replicate, made, line.sure); more {
		return next, true
	}
	return confirming, sure
}

// nearLine returns the number of a search's probes near its line.
func nearLine(made []record.Trial, s record.Search) int {
	n := 0
	for _, p := range loadline.Probes(made, loadline.Statistics(s.Objectives)[0], s) {
		if !p.Base {
			n++
		}
	}
	return n
}

// inTime reports whether a search has the time for so many further probes.
func (c *Course) inTime(cell, replicate, probes int) bool {
	s := c.plan.Cells[cell].Search
	each := cellTimes(c.plan, c.plan.Cells[cell])
	return s.TimeS == 0 || c.took[slot{cell, replicate}]+float64(probes)*(each.warmup+each.duration+startS) <= s.TimeS
}

// timed adds the time of a probe to that of its search: from the end of the one before to its own, without what a
// server took to start and to be heated, and no less than it was to take. What passed while the session was interrupted
// does not count.
func (c *Course) timed(where slot, t record.Trial) {
	least := t.WarmupS + t.DurationS
	took := least + startS
	if t.WarmUp != nil {
		least += t.WarmUp.Seconds
	}
	if start, err := record.ParseTime(t.Start); err == nil {
		end := start.Add(time.Duration(t.DurationS * float64(time.Second)))
		if !c.ended.IsZero() {
			took = min(max(end.Sub(c.ended).Seconds(), least), least+mostStartS)
		}
		c.ended = end
	}
	if t.WarmUp != nil {
		took = max(took-t.WarmUp.Seconds, 0)
	}
	c.took[where] += took
}

// confirmation returns the run that is to confirm the line of a search; false if none is asked for, or the line is not
// known well enough.
func confirmation(made []record.Trial, s record.Search, line locatedLine) (probe, bool) {
	if !line.sure || !s.Confirm || s.Sweep || len(made) == 0 {
		return probe{}, false
	}
	out := probe{number: made[len(made)-1].Probe + 1, rate: line.Load,
		confirms: loadline.Statistics(s.Objectives)[0]}
	tried := 0
	for _, t := range made {
		if t.Confirms == "" {
			continue
		}
		if tried++; t.Conclusive() {
			out.rate = min(out.rate, lowerBy*t.Load.Level)
		}
	}
	return out, tried < mostConfirmations
}

// locatedLine is the line of a search after so many probes.
type locatedLine struct {
	stat.FoundLine
	made  int
	found bool // its interval is narrow enough to locate it
	sure  bool // narrow enough to be confirmed
}

// locate returns the line of a statistic by the probes of a search so far.
func (c *Course) locate(cell, replicate int, statistic string) locatedLine {
	of := lineOf{slot{cell, replicate}, statistic}
	made, s := c.searches[of.slot], *c.plan.Cells[cell].Search
	if known, ok := c.lines[of]; ok && known.made == len(made) {
		return known
	}
	search, probes := loadline.SearchOf(made, s, statistic), loadline.Probes(made, statistic, s)
	line, ok := search.Line(probes)
	out := locatedLine{FoundLine: line, made: len(made), found: ok && line.Crossed}
	out.sure = out.found && (s.TimeS == 0 || loadline.Sure(line, search, probes))
	c.lines[of] = out
	return out
}

// lineOf identifies the line of a statistic in one search.
type lineOf struct {
	slot
	statistic string
}

// seek returns the next probe of a search; false if it is over.
func (c *Course) seek(cell, replicate int, made []record.Trial, sure bool) (probe, bool) {
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
	step, more := c.step(*search, cell, replicate, made, sure)
	next.rate, next.base = step.Load, step.Base
	return next, more
}

// onceMore repeats the last probe if something other than the target made it void. A search that is timed does so with
// its closed loop, the runs that are to confirm its line, and those whose host was lost: any other load says as much.
func onceMore(made []record.Trial, timed bool) (probe, bool) {
	if len(made) == 0 {
		return probe{}, false
	}
	t := made[len(made)-1]
	tries := list.Filter(made, func(o record.Trial) bool { return o.Probe == t.Probe })
	told := t.Load.Kind == record.Closed && loadline.CapacityOf(made) > 0
	elsewhere := timed && t.Load.Kind == record.Open && t.Confirms == "" && !t.Away
	if told || elsewhere || spent(tries) {
		return probe{}, false
	}
	p := probe{number: t.Probe, attempt: len(tries), confirms: t.Confirms}
	if t.Load.Kind == record.Open {
		p.rate = t.Load.Level
	}
	return p, true
}

// mostProbes bounds a search, whatever its results: the closed loop, base probes, and probes near the lines of two
// statistics. One that has a time may use it for twice as many.
func mostProbes(s record.Search) int {
	switch {
	case s.Sweep:
		return 1 + len(shares()) + mostLower
	case s.TimeS > 0:
		return 1 + mostBase + 2*s.Probes
	}
	return 1 + mostBase + s.Probes + max(1, len(s.Objectives)-1)*min(extraProbes, s.Probes)
}

// step returns the search's next step for the line of the first statistic, and then for those of the others. If the
// line of the first is still not known well enough, it goes on while it has time.
func (c *Course) step(s record.Search, cell, replicate int, made []record.Trial, sure bool) (stat.LineStep, bool) {
	for i, statistic := range loadline.Statistics(s.Objectives) {
		if i > 0 && s.Chief {
			break
		}
		search := loadline.SearchOf(made, s, statistic)
		search.Around = c.foundBefore(cell, replicate, statistic)
		search.Probes = s.Probes + i*min(extraProbes, s.Probes)
		if i == 0 && s.TimeS > 0 && !sure {
			search.Probes *= 2
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
		if l := c.locate(cell, r, statistic); l.found {
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
		if search.TimeS > 0 {
			o.DurationS /= 2 // it only gives the search a start
		}
		clients := max(1, math.Trunc(search.Clients/math.Pow(fewerClients, float64(p.attempt))))
		s.Load = record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients}
		s.Params[record.ParamClients] = strconv.FormatFloat(clients, 'f', -1, 64)
		return
	}
	s.Load.Level, s.Load.All = rounded(p.rate), false
	s.Params[record.ParamRate] = strconv.FormatFloat(s.Load.Level, 'f', -1, 64)
	most := longest * o.DurationS
	if p.base && search.TimeS == 0 {
		most *= 2
	}
	if search.TimeS > 0 {
		most = min(most, max(o.DurationS, (search.TimeS-c.took[slot{cell, r.replicate}])/longest))
	}
	if !c.plan.Quick || search.TimeS > 0 {
		o.DurationS = min(max(search.Requests/s.Load.Level, o.DurationS), most)
	}
}

// rounded rounds to five digits, enough for any reader.
func rounded(rate float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(rate, 'g', 5, 64), 64)
	return out
}

// searchLeft returns for how many seconds a search with a time may still warm up and measure; 0 of others.
func (c *Course) searchLeft(cell, replicate int) float64 {
	s := c.plan.Cells[cell].Search
	if s == nil || s.TimeS == 0 {
		return 0
	}
	each := c.plan.WarmupS + c.plan.DurationS
	return max(each, (s.TimeS-c.took[slot{cell, replicate}])*each/(each+startS))
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
		if len(s.Objectives) > 0 && s.TimeS > 0 {
			all -= 2 // an objective needs no base
		}
		if !s.Chief {
			all += (len(loadline.Statistics(s.Objectives)) - 1) * min(extraProbes, s.Probes)
		}
	}
	if s.Confirm {
		all++
	}
	return max(all-len(c.searches[slot{cell, replicate}]), 1)
}
