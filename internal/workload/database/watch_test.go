package database

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/pgload"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// watchedServer is a server of ours with a small table, watched.
func watchedServer(t *testing.T, settings string, work []int) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	return rowsServer(t, "settings", settings, work)
}

// rowsServer is a server of ours with a small table, and one parameter of its own.
func rowsServer(t *testing.T, param, value string, work []int) *Server {
	t.Helper()
	s := rows(t, New, workload.Env{Work: work}, record.Params{param: value})
	if _, err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// rows is a server of ours with a small table, before it starts, in a directory of its own.
func rows(t *testing.T, make func(workload.Env, workload.Params, Set) (*Server, error), env workload.Env,
	set record.Params) *Server {
	t.Helper()
	env.Scratch = t.TempDir()
	if err := os.Chmod(filepath.Dir(env.Scratch), 0o711); err != nil {
		t.Fatal(err)
	}
	decl := record.Workload{Name: "watched", Params: Params()}
	p := decl.Defaults()
	maps.Copy(p, set)
	s, err := make(env, workload.NewParams(decl, p), Set{Name: "watched", Key: "rows=1000", Fill: fillRows})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

//nolint:lll // a raw string
func fillRows(ctx context.Context, dsn string, _ int) error {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	// Autovacuum comes for any dead row, and takes seconds over its pages.
	_, err = c.Exec(ctx, `create table rows (id int primary key, n bigint, filler char(500))
with (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 50);
insert into rows select i, 0, '' from generate_series(1, 1000) i`)
	return err
}

// drive runs one statement on some connections for a while, with a pause after each; the lane makes each statement's
// number different.
func drive(t *testing.T, s *Server, clients int, statement string, pause, long time.Duration) load.Result {
	t.Helper()
	return driveOn(t, s, clients, statement, pause, long, func() bool { return false })
}

// driveOn is drive that goes on after that while, until on is false.
func driveOn(t *testing.T, s *Server, clients int, statement string, pause, long time.Duration,
	on func() bool) load.Result {
	t.Helper()
	clock, err := load.NewClock()
	if err != nil {
		t.Fatal(err)
	}
	var conns []*pgload.Conn
	for range clients {
		c, err := s.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	// Each client holds its place among Go's threads while it waits, as in an agent.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(clients + 2))
	r := load.Result{Start: clock.Now()}
	until := r.Start + int64(long)
	var all sync.WaitGroup
	var mu sync.Mutex
	for lane, c := range conns {
		all.Go(func() {
			n, err := repeat(c, lane, statement, pause, func() bool { return clock.Now() < until || on() })
			mu.Lock()
			defer mu.Unlock()
			r.Ops += n
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	r.End = clock.Now()
	r.Windows = load.Windows{StepNs: int64(time.Second), Ops: make([]int64, (r.End-r.Start)/int64(time.Second))}
	return r
}

func repeat(c *pgload.Conn, lane int, statement string, pause time.Duration, on func() bool) (ops int64, err error) {
	prepared, err := c.Prepare(statement)
	if err != nil {
		return 0, err
	}
	var args pgload.Args
	for on() {
		c.Queue(prepared, args.Reset().Int(int64(lane)))
		if err := c.Exchange(nil); err != nil {
			return ops, err
		}
		ops++
		if pause > 0 {
			time.Sleep(pause)
		}
	}
	return ops, nil
}

// said returns a server's extra values by name.
func said(s *Server, r load.Result) map[string]float64 {
	out := map[string]float64{}
	for _, v := range s.Extra(r) {
		out[v.Name] = v.Value
	}
	return out
}

func sum(tracks []workload.Track, name string) int64 {
	total := int64(0)
	for _, t := range tracks {
		if t.Name == name {
			for _, v := range t.Values {
				total += v
			}
		}
	}
	return total
}

const (
	ownRow  = "update rows set n = n + 1 where id = $1 + 1"
	oneRow  = "update rows set n = n + 1 where id = 1 + 0 * $1"
	reading = "select count(*) from rows a, rows b where a.n + b.n >= 0 * $1 and a.id <= 200"
)

// TestWatchSeesWhatHappens: a checkpoint requested during the trial, the writes after it, and the load's own
// transactions.
func TestWatchSeesWhatHappens(t *testing.T) {
	s := watchedServer(t, "synchronous_commit = off\nautovacuum_naptime = 1s", nil)
	var asked happening
	go asked.happen(t.Context(), s)
	r := driveOn(t, s, 2, ownRow, 0, 4*time.Second, func() bool { return !asked.over.Load() })
	if asked.err != nil {
		t.Fatal(asked.err)
	}
	time.Sleep(1200 * time.Millisecond) // backends report their counts at most a second late
	values, tracks, events := said(s, r), s.Timeline(r), s.Events(r)
	if d := watchDoubts(s); len(d) > 0 {
		t.Errorf("doubts: %v", d)
	}
	if got := sum(tracks, record.DBCommits); got <= 0 || got > r.Ops+r.Ops/10+100 {
		t.Errorf("the server counts %d transactions in whole seconds, the load did %d", got, r.Ops)
	}
	if values[record.WALBytesPerOp] < 50 || values[record.PageImagesPerOp] <= 0 || values[record.Checkpoints] != 1 {
		t.Errorf("an update's log, its page images after a checkpoint, and one checkpoint: %v", values)
	}
	if values[record.CacheHit] < 50 || values[record.WatchCPU] <= 0 || values[record.WatchCPU] > 100 {
		t.Errorf("%v", values)
	}
	shares := 0.0
	for _, class := range record.WaitClasses() {
		shares += values[record.WaitShare(class)]
	}
	if shares < 99.8 || shares > 100.2 {
		t.Errorf("the shares of what backends do are %g%% together: %v", shares, values)
	}
	demandEvents(t, events, &asked)
	for _, track := range tracks {
		if len(track.Values) != len(r.Windows.Ops) || track.StepNs != int64(time.Second) {
			t.Errorf("%+v", track)
		}
	}
	t.Logf("%d ops, values %v, events %v", r.Ops, values, events)
}

// happening is a requested checkpoint, and an autovacuum that starts by itself.
type happening struct {
	from, to int64 // of the checkpoint, by the load's clock
	err      error
	over     atomic.Bool
}

// happen asks for the one once the load is on, and waits for the other.
func (h *happening) happen(ctx context.Context, s *Server) {
	defer h.over.Store(true)
	clock, err := load.NewClock()
	if err != nil {
		h.err = err
		return
	}
	c, err := pgx.Connect(ctx, s.DSN())
	if err != nil {
		h.err = err
		return
	}
	defer c.Close(context.WithoutCancel(ctx))
	// "n" is 0 until the load is on.
	for updated := int64(0); updated == 0 && h.err == nil; time.Sleep(20 * time.Millisecond) {
		h.err = c.QueryRow(ctx, "select sum(n) from rows").Scan(&updated)
	}
	time.Sleep(1500 * time.Millisecond)
	h.from = clock.Now()
	if h.err == nil {
		_, h.err = c.Exec(ctx, "checkpoint")
	}
	h.to = clock.Now()
	for seen, deadline := false, time.Now().Add(time.Minute); !seen && h.err == nil; time.Sleep(20 * time.Millisecond) {
		h.err = c.QueryRow(ctx, "select exists (select from pg_stat_activity where backend_type = 'autovacuum worker' and "+
			"query like '%public.rows%')").Scan(&seen)
		if h.err == nil && time.Now().After(deadline) {
			h.err = errors.New("no autovacuum comes")
		}
	}
	time.Sleep(1500 * time.Millisecond) // the watch looks at such things once a second
}

func demandEvents(t *testing.T, events []record.Event, asked *happening) {
	t.Helper()
	begin := slices.IndexFunc(events, func(e record.Event) bool { return e.Name == record.EventCheckpointBegin })
	end := slices.IndexFunc(events, func(e record.Event) bool { return e.Name == record.EventCheckpointEnd })
	if begin < 0 || end < begin || events[begin].Detail != "immediate force wait" ||
		!strings.Contains(events[end].Detail, " buffers, write ") {
		t.Fatalf("the checkpoint that was asked for is not among the events: %+v", events)
	}
	// The server's log has the time of day.
	if at := events[begin].TimeNs; at < asked.from-int64(time.Second) || at > asked.to+int64(time.Second) {
		t.Errorf("the checkpoint began at %d ns, and was asked for and done from %d to %d", at, asked.from, asked.to)
	}
	if !slices.ContainsFunc(events, func(e record.Event) bool {
		return e.Name == record.EventAutovacuumBegin && strings.Contains(e.Detail, "public.rows")
	}) {
		t.Errorf("no autovacuum of the table that is updated: %+v", events)
	}
}

// TestWatchTellsWhatIsWaitedFor plants causes: rows that all want, clients that think, work for the CPU, and a log that
// is slow for whoever commits first dawdles with it.
func TestWatchTellsWhatIsWaitedFor(t *testing.T) {
	s := watchedServer(t, "commit_siblings = 0", nil)
	slow := func(delay string) {
		c, err := pgx.Connect(t.Context(), s.instance.DSN("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		if _, err := c.Exec(t.Context(), "alter role postgres set commit_delay = "+delay); err != nil {
			t.Fatal(err)
		}
	}
	var results []load.Result
	planted := []struct {
		class, statement string
		clients          int
		pause            time.Duration
		delay            string // of a commit, us
	}{
		{record.WaitLock, oneRow, 8, 0, "0"},
		{record.WaitClient, ownRow, 2, 20 * time.Millisecond, "0"},
		{record.WaitCPU, reading, 4, 0, "0"},
		{record.WaitWAL, ownRow, 8, 0, "50000"},
	}
	for _, p := range planted {
		slow(p.delay)
		results = append(results, drive(t, s, p.clients, p.statement, p.pause, 2*time.Second))
	}
	for i, p := range planted {
		values := said(s, results[i])
		// How much it is depends on who else uses the machine; that it is more than wherever something else was planted does
		// not.
		for k := range planted {
			got, there := values[record.WaitShare(p.class)], said(s, results[k])[record.WaitShare(p.class)]
			if k != i && got <= there || got < 5 {
				t.Errorf("%s: %.3g%% of the backends' time, and %.3g where %s was planted: %v", p.class, got, there,
					planted[k].class, values)
			}
		}
		t.Logf("%s: %d ops, %v", p.class, results[i].Ops, values)
	}
	demandQueries(t, s)
	tracks := s.Timeline(results[0])
	if sum(tracks, record.DBEvent("Lock.transactionid"))+sum(tracks, record.DBEvent("Lock.tuple")) == 0 {
		t.Errorf("no series of the lock that was waited for: %v", tracks)
	}
}

// TestWatchOutlivesItsServer: if a server dies during the trial, the samples until then remain, and a doubt.
func TestWatchOutlivesItsServer(t *testing.T) {
	s := watchedServer(t, "", nil)
	r := drive(t, s, 1, ownRow, 0, 1100*time.Millisecond)
	if err := s.instance.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	s.watch.end()
	if d := watchDoubts(s); len(d) != 1 || !strings.Contains(d[0], "watching the server failed before the end") {
		t.Errorf("doubts: %v", d)
	}
	if values := said(s, r); values[record.WALBytesPerOp] <= 0 {
		t.Errorf("nothing is left of what was seen: %v", values)
	}
}

// TestWatchNeedsAConnection: a server without free connections is measured all the same, with a doubt.
func TestWatchNeedsAConnection(t *testing.T) {
	var w watch
	w.begin(t.Context(), "postgres://nobody:x@127.0.0.1:1/none?sslmode=disable", "", nil)
	w.end()
	s := &Server{watch: w}
	if len(watchDoubts(s)) != 1 || s.Extra(load.Result{}) != nil || s.Timeline(load.Result{}) != nil ||
		s.Events(load.Result{}) != nil {
		t.Errorf("%+v", s.watch)
	}
	if !strings.Contains(watchDoubts(s)[0], "was not watched") {
		t.Errorf("%v", watchDoubts(s))
	}
}

// demandQueries: each version's query that the server here can answer is answered.
func demandQueries(t *testing.T, s *Server) {
	t.Helper()
	c := s.watch.watcher.catalog
	if c.version < 130000 || c.pid == 0 || c.database == 0 || c.wal != (c.version >= 140000) ||
		c.io != (c.version >= 160000) ||
		c.checkpointer != (c.version >= 170000) || c.ioBytes != (c.version >= 180000) {
		t.Errorf("%+v", c)
	}
	conn, err := s.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	old := c
	old.wal = false // the query for 13
	if c.version >= 170000 {
		old = c
	}
	for _, q := range []string{c.countersQuery(), old.countersQuery()} {
		rows := 0
		if err := conn.Simple(q, func(int, [][]byte) error { rows++; return nil }); err != nil {
			t.Errorf("%s: %v", q, err)
		}
		if rows != 1 {
			t.Errorf("%s: %d rows", q, rows)
		}
	}
}

func watchDoubts(s *Server) []string {
	s.watch.end()
	return s.watch.doubts
}
