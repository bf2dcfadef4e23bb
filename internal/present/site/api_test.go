package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// hostile stands in every field that a session's writer chooses.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>` + "\u202e"

// start begins a session with some runs on a machine, and leaves it open.
func (s served) start(name, machine string, night int, values ...float64) *session.Writer {
	s.t.Helper()
	w, err := session.Create(filepath.Join(s.dir, name+session.Suffix))
	if err != nil {
		s.t.Fatal(err)
	}
	plan := record.PlanLine{Hash: "plan-" + name,
		Plan: record.Plan{Name: "nightly", Session: name, Margin: .02, Alpha: .05,
			Labels: map[string]string{"build": "main"}}}
	m := record.Machine{Format: record.Format, Name: machine, ID: machine + "-id", Kernel: "6.1",
		Cloud: record.Cloud{Type: "m6g.large"}}
	if err := errors.Join(w.Machine(m), w.Plan(plan)); err != nil {
		s.t.Fatal(err)
	}
	for i, v := range values {
		s.run(w, name, machine, night, i, v)
	}
	return w
}

func (s served) run(w *session.Writer, name, machine string, night, i int, v float64) {
	s.t.Helper()
	load := record.LoadPoint{Kind: record.Closed, Level: 8, Unit: record.ParamClients}
	err := w.Trial(record.Trial{
		ID: fmt.Sprintf("%s-%d", name, i), Slot: record.Slot{Plan: "plan-" + name, Replicate: i + 1},
		Load: load, Start: record.FormatTime(time.Date(2026, 3, 1+night, 2, i, 0, 0, time.UTC)),
		Keys: map[string]string{record.KeyMachine: machine, record.KeyMachineID: machine + "-id",
			record.KeyWorkload: "http", record.KeyLoad: load.Key(), "http.path": "/hello"},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: v}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// session writes a whole session.
func (s served) session(name, machine string, night int, values ...float64) {
	s.t.Helper()
	w := s.start(name, machine, night, values...)
	if err := errors.Join(w.End(record.End{Plan: "plan-" + name, Reason: "done"}), w.Close()); err != nil {
		s.t.Fatal(err)
	}
}

func read[T any](s served, target string) T {
	s.t.Helper()
	got := s.ask("GET", target)
	var out T
	if err := json.Unmarshal([]byte(got.body), &out); err != nil || got.StatusCode != http.StatusOK ||
		got.Header.Get("Content-Type") != "application/json" {
		s.t.Fatalf("%s: status %d, %v: %.300s", target, got.StatusCode, err, got.body)
	}
	return out
}

// sessions reads the rows once all files have been read.
func (s served) sessions(since int64) explore.SessionsDocument {
	s.t.Helper()
	for {
		if doc := read[explore.SessionsDocument](s, fmt.Sprintf("/api/sessions?since=%d", since)); doc.Pending == 0 {
			return doc
		}
	}
}

func rowOf(doc explore.SessionsDocument, name string) *explore.Row {
	at := slices.IndexFunc(doc.Rows, func(r explore.Row) bool { return r.File == name+session.Suffix })
	if at < 0 {
		return nil
	}
	return &doc.Rows[at]
}

// TestRows: a row for each machine of each session; one that cannot be read is there with its reason, and the others
// are whole.
func TestRows(t *testing.T) {
	s := serve(t, Options{NoToken: true, Make: Analyses{TypeOf: func(m record.Machine) string { return m.Cloud.Type }}})
	s.session("a", "m1", 0, 100, 101, 102)
	s.session("b", hostile, 0, 50)
	s.write("empty"+session.Suffix, "")
	doc := s.sessions(0)
	if !doc.Whole || doc.Format != 1 || doc.Dir != s.dir || len(doc.Rows) != 4 || len(doc.Gone) != 0 {
		t.Fatalf("%+v", doc)
	}
	a, b, one, empty := rowOf(doc, "a"), rowOf(doc, "b"), rowOf(doc, "one"), rowOf(doc, "empty")
	if a.State != explore.Done || a.Machine != "m1" || a.Type != "m6g.large" || a.Key == nil || a.Key.N != 3 ||
		a.Key.Lo == nil || a.Labels["build"] != "main" {
		t.Errorf("%+v", a)
	}
	if b.Machine != hostile || b.Key.Value != 50 || b.Key.Lo != nil {
		t.Errorf("%+v", b)
	}
	for _, r := range []*explore.Row{one, empty} {
		if r.State != explore.Unreadable || len(r.Notes) != 1 || r.Key != nil {
			t.Errorf("%+v", r)
		}
	}
}

// TestGrowingSession: a session is running while its writer has it, and each answer has only what changed.
func TestGrowingSession(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	s.session("a", "m1", 0, 100, 101, 102)
	w := s.start("b", "m1", 1, 100)
	first := s.sessions(0)
	if r := rowOf(first, "b"); r.State != explore.Running || r.Runs != 1 || len(r.Notes) > 1 {
		t.Fatalf("%+v", r)
	}
	if doc := s.sessions(first.Revision); doc.Whole || len(doc.Rows)+len(doc.Gone) != 0 || doc.Revision != first.Revision {
		t.Errorf("nothing changed: %+v", doc)
	}
	s.run(w, "b", "m1", 1, 1, 101)
	var doc explore.SessionsDocument
	for doc = s.sessions(first.Revision); len(doc.Rows) == 0; doc = s.sessions(first.Revision) { // read again after a rest
	}
	if r := rowOf(doc, "b"); doc.Whole || len(doc.Rows) != 1 || r.State != explore.Running || r.Runs != 2 ||
		len(doc.Gone) != 1 {
		t.Errorf("%+v", doc)
	}
	if err := errors.Join(w.Close(), os.Remove(filepath.Join(s.dir, "a"+session.Suffix))); err != nil {
		t.Fatal(err)
	}
	last := s.sessions(doc.Revision)
	if r := rowOf(last, "b"); r == nil || r.State != explore.Unfinished {
		t.Errorf("after its writer has ended: %+v", last)
	}
	if !slices.Contains(last.Gone, "a"+session.Suffix) || rowOf(last, "a") != nil {
		t.Errorf("after a file was removed: %+v", last)
	}
}

// indexed returns the index, which has read nothing yet, of a directory with one session.
func indexed(t *testing.T) *index {
	t.Helper()
	s := served{t: t, dir: t.TempDir()}
	s.session("a", "m1", 0, 100, 101, 102)
	dir, err := os.OpenRoot(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return newSite(t.Context(), dir, Analyses{}, store{}).index
}

// TestUnread: what the directory tells is there before any file has been read, and is replaced by what its file says.
func TestUnread(t *testing.T) {
	x := indexed(t)
	held := make(chan bool)
	open := x.open
	x.open = func(path string) (*os.File, error) {
		<-held
		return open(path)
	}
	if err := x.refresh(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	doc := x.since(0)
	if r := rowOf(doc, "a"); doc.Pending != 1 || r == nil || r.State != explore.Unread || r.Bytes == 0 ||
		r.Changed == "" || len(r.Notes) != 0 {
		t.Errorf("%+v", doc)
	}
	close(held)
	if err := x.refresh(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	later := x.since(doc.Revision)
	if r := rowOf(later, "a"); later.Whole || later.Pending != 0 || len(later.Gone) != 1 || r == nil ||
		r.State != explore.Done || r.Runs != 3 {
		t.Errorf("%+v", later)
	}
	x.background.Wait()
}

// TestReadAgain: a file that the machine could not read is read again after a rest, though it is unchanged.
func TestReadAgain(t *testing.T) {
	x, opened := indexed(t), 0
	open := x.open
	x.open = func(path string) (*os.File, error) {
		if opened++; opened < 3 {
			return nil, &fs.PathError{Op: "open", Path: path, Err: unix.EIO}
		}
		return open(path)
	}
	look := func() explore.SessionsDocument {
		if err := x.refresh(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		return x.since(0)
	}
	read := func(at time.Time) {
		x.background.Wait()
		x.mu.Lock()
		defer x.mu.Unlock()
		x.known["a"+session.Suffix].read = at
	}
	first := look()
	if r := rowOf(first, "a"); r == nil || r.State != explore.Unreadable || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "input/output error") {
		t.Errorf("%+v", first)
	}
	read(time.Now().Add(time.Hour))
	if look(); opened != 1 {
		t.Errorf("it was opened %d times without a rest", opened)
	}
	read(time.Now().Add(-2 * retry))
	if again := look(); opened != 2 || again.Revision != first.Revision {
		t.Errorf("opened %d times; what is as it was counts as a change: revision %d, then %d", opened, first.Revision,
			again.Revision)
	}
	read(time.Now().Add(-2 * retry))
	if r := rowOf(look(), "a"); r == nil || r.State != explore.Done || r.Runs != 3 {
		t.Errorf("%+v", r)
	}
	x.background.Wait()
}

// TestHead: of a huge session the table reads the beginning, and says so.
func TestHead(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	s.session("huge", "m1", 0, 100, 101, 102)
	if err := os.Truncate(filepath.Join(s.dir, "huge"+session.Suffix), 2<<30); err != nil {
		t.Fatal(err)
	}
	r := rowOf(s.sessions(0), "huge")
	if r.Runs != 3 || r.Bytes != 2<<30 || !strings.Contains(strings.Join(r.Notes, "; "), "from the first 67 of 2147 MB") {
		t.Errorf("%+v", r)
	}
}

// TestHistoryDocument: the cells that several sessions have, and the nights of one.
func TestHistoryDocument(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	for n := range 12 {
		s.session(fmt.Sprintf("night-%02d", n), "m1", n, 100+float64(n%2)-float64(n/6)*20)
	}
	s.sessions(0)
	doc := read[history.Answer](s, "/api/history")
	if len(doc.Cells) != 1 || doc.Cells[0].Sessions != 12 || doc.Cell != nil {
		t.Fatalf("%+v", doc)
	}
	doc = read[history.Answer](s, "/api/history?cell="+url.QueryEscape(doc.Cells[0].ID))
	if len(doc.Nights) != 12 || len(doc.Changes) != 1 || doc.Changes[0].At != 6 || doc.Changes[0].Better ||
		doc.Alpha != .01 {
		t.Errorf("%+v", doc)
	}
	if got := s.ask("GET", "/api/history?cell="+url.QueryEscape(hostile)); got.StatusCode != http.StatusNotFound ||
		!strings.Contains(got.body, "hint: ") || got.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
}

// TestHistoryFromZero: a level of 0 has no ratio to the next, and the history is there.
func TestHistoryFromZero(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	for n := range 12 {
		s.session(fmt.Sprintf("night-%02d", n), "m1", n, float64(n/6)*5)
	}
	s.sessions(0)
	doc := read[history.Answer](s, "/api/history")
	got := s.ask("GET", "/api/history?cell="+url.QueryEscape(doc.Cells[0].ID))
	var one struct{ Changes []map[string]any }
	if err := json.Unmarshal([]byte(got.body), &one); err != nil || got.StatusCode != http.StatusOK ||
		len(one.Changes) != 1 || one.Changes[0]["ratio"] != nil || one.Changes[0]["after"] != 5. {
		t.Errorf("status %d, %v: %.600s", got.StatusCode, err, got.body)
	}
}

// TestQuestions: what a query asks arrives, sessions are read once for several questions, and each gets its own copy.
func TestQuestions(t *testing.T) {
	var asked []Question
	var logs []*session.Log
	var plans []string
	answer := func(_ context.Context, log *session.Log, q Question) (any, error) {
		asked, logs, plans = append(asked, q), append(logs, log), append(plans, log.Trials[0].Plan)
		before := len(log.Trials)
		log.Trials[0].Plan = "changed"
		return map[string]any{"runs": before}, nil
	}
	s := serve(t, Options{NoToken: true, Make: Analyses{Session: answer, Compare: answer}})
	s.session("a", "m1", 0, 100, 101, 102)
	s.session("b", "m2", 0, 100)
	files := "file=a" + session.Suffix + "&file=b" + session.Suffix
	const prices = "&by=file&baseline=b&price=m1%3D1&price=m2%3D2&demand=5e6&headroom=0.8&failures=2&slo=p99%3D20ms"
	if doc := read[map[string]int](s, "/api/compare?"+files+prices); doc["runs"] != 4 {
		t.Errorf("%+v", doc)
	}
	if doc := read[map[string]int](s, "/api/session?"+files); doc["runs"] != 4 {
		t.Errorf("%+v", doc)
	}
	q := asked[0]
	if len(q.Files) != 2 || q.By != "file" || q.Baseline != "b" || !slices.Equal(q.Prices, []string{"m1=1", "m2=2"}) ||
		*q.Demand != 5e6 || *q.Headroom != .8 || *q.Failures != 2 || !slices.Equal(q.SLO, []string{"p99=20ms"}) {
		t.Errorf("%+v", q)
	}
	if q = asked[1]; q.Demand != nil || q.Headroom != nil || q.Failures != nil || plans[1] != "plan-a" ||
		&logs[0].Trials[0] == &logs[1].Trials[0] {
		t.Errorf("%+v, the first run is of plan %q", q, plans[1])
	}
	if &logs[0].Ends[0] != &logs[1].Ends[0] {
		t.Error("the same files were read twice")
	}
	for target, status := range map[string]int{
		"/api/compare": 400, "/api/compare?file=none" + session.Suffix: 404, "/api/compare?" + files + "&demand=much": 400,
		"/api/compare?" + files + "&failures=1.5": 400,
		"/api/compare?" + files + "&prise=1":      400, "/api/session?" + files + "&baseline=b": 400,
		"/api/sessions?since=x": 400, "/api/else": 404, "/api/": 404,
		"/api/compare?file=one" + session.Suffix: 400, "/api/compare?file=../a" + session.Suffix: 404, "/assets/": 404,
		"/assets/../explorer.js": 404, "/assets/none.js": 404,
	} {
		if got := s.ask("GET", target); got.StatusCode != status {
			t.Errorf("%s: status %d, want %d: %s", target, got.StatusCode, status, got.body)
		}
	}
}

// TestKeptSummaries: another start reads no unchanged file again, unless another program made the summaries, or they
// are damaged.
func TestKeptSummaries(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "cache", "explorer.json")
	first := serve(t, Options{NoToken: true, keep: store{keep, "p1"}})
	first.session("a", "m1", 0, 100, 101, 102)
	first.sessions(0)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(keep); err == nil && strings.Contains(string(text), "m1") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is kept")
		}
	}
	text, err := os.ReadFile(keep)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.OpenRoot(first.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	reads := func(program, kept string) int64 {
		if err := os.WriteFile(keep, []byte(kept), 0o600); err != nil {
			t.Fatal(err)
		}
		var n atomic.Int64
		x := &index{ctx: t.Context(), dir: &directory{root: dir}, gone: map[string]int64{}, store: store{keep, program},
			open: func(path string) (*os.File, error) {
				n.Add(1)
				return os.Open(path)
			}}
		if err := x.refresh(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if r := rowOf(x.since(0), "a"); r == nil || r.Key == nil || r.Key.N != 3 {
			t.Errorf("%+v", r)
		}
		x.background.Wait() // the next one's summaries are not to be written over
		return n.Load()
	}
	whole := string(text)
	if n := reads("p1", whole); n != 1 { // the one that cannot be read
		t.Errorf("%d files are read", n)
	}
	for program, kept := range map[string]string{"p2": whole, "p1": whole[:len(whole)/2]} {
		if n := reads(program, kept); n != 2 {
			t.Errorf("%s: %d files are read", program, n)
		}
	}
	if info, err := os.Stat(keep); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestKeptBesideUnread: a file that appears while others are read has no summary yet. The others are kept.
func TestKeptBesideUnread(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "explorer.json")
	dir := t.TempDir()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := &index{ctx: t.Context(), store: store{keep, "p"}, unsaved: true, known: map[string]*entry{
		"read":   {info: info, kept: explore.Kept{File: explore.File{Name: "read"}}},
		"unread": {kept: explore.Kept{File: explore.File{Name: "unread"}}}}}
	x.read(nil, nil, make(chan struct{}))
	if kept := x.store.load(); len(kept) != 1 || kept["read"] == nil {
		t.Errorf("%v", kept)
	}
}

// TestKeepIn: each directory has a file of its own, and none is kept without a cache folder.
func TestKeepIn(t *testing.T) {
	kept := func(dir, cache string) store {
		o := Options{Dir: dir}
		o.KeepIn(cache, "dev")
		return o.keep
	}
	one := kept("/srv/one", "/cache")
	if !strings.HasPrefix(one.path, "/cache/explorer-") || one.program == "" || one == kept("/srv/other", "/cache") ||
		one != kept("/srv/x/../one", "/cache") {
		t.Errorf("%+v", one)
	}
	if none := kept("/srv/one", ""); none != (store{}) {
		t.Errorf("%+v", none)
	}
}

// TestFolders: sessions in folders are served by their path below the directory; hidden folders are not.
func TestFolders(t *testing.T) {
	s := serve(t, Options{NoToken: true})
	for _, dir := range []string{"u1/deep", ".git"} {
		if err := os.MkdirAll(filepath.Join(s.dir, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		s.write(dir+"/night"+session.Suffix, "contents of "+dir)
	}
	doc := s.sessions(0)
	if rowOf(doc, "u1/deep/night") == nil || rowOf(doc, ".git/night") != nil || rowOf(doc, "one") == nil {
		t.Errorf("%+v", doc.Rows)
	}
	if got := s.ask("GET", "/report?file=u1/deep/night"+session.Suffix); got.StatusCode != http.StatusOK ||
		got.body != "contents of u1/deep" {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
	for _, name := range []string{".git/night", "../results/one", "u1/../one"} {
		if got := s.ask("GET", "/report?file="+name+session.Suffix); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", name, got.StatusCode)
		}
	}
}
