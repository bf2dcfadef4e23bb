package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"

	"plimsoll/internal/session"
	"plimsoll/internal/site"
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
		if code := start([]string{"import", "--format", "csv", csv, "-o", filepath.Join(dir, name+session.Suffix)}, strings.NewReader(""), io.Discard, &stderr, os.Getenv); code != exitDone {
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
	return &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, env: os.Getenv, agent: newAgent()}, o
}

// newSite serves such a directory, and returns it with a function that gets a page.
func newSite(t *testing.T) (string, func(target string) (int, string)) {
	t.Helper()
	dir := sessionsDir(t)
	a, o := quiet()
	ctx, cancel := context.WithCancel(t.Context())
	started, ended := make(chan string, 1), make(chan error, 1)
	door := site.Options{Dir: dir, At: netip.MustParseAddrPort("127.0.0.1:0"), NoToken: true, Page: a.sitePage(o)}
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
	return dir, func(target string) (int, string) {
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
}

// TestSite: the list, the report of one session and of two, and what is refused.
func TestSite(t *testing.T) {
	_, get := newSite(t)
	for _, c := range []struct {
		target       string
		status       int
		holds, lacks []string
	}{
		{"/", 200, []string{`href="report?file=one.plimsoll.jsonl"`, `value="other.plimsoll.jsonl"`, "m1", "m2", "broken.plimsoll.jsonl", "form-action &#39;self&#39;"}, []string{"notes.txt", "<b>no session", "file=broken"}},
		{"/report?file=one.plimsoll.jsonl", 200, []string{"<title>one.plimsoll.jsonl</title>", "put", "GB/s"}, []string{"other.plimsoll.jsonl"}},
		{"/report?file=one.plimsoll.jsonl&file=other.plimsoll.jsonl", 200, []string{"one.plimsoll.jsonl, other.plimsoll.jsonl", "m1", "m2"}, nil},
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
	list := func() string { _, body := get("/"); return body }
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
	if got := list(); strings.Contains(got, "one.plimsoll.jsonl") || !strings.Contains(got, "report?file=broken.plimsoll.jsonl") {
		t.Errorf("%.2000s", got)
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
		err = a.sitePage(o)(ctx, &page, func(path string) (*os.File, error) { return os.Open(path) }, paths)
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
