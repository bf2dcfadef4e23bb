package tpcc

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"plimsoll/internal/workload/database"
)

// fill makes all tables and loads their rows over jobs connections. The rows do not depend on jobs.
func (p population) fill(ctx context.Context, dsn string, jobs int) error {
	err := inParallel(ctx, dsn, 1, []func(context.Context, *pgconn.PgConn) error{
		func(ctx context.Context, c *pgconn.PgConn) error {
			for copy := 1; copy <= p.copies; copy++ {
				if err := execute(ctx, c, create(copy)...); err != nil {
					return err
				}
			}
			return nil
		}})
	if err != nil {
		return err
	}
	if err := p.copyRows(ctx, dsn, jobs); err != nil {
		return err
	}
	var tasks []func(context.Context, *pgconn.PgConn) error
	for copy := 1; copy <= p.copies; copy++ {
		for _, steps := range finish(copy) {
			tasks = append(tasks, func(ctx context.Context, c *pgconn.PgConn) error { return execute(ctx, c, steps...) })
		}
	}
	return inParallel(ctx, dsn, jobs, tasks)
}

// copyRows loads the rows into existing tables.
func (p population) copyRows(ctx context.Context, dsn string, jobs int) error {
	var tasks []func(context.Context, *pgconn.PgConn) error
	for _, b := range p.batches() {
		tasks = append(tasks, b.load)
	}
	return inParallel(ctx, dsn, jobs, tasks)
}

// inParallel does the tasks in order over jobs connections.
func inParallel(ctx context.Context, dsn string, jobs int, tasks []func(context.Context, *pgconn.PgConn) error) error {
	var next atomic.Int64
	all, ctx := errgroup.WithContext(ctx)
	for range max(1, min(jobs, len(tasks))) {
		all.Go(func() error {
			conn, err := database.Connect(ctx, dsn)
			if err != nil {
				return err
			}
			defer conn.Close(context.WithoutCancel(ctx))
			c := conn.PgConn()
			// Building an index sorts in memory, which is freed with the connection.
			if err := execute(ctx, c, "set maintenance_work_mem = '128MB'", "set synchronous_commit = off"); err != nil {
				return err
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return nil
				}
				if err := tasks[i](ctx, c); err != nil {
					return err
				}
			}
		})
	}
	return all.Wait()
}

// execute executes statements, each by itself.
func execute(ctx context.Context, c *pgconn.PgConn, statements ...string) error {
	for _, sql := range statements {
		if _, err := c.Exec(ctx, sql).ReadAll(); err != nil {
			return fmt.Errorf("%.60s: %w", sql, err)
		}
	}
	return nil
}

// load copies the rows by one COPY.
func (b batch) load(ctx context.Context, c *pgconn.PgConn) error {
	if _, err := c.CopyFrom(ctx, &reader{batch: b}, "copy "+b.table+" from stdin"); err != nil {
		return fmt.Errorf("copy %s: %w", b.table, err)
	}
	return nil
}

// reader makes rows on demand.
type reader struct {
	batch
	buf  []byte
	from int // start of the unread part of buf
	done bool
}

// readAhead is the number of bytes of rows made at once.
const readAhead = 64 << 10

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.from == len(r.buf) {
		r.buf, r.from = r.buf[:0], 0
		for !r.done && len(r.buf) < readAhead {
			var more bool
			r.buf, more = r.next(r.buf)
			r.done = !more
		}
		if len(r.buf) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, r.buf[r.from:])
	r.from += n
	return n, nil
}
