package agent

import (
	"context"
	"math"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/workload"
)

// toldApart returns what a trial keeps of how its disk was throttled. Bursts no larger than what was in flight are
// followed by a load with fewer in flight, which meets a quota all the same.
func (s *side) toldApart(ctx context.Context, work any, found stat.Regulation) *record.Regulation {
	inFlight, length, ok := found.Shallower()
	d, can := work.(workload.Shallower)
	if !ok || !can {
		return course.Recorded(found, nil)
	}
	shallow, ok := s.loadShallower(ctx, d, inFlight, length)
	if !ok {
		return course.Recorded(found, nil)
	}
	return course.Recorded(found.Confirmed(shallow), &shallow)
}

// loadShallower repeats the load of a driver with so many operations in flight, and classifies its timeline. It returns
// false if that failed: the trial is what it was.
func (s *side) loadShallower(ctx context.Context, d workload.Shallower, inFlight int, length float64) (
	stat.Regulation, bool) {
	driver, lanes := d.Shallower(inFlight)
	defer driver.Close()
	part := &side{spec: s.spec, params: s.params, driver: driver, lanes: lanes}
	part.trial.Load = record.LoadPoint{Kind: record.Closed, Level: float64(inFlight), Unit: record.ParamClients}
	config := part.config(record.Order{DurationS: math.Ceil(length*1e3) / 1e3})
	var err error
	if part.gen, err = load.New(config); err != nil {
		return stat.Regulation{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, config.Duration+overrun)
	defer cancel()
	var threads laneThreads
	err = threads.start(ctx, []*side{part})
	if err == nil {
		part.gen.Start(part.gen.Clock().Now() + int64(startDelay))
	} else {
		part.gen.Stop()
	}
	select {
	case <-threads.ended():
	case <-time.After(config.Duration + 2*overrun):
		return stat.Regulation{}, false // threads and memory are left to the end of this process
	}
	threads.stop()
	series, has := driver.(workload.Timeliner)
	if err != nil || ctx.Err() != nil || part.trial.Void != "" || !has {
		return stat.Regulation{}, false
	}
	return course.RegulationIn(series.Timeline(part.gen.Result()), 0, part.trial.Load, true)
}
