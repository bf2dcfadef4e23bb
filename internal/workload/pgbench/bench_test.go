package pgbench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
	"plimsoll/internal/workload/workloadtest"
)

// The parts of the benchmark are processes of this test binary, so that each can be pinned and metered as pgbench
// is; scripts/bench-pgbench runs them. The environment selects a process's part.
const (
	// start a server in this directory, say where it is, and end with the standard input
	envServe  = "PLIMSOLL_PGBENCH_SERVE"
	envClient = "PLIMSOLL_PGBENCH_CLIENT" // load this DSN
	envMeter  = "PLIMSOLL_PGBENCH_METER"  // run the command that the arguments are, and say what CPU time it took
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(envMeter) != "":
		workloadtest.Exit(workloadtest.Metered(os.Args[1:], envMeter))
	case os.Getenv(envServe) != "":
		workloadtest.Exit(benchServe(os.Getenv(envServe)))
	case os.Getenv(envClient) != "":
		workloadtest.Exit(benchClient(os.Getenv(envClient)))
	}
	os.Exit(m.Run())
}

// setting reads one of the benchmark's settings.
func setting(name, fallback string) string {
	if v := os.Getenv("PLIMSOLL_PGBENCH_" + name); v != "" {
		return v
	}
	return fallback
}

// benchServe runs a server with pgbench's data. It trusts every local user, since the cost of a password is not of
// interest.
func benchServe(dir string) error {
	p := values(record.Params{paramScale: setting("SCALE", "20"), "settings": setting("SETTINGS", "")})
	s, err := database.New(workload.Env{Scratch: dir}, p, setOf(p))
	if err != nil {
		return err
	}
	defer s.Close()
	ctx := context.Background()
	dsn, err := s.Start(ctx)
	if err != nil {
		return err
	}
	if err := trusting(ctx, dir, dsn); err != nil {
		return err
	}
	fmt.Println("dsn " + dsn)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func trusting(ctx context.Context, dir, dsn string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "hba.conf" {
			return err
		}
		return os.WriteFile(path, []byte("host all all all trust\n"), 0o600)
	})
	if err != nil {
		return err
	}
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, "select pg_reload_conf()")
	return err
}

// values returns the workload's values, with some replaced.
func values(set record.Params) workload.Params {
	decl := Spec().Workload
	p := decl.Defaults()
	for name, v := range set {
		p[name] = v
	}
	return workload.NewParams(decl, p)
}

// benchClient loads a server as the agent would: a lane on a locked thread for each client, without a collector. Its
// output is in the format that scripts/bench-pgbench parses.
func benchClient(dsn string) error {
	clients, err := strconv.Atoi(setting("CLIENTS", "16"))
	if err != nil {
		return err
	}
	length, err := time.ParseDuration(setting("FOR", "2s"))
	if err != nil {
		return err
	}
	p := values(record.Params{paramScale: setting("SCALE", "20"), paramScript: setting("SCRIPT", scriptTPCB),
		paramProtocol: setting("PROTOCOL", protocolPrepared)})
	runtime.GOMAXPROCS(clients + 1)
	debug.SetGCPercent(-1)
	_, r, err := loaded(dsn, p, clients, length)
	if err != nil {
		return err
	}
	fmt.Printf("transactions %d\ntps %.3f\nerrors %d\n", r.Ops, r.OpsPerSecond, len(r.Errors))
	return nil
}

// loaded runs clients for a time, and returns their driver.
func loaded(dsn string, p workload.Params, clients int, length time.Duration) (*driver, load.Result, error) {
	program, err := programOf(p)
	if err != nil {
		return nil, load.Result{}, err
	}
	env := workload.Env{Seed: uint64(time.Now().UnixNano()), Lanes: clients}
	server, err := database.New(workload.Env{Target: dsn}, p, setOf(p))
	if err != nil {
		return nil, load.Result{}, err
	}
	d := &driver{Server: server, env: env, params: p, program: program, scale: int64(p.Int(paramScale))}
	d.ctx, d.stop = context.WithCancel(context.Background())
	defer d.stop()
	g,
		err := load.New(
		load.Config{Load: record.LoadPoint{Kind: record.Closed, Level: float64(clients), Unit: record.ParamClients},
			Lanes: clients, Seed: 1, Duration: length})
	if err != nil {
		return nil, load.Result{}, err
	}
	errs := make([]error, clients)
	var ready, done sync.WaitGroup
	ready.Add(clients)
	for i := range clients {
		done.Go(func() {
			runtime.LockOSThread()
			l, err := d.Lane(i)
			ready.Done()
			if errs[i] = err; err == nil {
				errs[i] = l.Run(context.Background(), g.Lane(i))
			}
			g.Lane(i).Leave()
		})
	}
	ready.Wait()
	g.Start(g.Clock().Now())
	done.Wait()
	errs = append(errs, d.closeAll())
	return d, g.Result(), errors.Join(errs...)
}

// benchParts: the commands of scripts/bench-pgbench work.
func benchParts(t *testing.T, s string) {
	c := exec.Command(os.Args[0], os.Args[0])
	c.Env = append(os.Environ(), envMeter+"=1", envClient+"="+s, "PLIMSOLL_PGBENCH_FOR=200ms",
		"PLIMSOLL_PGBENCH_CLIENTS=2", "PLIMSOLL_PGBENCH_SCALE=1", "PLIMSOLL_PGBENCH_SCRIPT=select-only")
	out, err := c.CombinedOutput()
	for _, word := range []string{"transactions ", "\ntps ", "\nerrors 0\n", "\ncpu 0."} {
		if err != nil || !strings.Contains(string(out), word) {
			t.Fatalf("%v: no %q in %s", err, word, out)
		}
	}
}

// startServer starts a server with data, for a test, and gives its DSN.
func startServer(t *testing.T, set record.Params) string {
	t.Helper()
	set["settings"] = "fsync = off\nshared_buffers = 32MB\n" + set["settings"]
	p := values(set)
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil {
		t.Fatal(err)
	}
	s, err := database.New(workload.Env{Scratch: dir}, p, setOf(p))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	dsn, err := s.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}
