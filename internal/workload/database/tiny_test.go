package database

import (
	"context"
	"fmt"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// tiny is a workload of one table with a few rows, to test the common part.
type tiny struct {
	server *Server
}

const tinyRows = 1000

// tinySet is its data; filled counts how often they were made.
func tinySet(filled *int) Set {
	return Set{
		Name: "tiny", Key: "rows=1000", Bytes: 1 << 20,
		Fill: func(ctx context.Context, dsn string, jobs int) error {
			if filled != nil {
				*filled++
			}
			return execute(ctx, dsn, fmt.Sprintf("create table t as select i, 0 as n from generate_series(1, %d) i", tinyRows))
		},
		Check: func(ctx context.Context, dsn string) error {
			c, err := Connect(ctx, dsn)
			if err != nil {
				return err
			}
			defer c.Close(ctx)
			var n int
			if err := c.QueryRow(ctx, "select count(*) from t").Scan(&n); err != nil || n != tinyRows {
				return fmt.Errorf("%d rows, %w", n, err)
			}
			return nil
		},
	}
}

// execute runs some statements.
func execute(ctx context.Context, dsn, sql string) error {
	c, err := Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	_, err = c.Exec(ctx, sql)
	return err
}

func tinySpec() workload.Spec {
	return Complete(workload.Spec{
		Workload: record.Workload{
			Name: "tiny", Doc: "updates a row", Params: Params(), Loads: []record.LoadKind{record.Closed, record.Open},
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "updates"}},
		},
		New: func(env workload.Env, p workload.Params) (workload.Driver, error) {
			server, err := New(env, p, tinySet(nil))
			return &tiny{server}, err
		},
		Serve: func(env workload.Env, p workload.Params) (workload.Server, error) {
			return NewServer(env, p, tinySet(nil))
		},
		Command: workload.Command{Examples: []workload.Example{
			{Command: "run tiny", Doc: "a server of one's own"},
			{Command: "run tiny --clients 4", Doc: "four clients"},
			{Command: "run tiny --rate 100", Doc: "an open loop"},
		}},
	}, func(workload.Params) Set { return tinySet(nil) })
}

func (d *tiny) Prepare(ctx context.Context) error {
	_, err := d.server.Start(ctx)
	return err
}

func (d *tiny) Verify(ctx context.Context) error { return d.server.Verify(ctx) }
func (d *tiny) Close() error                     { return d.server.Close() }
func (d *tiny) Keys() map[string]string          { return d.server.Keys() }
func (d *tiny) Doubts() []string                 { return d.server.Doubts() }

func (d *tiny) Lane(int) (workload.Lane, error) { return &tinyLane{d.server.DSN()}, nil }

type tinyLane struct{ dsn string }

func (t *tinyLane) Run(ctx context.Context, l *load.Lane) error {
	c, err := pgload.Dial(ctx, t.dsn, "")
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		at, ok := l.Take()
		if !ok {
			return nil
		}
		if err := c.Simple("update t set n = n + 1 where i = 1", nil); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		l.Done(at, at, 1, 0)
	}
}

// params are the workload's, with some set.
func params(t *testing.T, set record.Params) workload.Params {
	t.Helper()
	decl := tinySpec().Workload
	all := decl.Defaults()
	for name, v := range set {
		d, ok := decl.Param(name)
		if !ok {
			t.Fatalf("no parameter %s", name)
		}
		text, err := d.Canonical(v)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = text
	}
	return workload.NewParams(decl, all)
}
