package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"

	"plimsoll/internal/engine/postgres"
)

// mostJobs bounds the connections that fill the database.
const mostJobs = 16

// fill makes a cluster in a directory and fills its database. Its server is always stopped.
func (s *Server) fill(ctx context.Context, dir string) error {
	// The kept set and a trial's copy of it.
	if err := room(dir, 2*s.set.Bytes+clusterBytes, "the data and a copy of them take about"); err != nil {
		return s.elsewhere(err)
	}
	settings, err := s.loader(dir)
	if err != nil {
		return err
	}
	started, err := (postgres.Engine{}).Start(ctx, s.install, settings)
	if err != nil {
		return err
	}
	instance := started.(*postgres.Instance)
	if err := s.fillDatabase(ctx, instance); err != nil {
		err = ofServer(ctx, err, instance)
		return errors.Join(err, instance.Stop(context.WithoutCancel(ctx)))
	}
	return shut(ctx, instance)
}

func (s *Server) fillDatabase(ctx context.Context, i *postgres.Instance) error {
	c, err := Connect(ctx, i.DSN("postgres"))
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "create database "+quoted(s.set.Name)); err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	return s.set.fillAt(ctx, i.DSN(s.set.Name))
}

// fillAt fills an empty database and checks the result.
func (set Set) fillAt(ctx context.Context, dsn string) error {
	if err := set.Fill(ctx, dsn, min(max(2, runtime.NumCPU()), mostJobs)); err != nil {
		return fmt.Errorf("fill the database: %w", err)
	}
	if err := vacuumed(ctx, dsn); err != nil {
		return fmt.Errorf("vacuum and analyze the database: %w", err)
	}
	if set.Check == nil {
		return nil
	}
	if err := set.Check(ctx, dsn); err != nil {
		return fmt.Errorf("the loaded data are wrong: %w", err)
	}
	return nil
}

// vacuumed leaves autovacuum no work but the load's. Tables that Fill has vacuumed already take little time.
func vacuumed(ctx context.Context, dsn string) error {
	c, err := Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	_, err = c.Exec(ctx, "vacuum analyze")
	if err == nil {
		_, err = c.Exec(ctx, "vacuum") // for the catalog, after analyze
	}
	return err
}

// shut ends a server so that its cluster can be copied.
func shut(ctx context.Context, i *postgres.Instance) error {
	if err := i.Shut(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(i.Cluster(), "data", "postmaster.pid")); err == nil || ctx.Err() != nil {
		return errors.Join(fmt.Errorf("the server was killed before it had written its data"), ctx.Err())
	}
	return nil
}

// ofServer adds the server's exit to a client's error, if it ended by itself.
func ofServer(ctx context.Context, err error, i *postgres.Instance) error {
	if ctx.Err() != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- i.Wait() }()
	select {
	case end := <-ended:
		return errors.Join(err, end)
	case <-time.After(notices):
		return err
	}
}

// full wraps an error that a full disk has caused.
func (s *Server) full(err error, dir string) error {
	var refused *pgconn.PgError
	const diskFull = "53100"
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) ||
		errors.As(err, &refused) && refused.Code == diskFull ||
		strings.Contains(err.Error(), unix.ENOSPC.Error()) || strings.Contains(err.Error(), "No space left on device") {
		return s.elsewhere(fmt.Errorf("the disk of %s is full: %w", dir, err))
	}
	return err
}

// quoted returns a name quoted for SQL.
func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }
