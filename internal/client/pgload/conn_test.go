package pgload_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/client/pgload"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
)

// server is a PostgreSQL of the test's own.
func server(t *testing.T) *postgres.Instance {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	p, err := engine.Resolve(postgres.Engine{}, record.Params{"settings": "fsync = off\nshared_buffers = 16MB"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := postgres.Engine{}.Find(context.Background(), p)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil {
		t.Fatal(err)
	}
	i, err := postgres.Engine{}.Start(context.Background(), in, engine.Settings{Params: p, Scratch: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return i.(*postgres.Instance)
}

func dial(t *testing.T, ctx context.Context, dsn string) *pgload.Conn {
	t.Helper()
	c, err := pgload.Dial(ctx, dsn, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// rows collects the rows of an exchange, as "statement:column|column".
func rows(into *[]string) func(int, [][]byte) error {
	return func(i int, columns [][]byte) error {
		var texts []string
		for _, c := range columns {
			if c == nil {
				texts = append(texts, "null")
				continue
			}
			texts = append(texts, string(c))
		}
		*into = append(*into, string(rune('0'+i))+":"+strings.Join(texts, "|"))
		return nil
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestConn: one server for all that a live one has to answer.
func TestConn(t *testing.T) {
	s := server(t)
	dsn := s.DSN("postgres")
	t.Run("exchanges", func(t *testing.T) { exchanges(t, dial(t, context.Background(), dsn)) })
	t.Run("failures", func(t *testing.T) { failures(t, dial(t, context.Background(), dsn)) })
	t.Run("simple", func(t *testing.T) { simple(t, dial(t, context.Background(), dsn)) })
	t.Run("nothing allocates", func(t *testing.T) { allocations(t, dial(t, context.Background(), dsn)) })
	t.Run("retries", func(t *testing.T) { retries(t, dsn) })
	t.Run("cancelled", func(t *testing.T) { cancelled(t, dsn) })
	t.Run("refused", func(t *testing.T) { refused(t, dsn) })
	t.Run("ended by the server", func(t *testing.T) { endedBy(t, dsn) })
	t.Run("gone", func(t *testing.T) { gone(t, s, dsn) })
}

func exchanges(t *testing.T, c *pgload.Conn) {
	if c.Path() != pgload.PathSocket || c.Status() != 'I' {
		t.Errorf("path %s, status %c", c.Path(), c.Status())
	}
	must(t, c.Simple("create temp table t (a int, b text, c float8)", nil))
	insert, err := c.Prepare("insert into t values ($1, $2, $3)")
	must(t, err)
	before := c.Trips()
	var a pgload.Args
	c.QueueText("begin", nil)
	c.Queue(insert, a.Reset().Int(-7).Text("").Float(2.5))
	c.Queue(insert, a.Reset().Null().Null().Null())
	c.Queue(insert, a.Reset().Int(8).Bytes([]byte("é'\\")).Float(1e300))
	c.QueueText("select a, b, c from t order by a nulls last", nil)
	c.QueueText("update t set a = 1 where a > $1", a.Reset().Int(-100))
	var got []string
	must(t, c.Exchange(rows(&got)))
	if want := "4:-7||2.5,4:8|é'\\|1e+300,4:null|null|null"; strings.Join(got, ",") != want {
		t.Errorf("rows %q, want %q", got, want)
	}
	if c.Trips() != before+1 || c.Status() != 'T' {
		t.Errorf("%d trips, status %c", c.Trips()-before, c.Status())
	}
	for i, want := range []int64{0, 1, 1, 1, 3, 2, 0} {
		if n := c.Rows(i); n != want {
			t.Errorf("statement %d touched %d rows, want %d", i, n, want)
		}
	}
	must(t, c.Simple("rollback", nil))
	// A large answer, and names of columns.
	c.Columns(true)
	c.QueueText("select n, repeat('x', 100) as long from generate_series(1, 20000) n", nil)
	n, named := 0, 0
	must(t, c.Exchange(func(_ int, columns [][]byte) error {
		n++
		if string(c.Column(0)) == "n" && string(c.Column(1)) == "long" && c.Column(2) == nil && len(columns[1]) == 100 {
			named++
		}
		return nil
	}))
	if n != 20000 || named != n {
		t.Errorf("%d rows, %d of them as they should be", n, named)
	}
	c.Columns(false)
	// The callback's error is returned once all is read.
	stop := errors.New("enough")
	c.QueueText("select generate_series(1, 10)", nil)
	if err := c.Exchange(func(int, [][]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the caller's is %v", err)
	}
	must(t, c.Simple("select 1", nil))
}

func failures(t *testing.T, c *pgload.Conn) {
	c.QueueText("select 1", nil)
	c.QueueText("select 1/0", nil)
	c.QueueText("select 2", nil)
	var got []string
	err := c.Exchange(rows(&got))
	var failed *pgload.Failed
	if !errors.As(err, &failed) || failed.Statement != 1 || failed.Code != "22012" || failed.Retry() ||
		c.Status() != 'I' || len(got) != 1 {
		t.Errorf("in mid-pipeline: %v, status %c, rows %q", err, c.Status(), got)
	}
	if err.Error() != "ERROR: division by zero (SQLSTATE 22012)" {
		t.Errorf("its words are %q", err)
	}
	if _, err := c.Prepare("selekt"); !errors.As(err, &failed) ||
		!strings.Contains(err.Error(), `prepare "selekt": ERROR: syntax error`) {
		t.Errorf("a bad statement: %v", err)
	}
	must(t, c.Simple("begin", nil))
	if err := c.Simple("select none", nil); !errors.As(err, &failed) || c.Status() != 'E' {
		t.Errorf("in a transaction: %v, status %c", err, c.Status())
	}
	must(t, c.Simple("rollback", nil))
	s, err := c.Prepare("select $1::int + 1")
	must(t, err)
	var a pgload.Args
	c.Queue(s, a.Reset().Text("x"))
	if err := c.Exchange(nil); !errors.As(err, &failed) || failed.Code != "22P02" {
		t.Errorf("a value of another type: %v", err)
	}
	c.Queue(s, a.Reset())
	if err := c.Exchange(nil); !errors.As(err, &failed) || failed.Code != "08P01" {
		t.Errorf("no value: %v", err)
	}
	c.Queue(s, a.Reset().Int(41))
	got = nil
	if must(t, c.Exchange(rows(&got))); strings.Join(got, "") != "0:42" {
		t.Errorf("afterwards: %q", got)
	}
}

func simple(t *testing.T, c *pgload.Conn) {
	var got []string
	c.Columns(true)
	must(t, c.Simple("select 1 as a; ; select null, 'x'", rows(&got)))
	if strings.Join(got, ",") != "0:1,1:null|x" || string(c.Column(0)) != "?column?" {
		t.Errorf("rows %q", got)
	}
	must(t, c.SimpleBytes([]byte(""), nil))
	if c.Rows(0) != 0 {
		t.Errorf("nothing touched %d rows", c.Rows(0))
	}
	if err := c.Simple("copy (select 1) to stdout", nil); err == nil || !strings.Contains(err.Error(), "COPY") {
		t.Errorf("COPY: %v", err)
	}
	if err := c.Simple("select 1", nil); err == nil {
		t.Error("a connection in the middle of COPY is used on")
	}
}

func allocations(t *testing.T, c *pgload.Conn) {
	s, err := c.Prepare("select $1::int, $2::text, $3::float8")
	must(t, err)
	var a pgload.Args
	text := []byte("select 1, 'some text' as t")
	seen := 0
	row := func(_ int, columns [][]byte) error { seen += len(columns); return nil }
	loop := func() {
		c.Queue(s, a.Reset().Int(1234567).Text("text").Float(0.25))
		c.QueueText("select 1", nil)
		if err := c.Exchange(row); err != nil {
			t.Fatal(err)
		}
		c.Columns(true)
		if err := c.SimpleBytes(text, row); err != nil {
			t.Fatal(err)
		}
		c.Columns(false)
	}
	for range 50 {
		loop()
	}
	// pgproto3 reallocates its read buffer once it is full.
	if n := testing.AllocsPerRun(300, loop); n >= 1 {
		t.Errorf("%g allocations for two exchanges", n)
	}
}

// retries: two that cannot be serialized.
func retries(t *testing.T, dsn string) {
	a, b := dial(t, context.Background(), dsn), dial(t, context.Background(), dsn)
	must(t, a.Simple("create table r (n int); insert into r values (0)", nil))
	for _, c := range []*pgload.Conn{a, b} {
		must(t, c.Simple("begin isolation level serializable; select n from r", nil))
	}
	must(t, a.Simple("update r set n = 1; commit", nil))
	err := b.Simple("update r set n = 2", nil)
	var failed *pgload.Failed
	if !errors.As(err, &failed) || !failed.Retry() || failed.Code != "40001" {
		t.Errorf("the second is %v", err)
	}
}

func cancelled(t *testing.T, dsn string) {
	ctx, cancel := context.WithCancel(context.Background())
	c := dial(t, ctx, dsn)
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := c.Simple("select pg_sleep(60)", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait: %v", err)
	}
	if err := c.Simple("select 1", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("afterwards: %v", err)
	}
	must(t, c.Close())
	must(t, c.Close())
	if _, err := pgload.Dial(ctx, dsn, ""); err == nil {
		t.Error("a context that has ended connects")
	}
}

func refused(t *testing.T, dsn string) {
	for bad, want := range map[string]string{
		"postgres://[": "the DSN cannot be parsed",
		strings.Replace(dsn, "postgres:", "nobody:", 2): "connect to the database",
		strings.Replace(dsn, "/postgres?", "/none?", 1): `database "none" does not exist`,
		"postgres://127.0.0.1:1/x?sslmode=disable":      "refused",
	} {
		if _, err := pgload.Dial(context.Background(), bad, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", bad, err, want)
		}
	}
}

// endedBy: the reason why the server ends a connection is reported, wherever that is noticed.
func endedBy(t *testing.T, dsn string) {
	c, other := dial(t, context.Background(), dsn), dial(t, context.Background(), dsn)
	must(t, other.Simple("select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid <> pg_backend_pid() "+
		"and backend_type = 'client backend'", nil))
	err := c.Simple("select 1", nil)
	var failed *pgload.Failed
	if !errors.As(err, &failed) || failed.Code != "57P01" {
		t.Errorf("a backend that was ended: %v", err)
	}
	if err := c.Simple("select 1", nil); err == nil || c.Usable() || !other.Usable() {
		t.Error("it is used on")
	}
}

func gone(t *testing.T, s *postgres.Instance, dsn string) {
	c := dial(t, context.Background(), dsn)
	stopped := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() {
		runtime.GC() // stops all threads, also one that waits for an answer
		stopped <- s.Stop(context.Background())
	})
	err := c.Simple("select pg_sleep(60)", nil)
	var failed *pgload.Failed
	if !errors.Is(err, pgload.ErrClosed) && !errors.As(err, &failed) {
		t.Errorf("a server that went away: %v", err)
	}
	must(t, <-stopped)
}
