package tpcc

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/workloadtest"
)

// with returns the workload's values, with some replaced.
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
	inMemory(t)
	// Durability is the engine's affair.
	set["settings"] = "fsync = off"
	made, err := newDriver(workload.Env{
		Scratch: workloadtest.Enterable(t), Lanes: 1, Seed: 20, Environ: os.Environ(),
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

// inMemory skips tests that start servers if that takes too long, and puts their data in memory if possible, to be
// independent of other writers to the disk.
func inMemory(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	const memory = "/dev/shm"
	var free unix.Statfs_t
	if unix.Access(memory, unix.W_OK) == nil && unix.Statfs(memory, &free) == nil &&
		free.Bavail*uint64(free.Bsize) > 1<<30 {
		t.Setenv("TMPDIR", memory)
	}
}
