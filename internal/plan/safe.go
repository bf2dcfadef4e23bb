package plan

import (
	"maps"
	"slices"
	"strconv"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// SafeTimeS is the duration of trials that verify a safe rate, in seconds: long enough to see a period of 1 s more than
// ten times, and for a backlog of 5% to show.
const SafeTimeS = 30

// SafeRate verifies the safe rate of every workload with a disk timeline: each replicate at full load is followed by
// one trial capped below that rate and one above it.
func (r *Request) SafeRate(decls []record.Workload) error {
	found := false
	for i := range r.Measure {
		decl, err := Find(decls, r.Measure[i].Workload)
		if err != nil {
			return err
		}
		if decl.Timeline {
			r.Measure[i].Safe = true
			found = true
		}
	}
	if !found {
		return usagef("no measured workload records how its disk is throttled, which a safe rate requires\nhint: plimsoll " +
			"run disk --safe-rate")
	}
	return nil
}

func (r Request) verifies() bool {
	return slices.ContainsFunc(r.Measure, func(a Ask) bool { return a.Safe })
}

// checkSafe rejects a verification without a full load to begin with.
func checkSafe(decl record.Workload, a Ask, l record.LoadPoint) error {
	switch {
	case !a.Safe:
		return nil
	case !decl.Timeline:
		return usagef("%s has no safe rate: it does not record how its disk is throttled", decl.Name)
	case a.Search != nil:
		return usagef("%s: cannot search for both a load line and a safe rate\nhint: request one of them", decl.Name)
	case l.Kind != record.Closed:
		return usagef("%s.%s is set, but the safe rate is measured at full load\nhint: leave it out", decl.Name,
			record.ParamRate)
	}
	return nil
}

// capping is one trial near the safe rate.
type capping struct {
	share   float64
	rate    float64 // operations per second
	attempt int
}

// capped returns the next trial near the safe rate for a replicate of a cell; false if there is none, or no full load
// so far shows a safe rate. The rate is that of all full loads so far, this replicate included.
func (c *Course) capped(cell, replicate int) (capping, bool) {
	if !c.plan.Cells[cell].Safe || replicate < 0 || replicate >= c.plan.Replicates {
		return capping{}, false
	}
	full := c.full[cell]
	if !slices.ContainsFunc(full, func(t record.Trial) bool { return t.Replicate == replicate }) {
		return capping{}, false
	}
	safe, size, ok := trialset.SafeRateOf(
		slices.DeleteFunc(slices.Clone(full), func(t record.Trial) bool { return t.Replicate > replicate }))
	if !ok || size <= 0 {
		return capping{}, false
	}
	for _, share := range []float64{trialset.BelowSafe, trialset.AboveSafe} {
		tries := list.Filter(c.near[slot{cell, replicate}], func(t record.Trial) bool { return t.Capped == share })
		if !spent(tries) {
			return capping{share, rounded(share * safe / size), len(tries)}, true
		}
	}
	return capping{}, false
}

// slowDown turns an order at full load into one near the safe rate. Arrivals are uniform: Poisson arrivals would
// exhaust an allowance that their mean does not.
func (k capping) slowDown(o *record.Order) {
	o.Capped, o.Attempt = k.share, k.attempt
	o.Seed += uint64(100 * k.share)
	s := &o.Sides[0]
	s.Params = maps.Clone(s.Params)
	s.Params[record.ParamRate] = strconv.FormatFloat(k.rate, 'f', -1, 64)
	s.Params[record.ParamArrivals] = record.Uniform
	s.Load = record.LoadPoint{Kind: record.Open, Level: k.rate, Unit: record.ParamRate, Arrivals: record.Uniform}
}

// cappedLeft returns the number of trials that a replicate with a safe rate to verify may still need.
func (c *Course) cappedLeft(cell, replicate int) int {
	all := 3
	if !c.fullOpen(cell, replicate) {
		all = 2
	}
	return max(all-len(c.near[slot{cell, replicate}]), 1)
}
