package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/present/site"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
)

// sessionsDir returns a directory with two sessions and a file that is none.
func sessionsDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, machine := range map[string]string{"one": "m1", "other": "m2"} {
		csv := filepath.Join(t.TempDir(), name+".csv")
		text := "machine,workload,replicate,load,metric,value,unit\n"
		for _, row := range []string{"1,32,throughput,4.0", "2,32,throughput,4.1", "3,32,throughput,4.2"} {
			text += machine + ",put," + row + ",GB/s\n"
		}
		if err := os.WriteFile(csv, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		if code := start([]string{"import", "--format", "csv", csv, "-o", filepath.Join(dir, name+session.Suffix)},
			strings.NewReader(""), io.Discard, &stderr, os.Getenv); code != exitDone {
			t.Fatalf("code %d: %s", code, &stderr)
		}
	}
	for _, name := range []string{"broken" + session.Suffix, "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("<b>no session</b>\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func quiet() (*app, reportOptions) {
	var o reportOptions
	o.addTo(pflag.NewFlagSet("serve", pflag.ContinueOnError))
	return &app{stdin: strings.NewReader(""), stdout: io.Discard, said: io.Discard, stderr: io.Discard, env: os.Getenv,
		agent: newAgent()}, o
}

// newSite serves such a directory, and returns it with a function that gets a page, and a document once it has all
// files.
func newSite(t *testing.T) (string, func(target string) (int, string)) {
	t.Helper()
	dir := sessionsDir(t)
	a, o := quiet()
	ctx, cancel := context.WithCancel(t.Context())
	started, ended := make(chan string, 1), make(chan error, 1)
	door := site.Options{Dir: dir, At: netip.MustParseAddrPort("127.0.0.1:0"), NoToken: true,
		Make: a.analyses(o, newAsides(t.Context(), io.Discard))}
	go func() {
		ended <- site.Serve(ctx, door, io.Discard, func(url string) { started <- strings.TrimSuffix(url, "/") })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	at := <-started
	unread := regexp.MustCompile(`"pending":[1-9]`)
	get := func(target string) (int, string) {
		got, err := http.Get(at + target)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		body, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		return got.StatusCode, string(body)
	}
	return dir, func(target string) (status int, body string) {
		for end := time.Now().Add(patience); time.Now().Before(end); {
			if status, body = get(target); !unread.MatchString(body) {
				break
			}
		}
		return status, body
	}
}

// TestSite: the explorer, its data, the report of one session and of two, and what is refused.
func TestSite(t *testing.T) {
	_, get := newSite(t)
	for _, c := range []struct {
		target       string
		status       int
		holds, lacks []string
	}{
		{"/", 200, []string{"<title>Plimsoll</title>", "/assets/explorer.js"}, []string{"one.plimsoll"}},
		{"/api/sessions", 200, []string{`"file":"one.plimsoll.jsonl"`, `"machine":"m2"`,
			`"file":"broken.plimsoll.jsonl","state":"unreadable"`}, []string{"notes.txt", "<b>no session"}},
		{"/api/session?file=one.plimsoll.jsonl", 200, []string{`"machine": "m1"`, `"unit": "B/s"`, `"answer": [`},
			[]string{"m2"}},
		{"/api/session?file=broken.plimsoll.jsonl", 400, []string{"broken.plimsoll.jsonl"}, nil},
		{"/report?file=one.plimsoll.jsonl", 200, []string{"<title>put: ", "one.plimsoll.jsonl", "GB/s"},
			[]string{"other.plimsoll.jsonl"}},
		{"/report?file=one.plimsoll.jsonl&file=other.plimsoll.jsonl", 200,
			[]string{"one.plimsoll.jsonl, other.plimsoll.jsonl", "m1", "m2"}, nil},
		{"/report", 400, []string{"no session is chosen", "hint: "}, nil},
		{"/report?file=notes.txt", 404, []string{`no session "notes.txt" in the list`}, nil},
		{"/report?file=../one.plimsoll.jsonl", 404, []string{"in the list"}, nil},
		{"/report?file=%2Fetc%2Fpasswd", 404, []string{"in the list"}, nil},
		{"/report?file=broken.plimsoll.jsonl", 400, []string{"broken.plimsoll.jsonl"}, nil},
		{"/else", 404, nil, nil},
	} {
		status, body := get(c.target)
		if status != c.status {
			t.Errorf("%s: status %d, want %d: %.300s", c.target, status, c.status, body)
		}
		for _, text := range c.holds {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %q: %.2000s", c.target, text, body)
			}
		}
		for _, text := range c.lacks {
			if strings.Contains(body, text) {
				t.Errorf("%s has %q", c.target, text)
			}
		}
	}
}

// TestSiteSeesWhatChanges: a file that has grown is read again, one that is gone is no longer listed.
func TestSiteSeesWhatChanges(t *testing.T) {
	dir, get := newSite(t)
	list := func() string { _, body := get("/api/sessions"); return body }
	if got := list(); !strings.Contains(got, "one.plimsoll.jsonl") {
		t.Fatalf("%.500s", got)
	}
	one, err := os.ReadFile(filepath.Join(dir, "one"+session.Suffix))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken"+session.Suffix), one, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "one"+session.Suffix)); err != nil {
		t.Fatal(err)
	}
	got := list()
	// a file that was read just now rests
	for end := time.Now().Add(patience); strings.Contains(got, "unreadable") && time.Now().Before(end); got = list() {
	}
	if strings.Contains(got, "one.plimsoll.jsonl") || strings.Contains(got, "unreadable") ||
		!strings.Contains(got, "broken.plimsoll.jsonl") {
		t.Errorf("%.2000s", got)
	}
}

// TestSiteCompares: sides, prices, demands, objectives and baselines of a request decide the document, and what cannot
// be met or is nonsense does not cost the rest.
func TestSiteCompares(t *testing.T) {
	dir, get := newSite(t)
	for _, name := range []string{"rates", "factors"} {
		text, err := os.ReadFile(filepath.Join("testdata", "corpus", name, "session"+session.Suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+session.Suffix), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(query string) (out explore.SidesDocument) {
		status, body := get("/api/compare?" + query)
		if err := json.Unmarshal([]byte(body), &out); err != nil || status != 200 {
			t.Fatalf("%s: status %d, %v: %.500s", query, status, err, body)
		}
		return out
	}
	perDollar := func(d explore.SidesDocument) float64 {
		for _, v := range d.Compared.Pairs[0].Verdicts {
			if v.Per == "dollar" && v.Metric == "max_sustained" {
				return v.Ratio
			}
		}
		t.Fatal("no verdict per dollar")
		return 0
	}
	const rates = "file=rates" + session.Suffix
	usual := ask(rates)
	if !slices.Equal(usual.Sides, []string{"c6i.2xlarge", "c7g.2xlarge"}) || usual.By != "machine" ||
		len(usual.Answer) == 0 || len(usual.Shown.Cells) == 0 {
		t.Errorf("%+v", usual)
	}
	if dearer := ask(rates + "&price=c7g.2xlarge=0.58"); math.Abs(perDollar(dearer)/perDollar(usual)-.5) > .01 {
		t.Errorf("at twice its price: %g per dollar, %g before", perDollar(dearer), perDollar(usual))
	}
	if turned := ask(rates + "&baseline=c7g.2xlarge"); turned.Sides[0] != "c7g.2xlarge" {
		t.Errorf("%q", turned.Sides)
	}
	if fleet := ask(rates + "&demand=5e4&failures=2"); !strings.Contains(strings.Join(fleet.Answer, " "), "12 machines") {
		t.Errorf("%q", fleet.Answer)
	}
	if endless := ask(rates + "&demand=1e300"); len(endless.Compared.Pairs) != 1 || len(endless.Shown.Cells) == 0 {
		t.Errorf("a demand that nobody can meet: %+v", endless.Problems)
	}
	if free := ask(rates + "&price=c6i.2xlarge=0"); len(free.Compared.Pairs) != 1 || !free.Compared.Pairs[0].BasisA.Free ||
		!slices.ContainsFunc(free.Compared.Pairs[0].Warnings, func(n note.Note) bool { return n.Code == "costs-nothing" }) {
		t.Errorf("a machine that costs nothing: %+v", free.Compared.Pairs)
	}
	if none := ask("file=one" + session.Suffix + "&demand=5e4"); len(none.Compared.Pairs) != 0 ||
		len(none.Shown.Cells) == 0 || !strings.Contains(strings.Join(none.Problems, " "), "load line") {
		t.Errorf("%q", none.Problems)
	}
	if factors := ask("file=factors" + session.Suffix); len(factors.Axes) == 0 ||
		!strings.HasPrefix(factors.Axes[0], "http.") && !strings.HasPrefix(factors.Axes[0], "factor.") {
		t.Errorf("%q", factors.Axes)
	}
	for _, query := range []string{"&price=c6i.2xlarge=-1", "&price=nobody=1", "&demand=-1", "&demand=NaN", "&slo=p0=1",
		"&baseline=nobody", "&by=nobody", "&headroom=7", "&demand=1&failures=-1"} {
		if status, body := get("/api/compare?" + rates + query); status != 400 || !strings.Contains(body, "hint: ") &&
			!strings.Contains(body, "such as") {
			t.Errorf("%s: status %d: %.300s", query, status, body)
		}
	}
}

// endsAfter is a context that ends when it has been looked at some times.
type endsAfter struct {
	context.Context
	left *atomic.Int64
}

func (c endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestReportsEndAnywhere: a report that nobody waits for ends with its context's error wherever it is, and never with a
// page of half the findings.
func TestReportsEndAnywhere(t *testing.T) {
	simtest.Long(t)
	dir := sessionsDir(t)
	profiled := filepath.Join(dir, "profiled"+session.Suffix)
	w, err := session.Create(profiled)
	if err == nil {
		err = errors.Join(writeMadeProfiles(w, madePlan()), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	a, o := quiet()
	paths := []string{filepath.Join(dir, "one"+session.Suffix), filepath.Join(dir, "other"+session.Suffix), profiled}
	end := func(looks int64) (left int64, page bytes.Buffer, err error) {
		ctx := endsAfter{t.Context(), new(atomic.Int64)}
		ctx.left.Store(looks)
		make := a.sitePage(o, newAsides(t.Context(), io.Discard))
		err = make(ctx, &page, func(path string) (*os.File, error) { return os.Open(path) }, paths)
		return ctx.left.Load(), page, err
	}
	const plenty, tries = 1 << 40, 40
	left, page, err := end(plenty)
	if err != nil || page.Len() == 0 {
		t.Fatalf("%v, %d bytes", err, page.Len())
	}
	for try := range int64(tries) {
		looks := (plenty - left) * try / tries
		if _, page, err := end(looks); !errors.Is(err, context.Canceled) || page.Len() > 0 {
			t.Errorf("after %d looks: %v, %d bytes", looks, err, page.Len())
		}
	}
	if looks := plenty - left; looks < 2*tries {
		t.Errorf("it looked %d times", looks)
	}
}
