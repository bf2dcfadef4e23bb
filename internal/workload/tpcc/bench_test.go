package tpcc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
)

// The parts of the benchmark of loading are processes of this test binary; scripts/bench-tpcc runs them. The
// environment selects a process's part.
const (
	// start an empty server in this directory, say where it is, and end with the standard input
	envServe  = "PLIMSOLL_TPCC_SERVE"
	envRows   = "PLIMSOLL_TPCC_ROWS"   // write the rows into this directory, with psql's script that copies them
	envCreate = "PLIMSOLL_TPCC_CREATE" // make the tables of this DSN
	envLoad   = "PLIMSOLL_TPCC_LOAD"   // bring the rows to this DSN
)

func TestMain(m *testing.M) {
	for name, part := range map[string]func(string) error{
		envServe: benchServe, envRows: benchRows, envCreate: benchCreate, envLoad: benchLoad} {
		if arg := os.Getenv(name); arg != "" {
			if err := part(arg); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// setting reads one of the benchmark's settings.
func setting(name string, fallback int) int {
	if n, err := strconv.Atoi(os.Getenv("PLIMSOLL_TPCC_" + name)); err == nil {
		return n
	}
	return fallback
}

func benchPopulation() population {
	size := populationSpec
	if setting("SMALL", 0) > 0 {
		size = populationSmall
	}
	return populationOf(size, setting("WAREHOUSES", 2), 1, 1)
}

func benchServe(dir string) error {
	ctx := context.Background()
	params, err := engine.Resolve(postgres.Engine{},
		record.Params{postgres.ParamSettings: os.Getenv("PLIMSOLL_TPCC_SETTINGS")})
	if err != nil {
		return err
	}
	in, err := (postgres.Engine{}).Find(ctx, params)
	if err != nil {
		return err
	}
	i, err := (postgres.Engine{}).Start(ctx, in, engine.Settings{Params: params, Scratch: dir, Environ: os.Environ()})
	if err != nil {
		return err
	}
	defer i.Stop(ctx)
	fmt.Println("dsn " + i.(*postgres.Instance).DSN("postgres"))
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func benchRows(dir string) error { return writeRows(dir, os.Stdout) }

// writeRows writes each table's rows into a file of its name and the commands that copy all of them into copy.sql,
// and prints their size in bytes.
func writeRows(dir string, say io.Writer) error {
	files := map[string]*bufio.Writer{}
	var script strings.Builder
	var bytes int64
	for _, b := range benchPopulation().batches() {
		path := filepath.Join(dir, b.table)
		if files[b.table] == nil {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			files[b.table] = bufio.NewWriterSize(f, 1<<20)
			fmt.Fprintf(&script, "\\copy %s from '%s'\n", b.table, path)
		}
		n, err := io.Copy(files[b.table], &reader{batch: b})
		if err != nil {
			return err
		}
		bytes += n
	}
	for _, w := range files {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintln(say, "bytes", bytes)
	return os.WriteFile(filepath.Join(dir, "copy.sql"), []byte(script.String()), 0o600)
}

func benchCreate(dsn string) error {
	return inParallel(context.Background(), dsn, 1, []func(context.Context, *pgconn.PgConn) error{
		func(ctx context.Context, c *pgconn.PgConn) error { return execute(ctx, c, create(1)...) },
	})
}

func benchLoad(dsn string) error {
	return benchPopulation().copyRows(context.Background(), dsn, setting("JOBS", 2))
}

// testBench: the commands of scripts/bench-tpcc work, and psql loads the same rows as we do.
func testBench(t *testing.T, s site) {
	dir := t.TempDir()
	t.Setenv("PLIMSOLL_TPCC_SMALL", "1")
	t.Setenv("PLIMSOLL_TPCC_WAREHOUSES", "1")
	if err := writeRows(dir, io.Discard); err != nil {
		t.Fatal(err)
	}
	s.dsn = s.empty(t, "bench")
	if err := benchCreate(s.dsn); err != nil {
		t.Fatal(err)
	}
	if err := benchLoad(s.dsn); err != nil {
		t.Fatal(err)
	}
	c := connected(t, s.dsn)
	for _, table := range tables() {
		text, err := os.ReadFile(filepath.Join(dir, of(1, "{"+table.name+"}")))
		if err != nil {
			t.Fatal(err)
		}
		var rows int
		scan(t, c, of(1, "select count(*) from {"+table.name+"}"), &rows)
		if n := strings.Count(string(text), "\n"); n != rows || n == 0 {
			t.Errorf("%s: a file of %d rows, and %d were brought", table.name, n, rows)
		}
	}
	script, err := os.ReadFile(filepath.Join(dir, "copy.sql"))
	if err != nil || strings.Count(string(script), "\\copy ") != 9 {
		t.Errorf("%v: %s", err, script)
	}
}
