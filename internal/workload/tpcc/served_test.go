package tpcc

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// with is the workload's values where some are set.
func with(set record.Params) workload.Params {
	decl := Spec().Workload
	p := decl.Defaults()
	maps.Copy(p, set)
	return workload.NewParams(decl, p)
}

// small is a population for tests.
func small(warehouses, copies int) population {
	return populationOf(populationSmall, warehouses, copies, 7)
}

// served is a driver whose server runs, with the data loaded and nothing done to them.
func served(t *testing.T, set record.Params) *driver {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	// What is durable is the engine's affair.
	set["settings"] = "fsync = off"
	made, err := newDriver(workload.Env{
		Scratch: reachable(t), Lanes: 1, Seed: 20, Environ: os.Environ(),
		Enter: func(_ *syscall.SysProcAttr, start func() (int, error)) error { _, err := start(); return err },
	}, with(set))
	if err != nil {
		t.Fatal(err)
	}
	d := made.(*driver)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// database is a connection to a server's database.
func connected(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// beside is the DSN of another database of the same server.
func beside(t *testing.T, dsn, name string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = name
	return u.String()
}

// scan is the one row that a query gives.
func scan(t *testing.T, c *pgx.Conn, sql string, to ...any) {
	t.Helper()
	if err := c.QueryRow(t.Context(), sql).Scan(to...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", sql, err))
	}
}

// reachable is a directory of the test's own in which the server's user can work.
func reachable(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}
