package run

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

// Forecast measures the hosts of a plan side by side, and adds up the costs of its cells on them.
func Forecast(ctx context.Context, p record.Plan, costs []forecast.Cost, via agent.Hosts) (plan.Forecast, error) {
	var mu sync.Mutex
	speeds := map[string]forecast.Speed{}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(atOnce)
	for _, host := range p.Hosts {
		paths := pathsOf(p, costs, host)
		all.Go(func() error {
			s, err := via.On(host).Speed(ctx, paths)
			if err != nil {
				return fmt.Errorf("measure the host's speed: %w", err)
			}
			mu.Lock()
			defer mu.Unlock()
			speeds[host] = s
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return plan.Forecast{}, err
	}
	return plan.ForecastOf(p, costs, speeds), nil
}

func pathsOf(p record.Plan, costs []forecast.Cost, host string) []string {
	var out []string
	for i, c := range p.Cells {
		if c.On(host) && !slices.Contains(out, costs[i].Path) {
			out = append(out, costs[i].Path)
		}
	}
	return out
}
