package database

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestQueriesByVersion: each version's query uses the views that it has, with the same columns.
func TestQueriesByVersion(t *testing.T) {
	for _, c := range []struct {
		catalog
		has, hasNot []string
	}{
		{catalog{version: 130000}, []string{"b.checkpoints_timed", "buffers_backend"},
			[]string{"pg_stat_wal", "pg_stat_io", "pg_stat_checkpointer"}},
		{catalog{version: 140000, wal: true}, []string{"w.wal_fpi", "b.checkpoints_req"}, []string{"pg_stat_io"}},
		{catalog{version: 160000, wal: true, io: true}, []string{"w.wal_fpi", "buffers_backend"},
			[]string{"pg_stat_io", "pg_stat_checkpointer"}},
		{catalog{version: 170000, wal: true, io: true, checkpointer: true},
			[]string{"p.num_timed", "p.num_requested", "p.buffers_written", "writes"},
			[]string{"buffers_backend", "write_bytes"}},
		{catalog{version: 180000, wal: true, io: true, ioBytes: true, checkpointer: true},
			[]string{"p.num_timed", "write_bytes", "block_size"}, []string{"b.checkpoints", "coalesce(writes"}},
	} {
		q := c.countersQuery()
		for _, word := range c.has {
			if !strings.Contains(q, word) {
				t.Errorf("%d: %s lacks %s", c.version, q, word)
			}
		}
		for _, word := range c.hasNot {
			if strings.Contains(q, word) {
				t.Errorf("%d: %s has %s", c.version, q, word)
			}
		}
		list, _, _ := strings.Cut(strings.TrimPrefix(q, "select "), " from (select * from pg_catalog.pg_stat_database")
		depth, columns := 0, 1
		for _, r := range list {
			switch {
			case r == '(':
				depth++
			case r == ')':
				depth--
			case r == ',' && depth == 0:
				columns++
			}
		}
		if columns != counters {
			t.Errorf("%d: %d columns, want %d: %s", c.version, columns, counters, list)
		}
	}
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "0": 0, "17": 17, "-3": -3, "123456789012345678": 123456789012345678} {
		if got, ok := whole([]byte(text)); !ok || got != want {
			t.Errorf("%q: %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{"-", "1.5", " 1", "1e3", "1234567890123456789"} {
		if got, ok := whole([]byte(text)); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
	if err := numbers([][]byte{[]byte("1")}, make([]int64, 2)); err == nil {
		t.Error("a column too few is taken")
	}
	if err := numbers([][]byte{[]byte("x")}, make([]int64, 1)); err == nil {
		t.Error("a word is taken for a number")
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct{ state, kind, event, want string }{
		{"active", "", "", record.WaitCPU}, {"idle", "", "", record.WaitClient},
		{"idle in transaction", "Client", "ClientRead", record.WaitClient},
		{"active", "Client", "ClientWrite", record.WaitClient}, {"active", "IO", "DataFileRead", record.WaitIO},
		{"active", "IO", "WALSync", record.WaitWAL},
		{"active", "IO", "WalSync", record.WaitWAL}, {"active", "LWLock", "WALWrite", record.WaitWAL},
		{"active", "LWLock", "WALInsert", record.WaitWAL},
		{"active", "LWLock", "BufferMapping", record.WaitLWLock}, {"active", "BufferPin", "BufferPin", record.WaitLWLock},
		{"active", "Lock", "transactionid", record.WaitLock}, {"active", "IPC", "SyncRep", record.WaitStandby},
		{"active", "Timeout", "PgSleep", record.WaitOther},
		{"active", "Activity", "WalSenderMain", record.WaitOther},
	} {
		if got := classOf(c.state, c.kind, c.event); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if len(record.WaitClasses()) != waitClasses {
		t.Errorf("%d classes, room for %d", len(record.WaitClasses()), waitClasses)
	}
}

// TestServerLog: lines as 13, 15 and 17 print them, in any pieces; text within a statement is no checkpoint.
func TestServerLog(t *testing.T) {
	text := "2026-01-01 10:00:00.123 UTC [17] LOG:  checkpoint starting: wal\n" +
		"2026-01-01 10:00:27.1 UTC [17] LOG:  checkpoint complete: wrote 3110 buffers (19.0%); 0 WAL file(s) added, 0 " +
		"removed, 2 recycled; write=26.950 s, sync=0.003 s, total=27.001 s; sync files=5, longest=0.001 s, average=0.001 " +
		"s; distance=1 kB, estimate=2 kB\n" +
		"LOG:  checkpoint starting: immediate force wait\n" +
		"LOG:  checkpoint complete: wrote 3 buffers (0.0%), wrote 2 SLRU buffers; 0 WAL file(s) added, 0 removed, 0 " +
		"recycled; write=0.1 s, sync=0.2 s, total=0.3 s; lsn=0/1\n" +
		"LOG:  statement: select 'LOG:  checkpoint starting: wal -- '\n" +
		"LOG:  checkpoint starting: \n" + strings.Repeat("x", 3*longestLine) +
		" LOG:  checkpoint starting: time\nLOG:  checkpoint starting: tim"
	want := "checkpoint_begin wal, checkpoint_end 3110 buffers, write 26.950 s, sync 0.003 s, checkpoint_begin " +
		"immediate force wait, " +
		"checkpoint_end 3 buffers, write 0.1 s, sync 0.2 s, checkpoint_begin requested"
	for _, size := range []int{1, 7, 100, len(text)} {
		at := int64(0)
		l := serverLog{now: func() int64 { at++; return at }}
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			if got, err := l.Write(rest[:n]); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		var got []string
		for i, e := range l.events() {
			got = append(got, e.Name+" "+e.Detail)
			if e.TimeNs != int64(i+1) {
				t.Errorf("%+v", e)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("in pieces of %d: %s", size, strings.Join(got, ", "))
		}
	}
}

func FuzzServerLog(f *testing.F) {
	f.Add([]byte("LOG:  checkpoint starting: wal\nLOG:  checkpoint complete: wrote 1 buffers x write=1 s, sync=1 "+
		"s, total=1 s"), 3)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = max(0, min(cut, len(text)))
		whole, parts := serverLog{now: func() int64 { return 1 }}, serverLog{now: func() int64 { return 1 }}
		_, _ = whole.Write(text)
		_, _ = parts.Write(text[:cut])
		_, _ = parts.Write(text[cut:])
		if !slices.Equal(whole.events(), parts.events()) {
			t.Errorf("%v, in two pieces %v", whole.events(), parts.events())
		}
	})
}

// sampled is a watcher's samples: a counter that rises by 100 a second from 0, sampled late and unevenly, and looks of
// three backends.
func sampled() watched {
	w := watched{catalog: catalog{wal: true}}
	for _, at := range []float64{0, 1.1, 2, 3.4, 5} {
		c := counted{at: int64(at * 1e9), cost: int64(at * 5e6)}
		for i := range c.n {
			c.n[i] = int64(100 * at)
		}
		c.own = int64(10 * at)
		w.counted = append(w.counted, c)
	}
	for i := range 50 {
		w.begin()
		row := func(vacuum, state, kind, event, words, n string) {
			_ = w.row(0, [][]byte{[]byte(vacuum), []byte(state), []byte(kind), []byte(event), []byte(words), []byte(n)})
		}
		row("0", "active", "Lock", "tuple", "", "2")
		row("0", "idle", "Client", "ClientRead", "", "1")
		if i >= 20 && i < 25 {
			row("1", "active", "", "", "autovacuum: VACUUM a", "1")
		}
		w.finish(int64(i) * 1e8)
	}
	return w
}

func TestTracks(t *testing.T) {
	w := sampled()
	got := map[string][]int64{}
	for _, track := range w.tracks(1e9, 1e9, 3) {
		got[track.Name] = track.Values
	}
	for name, want := range map[string][]int64{
		record.DBWALBytes: {100, 100, 100}, record.DBCommits: {90, 90, 90}, record.DBWait(record.WaitLock): {20, 20, 20},
		record.DBWait(record.WaitClient): {10, 10, 10}, record.DBEvent("Lock.tuple"): {20, 20, 20}, record.DBAutovacuum: {0,
			1, 0},
		record.DBCheckpoints: {200, 200, 200},
	} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	if _, ok := got[record.DBWait(record.WaitCPU)]; ok {
		t.Error("a series that is 0 throughout is there")
	}
	if _, ok := got[record.DBEvent("Client.ClientRead")]; ok {
		t.Error("what waits for the client has a series of its own")
	}
	if n := len(w.tracks(1e9, 1e9, 0)); n > 0 {
		t.Errorf("%d series of no time", n)
	}
}

// TestCountersThatGoBack: statistics that are reset in mid-trial give no negative rates.
func TestCountersThatGoBack(t *testing.T) {
	w := sampled()
	for i := 3; i < len(w.counted); i++ {
		w.counted[i].n[countWAL] -= 300
	}
	for _, track := range w.tracks(0, 1e9, 5) {
		if slices.Min(track.Values) < 0 {
			t.Errorf("%+v", track)
		}
	}
}

func TestExtra(t *testing.T) {
	w := sampled()
	got := map[string]float64{}
	for _, v := range w.extra(1e9, 4e9, 30) {
		got[v.Name] = v.Value
		if v.Doc != "" {
			t.Errorf("%+v has a doc, which no file holds", v)
		}
	}
	want := map[string]float64{
		record.WALBytesPerOp: 10, record.PageImagesPerOp: 10, record.CacheHit: 50, record.WaitShare(record.WaitLock): 66.67,
		record.WaitShare(record.WaitClient): 33.33, record.WatchCPU: .5,
	}
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %v, want %g", name, got[name], v)
		}
	}
	if v := w.extra(4e9, 4e9, 30); v != nil {
		t.Errorf("of no time: %v", v)
	}
	for name := range got {
		if !slices.ContainsFunc(WatchMetrics(), func(m record.Metric) bool { return m.Name == name }) {
			t.Errorf("%s is not declared", name)
		}
	}
}

// TestEvents: events that began before the trial and continue in it are reported, finished ones are not.
func TestEvents(t *testing.T) {
	w := sampled()
	log := []record.Event{
		{TimeNs: 1, Name: record.EventCheckpointBegin, Detail: "time"}, {TimeNs: 2, Name: record.EventCheckpointEnd},
		{TimeNs: 5, Name: record.EventCheckpointBegin, Detail: "wal"}, {TimeNs: 3e9, Name: record.EventCheckpointEnd},
		{TimeNs: 35e8, Name: record.EventCheckpointBegin, Detail: "xlog"}, {TimeNs: 45e8, Name: record.EventCheckpointEnd},
	}
	told := func(events []record.Event) string {
		var out []string
		for _, e := range events {
			out = append(out, fmt.Sprintf("%s at %g", e.Name, float64(e.TimeNs)/1e9))
		}
		return strings.Join(out, ", ")
	}
	want := "checkpoint_begin at 5e-09, autovacuum_begin at 2, autovacuum_end at 2.5, checkpoint_end at 3, " +
		"checkpoint_begin at 3.5"
	if got := told(w.eventsWithin(log, 1e9, 4e9)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := w.begun(log, 1e9, 4e9); n != 1 {
		t.Errorf("%d checkpoints began, want 1", n)
	}
	// Without a log the counters tell: here each rises in every sample.
	if got := w.checkpoints(nil); len(got) != 3*(len(w.counted)-1) || got[1].Detail != "time" ||
		got[2].Detail != "requested" {
		t.Errorf("%+v", got)
	}
}

// TestLooksAllocateLittle: known activities cost no more than their places in the lists.
func TestLooksAllocateLittle(t *testing.T) {
	w := sampled()
	w.samples, w.seen = slices.Grow(w.samples, 2000), slices.Grow(w.seen, 4000)
	rows := [][][]byte{
		{[]byte("0"), []byte("active"), []byte("Lock"), []byte("tuple"), nil, []byte("12")},
		{[]byte("0"), []byte("idle"), []byte("Client"), []byte("ClientRead"), nil, []byte("3")},
	}
	at := int64(1e10)
	if n := testing.AllocsPerRun(1000, func() {
		w.begin()
		for i := range rows {
			_ = w.row(0, rows[i])
		}
		at += 1e8
		w.finish(at)
	}); n > 0 {
		t.Errorf("%g allocations a look", n)
	}
}

// TestStandout: tables that transactions read as a whole, not small ones, nor those that were read before; connections
// of others idle in a transaction, which are not at work.
func TestStandout(t *testing.T) {
	w := watched{}
	for _, commits := range []int64{100, 300} {
		c := counted{own: commits / 10}
		c.n[countCommits] = commits
		w.counted = append(w.counted, c)
	}
	w.scans = [2]map[string]scanned{
		{"old": {5, 1e6}, "orders": {10, 500_000}},
		{"old": {5, 1e6}, "orders": {190, 9_500_000}, "new": {9, 9000}, "tiny": {200, 2000}, "once": {1, 1e6}},
	}
	for range 10 {
		w.begin()
		for _, row := range [][]string{{"2", "idle in transaction", "Client", "ClientRead", "worker", "3"},
			{"2", "idle in transaction (aborted)", "", "", "", "1"}, {"2", "active", "", "", "", "2"}} {
			var columns [][]byte
			for _, text := range row {
				columns = append(columns, []byte(text))
			}
			if err := w.row(0, columns); err != nil {
				t.Fatal(err)
			}
		}
		w.finish(1)
	}
	got := w.standout()
	want := record.Database{Scans: []record.Scan{{Table: "orders", PerOp: 1, RowsRead: 50_000}, {Table: "new", PerOp: .05,
		RowsRead: 50}}, Open: []record.OpenTransactions{{Name: "worker", Count: 3}, {Name: "", Count: 1}}}
	if got == nil || !slices.Equal(got.Scans, want.Scans) || !slices.Equal(got.Open, want.Open) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if busy := w.busy(2); busy != 2 {
		t.Errorf("%g backends of others at work, want 2", busy)
	}
	w.catalog.unread[countCommits], w.open = true, nil
	if got := w.standout(); got != nil {
		t.Errorf("nothing is known, and %+v is told", got)
	}
}
