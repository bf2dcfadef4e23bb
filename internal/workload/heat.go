package workload

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
)

const (
	// ParamHeat says how long a fresh server is loaded before the warm-up.
	ParamHeat = "heat"
	// HeatAuto is its value that leaves it to what is loaded.
	HeatAuto = "auto"
	// KeyHeat is the trial's key of how long that was.
	KeyHeat = record.EnginePrefix + ParamHeat
	// mostHeat bounds the time that no trial measures.
	mostHeat = time.Hour
)

// HeatOf is the time that a value of ParamHeat states; auto: it leaves it to what is loaded. name is the workload's.
func HeatOf(name, text string) (length time.Duration, auto bool, err error) {
	if text == HeatAuto {
		return 0, true, nil
	}
	s, err := record.ParseDuration(text)
	if d := time.Duration(s * float64(time.Second)); err == nil && d >= 0 && d <= mostHeat {
		return d, false, nil
	}
	return 0, false, fmt.Errorf("%s: %s=%s is not a time up to %v\nhint: --set %s.%s=10s, or %s", name, ParamHeat, text, mostHeat, name, ParamHeat, HeatAuto)
}

// Heating is a closed load that no trial counts.
type Heating struct {
	Name           string // the workload's
	Clients, Lanes int
	Seed           uint64
	For            time.Duration
}

// Heat makes the load, and gives what was done in each HeatStep. run does what a trial's lane does; it is called for all lanes at once.
func Heat(ctx context.Context, h Heating, run func(i int, clock *load.Lane) error) (load.Windows, error) {
	g, err := load.New(load.Config{
		Load:  record.LoadPoint{Kind: record.Closed, Level: float64(h.Clients), Unit: record.ParamClients},
		Lanes: h.Lanes, Seed: h.Seed, Duration: h.For, Step: HeatStep,
	})
	if err != nil {
		return load.Windows{}, fmt.Errorf("%s: heating: %w", h.Name, err)
	}
	// Also what comes later must end when the trial does.
	defer context.AfterFunc(ctx, g.Stop)()
	var all errgroup.Group
	for i := range h.Lanes {
		all.Go(func() error {
			defer g.Lane(i).Leave()
			err := run(i, g.Lane(i))
			if err != nil {
				g.Stop() // the others need not go on
			}
			return err
		})
	}
	g.Start(g.Clock().Now())
	if err := all.Wait(); err != nil {
		return load.Windows{}, fmt.Errorf("%s: heating: %w", h.Name, err)
	}
	return g.Result().Windows, ctx.Err()
}
