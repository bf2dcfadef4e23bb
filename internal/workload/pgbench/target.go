package pgbench

import (
	"context"
	"fmt"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
	"plimsoll/internal/workload/database/standby"
)

// target is a server that other hosts load, or its standby on a host of its own.
type target struct {
	*database.Server
	clients  int
	params   workload.Params
	fault    float64           // share of the window after which the server is killed; 0: it is not
	failover *standby.Failover // nil: nothing happens to a server here
}

var (
	_ workload.Beginner = (*target)(nil)
	_ workload.Settler  = (*target)(nil)
)

func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	t := &target{clients: database.Lanes(p, env.Load, 0), params: p}
	var err error
	if t.fault, err = faultOf(p); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	t.Server, err = database.NewServer(env, p, setOf(p))
	return t, err
}

// Start implements workload.Server.
func (t *target) Start(ctx context.Context) (string, error) {
	address, err := t.Server.Start(ctx)
	if err != nil || t.fault == 0 || t.StandsBy() {
		return address, err
	}
	if t.failover, err = t.Intend(ctx, t.fault); err != nil {
		return "", err
	}
	return t.LastingDSN()
}

// Begin implements workload.Beginner.
func (t *target) Begin(from, to int64) {
	if t.failover != nil {
		t.failover.Begin(from, to)
	}
}

// Settle implements workload.Settler: generators look for what was acknowledged on the promoted standby.
func (t *target) Settle(ctx context.Context) error {
	if err := t.failover.Wait(ctx); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// Extra implements workload.Extender. A standby is one until its server is killed.
func (t *target) Extra(r load.Result) []record.Value {
	if t.fault > 0 && t.StandsBy() {
		r.End = r.Start + int64(t.fault*float64(r.End-r.Start))
	}
	return t.Server.Extra(r)
}

// Doubts returns warnings about the server and the load of all hosts together.
func (t *target) Doubts() []string {
	program, err := programOf(t.params)
	if err != nil || t.StandsBy() {
		return t.Server.Doubts()
	}
	return append(t.Server.Doubts(), contention(program, t.clients, t.params)...)
}
