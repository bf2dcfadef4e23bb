package web

import (
	"context"
	"time"

	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// heatOf returns the length of the JIT warm-up of a server.
func heatOf(p workload.Params) (time.Duration, error) {
	usual := time.Duration(0)
	if p.Text(paramServer) != serverURL {
		e, _, err := engineOf(p)
		if err != nil {
			return 0, err
		}
		usual = e.Heat()
	}
	return workload.HeatOf(Name, p.Text(record.ParamHeat), usual)
}

// heat loads the target fully for a while; nothing counts its answers.
func (d *driver) heat(ctx context.Context, length time.Duration) error {
	clients := max(d.requests, 1)
	h := workload.Heating{Name: Name, Clients: clients, Lanes: min(max(d.env.Lanes, 1), connections(d.params, clients)),
		Seed: d.env.Seed, For: length}
	windows, err := workload.Heat(ctx, h, func(i int, clock *load.Lane) error {
		l, err := d.connect(i, h.Lanes, clients)
		if err != nil {
			return err
		}
		defer l.Close()
		return l.Run(ctx, clock)
	})
	d.warming = windows
	return err
}

// Heat implements workload.Heater.
func (d *driver) Heat() (workload.Warming, bool) {
	return d.warming, d.own != nil && d.own.engine.Heat() > 0
}

// Heat implements workload.Heater: whether the server has a JIT compiler.
func (s *server) Heat() (workload.Warming, bool) { return workload.Warming{}, s.engine.Heat() > 0 }

// connect makes event loop i of n with its share of the requests in flight.
func (d *driver) connect(i, n, requests int) (*httpload.Lane, error) {
	ctx, cancel := context.WithTimeout(context.Background(), httpload.DefaultTimeout)
	defer cancel()
	return d.target.NewLane(ctx, requests*(i+1)/n-requests*i/n)
}
