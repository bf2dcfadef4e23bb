package main

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// truth is what the campaign knows of a session by its own clock, and holds the session's runs to: what a session says
// of itself decides nothing here.
type truth struct {
	began  int64         // CLOCK_MONOTONIC: the session began afterwards
	window time.Duration // that was ordered; 0: as long as the work takes
	struck []int64       // when what is measured, or who measures it, was killed
	lies   bool          // the agent's figures are not the program's: nothing is held
}

// holds returns an error for a valid run that cannot be one: without a figure, measured at another time than the
// session's or for another length than was ordered, or with a kill in its window. What was imported nobody measured.
func (k truth) holds(c content, now int64) error {
	var errs []error
	for _, l := range c.order {
		if l.Void != nil || l.Keys["imported"] != "" || k.lies {
			continue
		}
		from, to := l.window()
		switch {
		case len(l.Values) == 0 || !(l.Values[0].Value > 0) || math.IsInf(l.Values[0].Value, 0):
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": it has no figure: %+v", l.ID, l.Values))
		case from < k.began || to > now || to <= from:
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": it was measured from %d to %d, outside of its "+
				"session, from %d to %d", l.ID, from, to, k.began, now))
		case k.window > 0 && l.Lasts < .99*k.window.Seconds():
			errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": it has %v s of %v", l.ID, l.Lasts, k.window))
		}
		for _, at := range k.struck {
			if at > from && at < to {
				errs = append(errs, fmt.Errorf("the run %s "+validAllTheSame+": the campaign struck %v after its window began, "+
					"which lasted %v s", l.ID, time.Duration(at-from), l.Lasts))
			}
		}
	}
	return errors.Join(errs...)
}

// window returns when a run was measured, on CLOCK_MONOTONIC.
func (l line) window() (from, to int64) { return l.MonoNs, l.MonoNs + int64(l.Lasts*1e9) }

// stoodStill reports whether a run is void, or its agent away, since this machine did not run it: that is no fault of
// the program's, and such a run is measured again.
func (l line) stoodStill() bool {
	return l.Void != nil && noticed(content{runs: map[string]line{l.ID: l}})
}

// agrees returns an error if the figures of a run under so many clients differ from what its server saw of them. At
// each edge of the window each client has a request that one of the two may count and the other not; 2 % is by how much
// histograms of latencies and two readings of the clock around one request may differ.
func (l line) agrees(seen traffic, clients int) error {
	from, to := l.window()
	if !seen.began(from - int64(l.Warmup*1e9)) {
		return fmt.Errorf("its window begins at %d after %v s of warm-up: "+injectedElse+", a load since %d to %d", from,
			l.Warmup, seen.ready, seen.first())
	}
	if l.Generator == nil {
		return errors.New("it states no load")
	}
	const share = .02
	edge := 2 * float64(clients)
	within := func(what string, got, lo, hi float64) error {
		if got >= lo && got <= hi {
			return nil
		}
		return fmt.Errorf("%s is %v: "+injectedElse+", %v to %v", what, got, lo, hi)
	}
	near := func(what string, got, n float64) error { return within(what, got, n*(1-share)-edge, n*(1+share)+edge) }
	shares, answered := seen.within(from, to)
	errs := []error{
		near("the number by its throughput", l.value("throughput")*l.Lasts, shares),
		near("the number done", l.Generator.Done, float64(answered)),
		near("the number by its bytes", l.Generator.Bytes/float64(len(hello)), float64(answered)),
	}
	// Who asks again at once has waited longer than the server took, and less than until its next request came, but for
	// how long the two were on their way.
	const noise = .0003
	here, apart := seen.times(from, to)
	for name, q := range map[string]float64{"latency_p50": .5, "latency_p99": .99} {
		lo := ranked(here, q*float64(len(here))-edge-1, 0)
		hi := ranked(apart, q*float64(len(apart))+edge+1, math.Inf(1))
		errs = append(errs, within(name, l.value(name), (1-share)*lo-noise, (1+5*share)*hi+noise))
	}
	return errors.Join(errs...)
}

// ranked returns the value of a rank, from 0, of sorted ones; beyond them none.
func ranked(sorted []float64, rank, none float64) float64 {
	if rank < 0 || rank >= float64(len(sorted)) {
		return none
	}
	return sorted[int(rank)]
}
