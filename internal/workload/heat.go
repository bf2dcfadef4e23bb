package workload

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

const (
	// KeyHeat is the key of the trial's identity that holds the time for which a fresh server is loaded.
	KeyHeat = record.EnginePrefix + record.ParamHeat
	// shortHeat is until a server in Java on two CPUs has nearly its final speed (docs/derivations.md#searches).
	shortHeat = 5 * time.Second
	// mostHeat bounds the unmeasured time.
	mostHeat = time.Hour
)

// HeatOf returns the time that a value of record.ParamHeat stands for, with that usual for the engine. name is the
// workload's.
func HeatOf(name, text string, usual time.Duration) (time.Duration, error) {
	switch text {
	case record.HeatAuto:
		return usual, nil
	case record.HeatShort:
		return min(usual, shortHeat), nil
	}
	s, err := record.ParseDuration(text)
	if d := time.Duration(s * float64(time.Second)); err == nil && d >= 0 && d <= mostHeat {
		return d, nil
	}
	return 0, fmt.Errorf("%s: %s=%s is not a duration up to "+
		"%v\nhint: --set %s.%s=10s, or %s", name, record.ParamHeat, text, mostHeat, name, record.ParamHeat, record.HeatAuto)
}

// Heating is a closed loop that no trial counts.
type Heating struct {
	Name           string // the workload's
	Clients, Lanes int
	Seed           uint64
	For            time.Duration
}

// Warming holds the operations done in each step of a closed loop before the trial.
type Warming struct {
	load.Windows
	StartNs int64 // CLOCK_MONOTONIC
}

// Heat runs the load and returns the operations done in each HeatStep. run does the work of a trial's lane;
// it is called for all lanes at once.
func Heat(ctx context.Context, h Heating, run func(i int, clock *load.Lane) error) (Warming, error) {
	g, err := load.New(load.Config{
		Load:  record.LoadPoint{Kind: record.Closed, Level: float64(h.Clients), Unit: record.ParamClients},
		Lanes: h.Lanes, Seed: h.Seed, Duration: h.For, Step: HeatStep,
	})
	if err != nil {
		return Warming{}, fmt.Errorf("%s: load before the warm-up: %w", h.Name, err)
	}
	// A heat must also end when the trial is cancelled.
	defer context.AfterFunc(ctx, g.Stop)()
	var all errgroup.Group
	for i := range h.Lanes {
		all.Go(func() error {
			defer g.Lane(i).Leave()
			err := run(i, g.Lane(i))
			if err != nil {
				g.Stop() // the trial fails: stop the others
			}
			return err
		})
	}
	start := g.Clock().Now()
	g.Start(start)
	if err := all.Wait(); err != nil {
		return Warming{}, fmt.Errorf("%s: load before the warm-up: %w", h.Name, err)
	}
	return Warming{g.Result().Windows, start}, ctx.Err()
}
