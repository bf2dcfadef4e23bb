package web

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/httpload"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// heatAuto is the value of heat that leaves it to the engine.
const heatAuto = "auto"

// mostHeat bounds the time that no trial measures.
const mostHeat = time.Hour

// heatOf is how long a server is asked before its trial.
func heatOf(p workload.Params) (time.Duration, error) {
	text := p.Text(paramHeat)
	if text != heatAuto {
		s, err := record.ParseDuration(text)
		if d := time.Duration(s * float64(time.Second)); err == nil && d >= 0 && d <= mostHeat {
			return d, nil
		}
		return 0, fmt.Errorf("%s: %s=%s is not a time up to %v\nhint: --set %s.%s=10s, or %s", Name, paramHeat, text, mostHeat, Name, paramHeat, heatAuto)
	}
	if p.Text(paramServer) == serverURL {
		return 0, nil
	}
	e, _, err := engineOf(p)
	if err != nil {
		return 0, err
	}
	return e.Heat(), nil
}

// heat asks the target at full load for a while; what it answers is counted nowhere.
func (d *driver) heat(ctx context.Context, length time.Duration) error {
	clients := max(d.connections, 1)
	lanes := min(max(d.env.Lanes, 1), clients)
	g, err := load.New(load.Config{
		Load: record.LoadPoint{Kind: record.Closed, Level: float64(clients), Unit: record.ParamClients}, Lanes: lanes, Seed: d.env.Seed, Duration: length, Step: workload.HeatStep,
	})
	if err != nil {
		return fmt.Errorf("%s: heating: %w", Name, err)
	}
	// Also what comes later must end when the trial does.
	defer context.AfterFunc(ctx, g.Stop)()
	var all errgroup.Group
	for i := range lanes {
		all.Go(func() error {
			defer g.Lane(i).Leave()
			l, err := d.connect(i, lanes, clients)
			if err != nil {
				g.Stop()
				return err
			}
			defer l.Close()
			return l.Run(ctx, g.Lane(i))
		})
	}
	g.Start(g.Clock().Now())
	if err := all.Wait(); err != nil {
		return fmt.Errorf("%s: heating: %w", Name, err)
	}
	d.warming = g.Result().Windows
	return ctx.Err()
}

// Heat is as workload.Heater has it. Of a server that several hosts load, none knows all.
func (d *driver) Heat() (load.Windows, bool) {
	switch {
	case d.env.Target != "":
		return load.Windows{}, false
	case d.own == nil:
		return d.warming, false
	}
	e, _, err := engineOf(d.params)
	return d.warming, err == nil && e.Heat() > 0
}

// connect makes event loop i of n with its share of the connections.
func (d *driver) connect(i, n, connections int) (*httpload.Lane, error) {
	ctx, cancel := context.WithTimeout(context.Background(), httpload.DefaultTimeout)
	defer cancel()
	return d.target.NewLane(ctx, connections*(i+1)/n-connections*i/n)
}
