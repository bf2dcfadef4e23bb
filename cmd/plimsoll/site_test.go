package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// newSite serves a directory with two sessions and a file that is none.
func newSite(t *testing.T) *site {
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
		if code := start([]string{"import", "--format", "csv", csv, "-o", filepath.Join(dir, name+sessionSuffix)}, strings.NewReader(""), io.Discard, &stderr, os.Getenv); code != exitDone {
			t.Fatalf("code %d: %s", code, &stderr)
		}
	}
	for _, name := range []string{"broken" + sessionSuffix, "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("<b>no session</b>\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &site{app: &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, env: os.Getenv, agent: newAgent()}, dir: dir, local: true}
	s.options.addTo(pflag.NewFlagSet("serve", pflag.ContinueOnError))
	return s
}

// TestSite: the list, the report of one session and of two, and what is refused.
func TestSite(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		method, target, host string
		status               int
		holds, lacks         []string
	}{
		{"GET", "/", "127.0.0.1:7400", 200, []string{`href="report?file=one.plimsoll.jsonl"`, `value="other.plimsoll.jsonl"`, "m1", "m2", "broken.plimsoll.jsonl", "form-action &#39;self&#39;"}, []string{"notes.txt", "<b>no session", "file=broken"}},
		{"GET", "/report?file=one.plimsoll.jsonl", "localhost:7400", 200, []string{"<title>one.plimsoll.jsonl</title>", "put", "GB/s"}, []string{"other.plimsoll.jsonl"}},
		{"GET", "/report?file=one.plimsoll.jsonl&file=other.plimsoll.jsonl", "[::1]:7400", 200, []string{"one.plimsoll.jsonl, other.plimsoll.jsonl", "m1", "m2"}, nil},
		{"GET", "/report", "localhost", 400, []string{"no session is chosen", "hint: "}, nil},
		{"GET", "/report?file=notes.txt", "localhost", 404, []string{`no session "notes.txt" in the list`}, nil},
		{"GET", "/report?file=../one.plimsoll.jsonl", "localhost", 404, []string{"in the list"}, nil},
		{"GET", "/report?file=%2Fetc%2Fpasswd", "localhost", 404, []string{"in the list"}, nil},
		{"GET", "/report?file=broken.plimsoll.jsonl", "localhost", 400, []string{"broken.plimsoll.jsonl"}, nil},
		{"GET", "/else", "localhost", 404, nil, nil},
		{"POST", "/", "localhost", 405, []string{"method not allowed"}, nil},
		{"GET", "/", "sessions.example:7400", 403, []string{"unexpected Host header"}, []string{"one.plimsoll"}},
	} {
		r := httptest.NewRequest(c.method, c.target, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s %s: status %d, want %d: %.300s", c.method, c.target, w.Code, c.status, w.Body)
		}
		for _, text := range c.holds {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s %s lacks %q: %.2000s", c.method, c.target, text, w.Body)
			}
		}
		for _, text := range c.lacks {
			if strings.Contains(w.Body.String(), text) {
				t.Errorf("%s %s has %q", c.method, c.target, text)
			}
		}
	}
}

// TestSiteSeesWhatChanges: a file that has grown is read again, one that is gone is no longer listed.
func TestSiteSeesWhatChanges(t *testing.T) {
	s := newSite(t)
	list := func() string {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Host = "localhost"
		s.ServeHTTP(w, r)
		return w.Body.String()
	}
	if got := list(); !strings.Contains(got, "one.plimsoll.jsonl") {
		t.Fatalf("%.500s", got)
	}
	one, err := os.ReadFile(filepath.Join(s.dir, "one"+sessionSuffix))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "broken"+sessionSuffix), one, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(s.dir, "one"+sessionSuffix)); err != nil {
		t.Fatal(err)
	}
	if got := list(); strings.Contains(got, "one.plimsoll.jsonl") || !strings.Contains(got, "report?file=broken.plimsoll.jsonl") {
		t.Errorf("%.2000s", got)
	}
}

// TestPagesThatNobodyWaitsFor are not made, and keep no other page waiting.
func TestPagesThatNobodyWaitsFor(t *testing.T) {
	s := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	made := false
	if _, err := s.made(ctx, func(io.Writer) error { made = true; return nil }); !errors.Is(err, context.Canceled) || made {
		t.Errorf("%v, made: %t", err, made)
	}
	if err := s.report(ctx, io.Discard, []string{"one" + sessionSuffix}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.index(ctx, io.Discard); !errors.Is(err, context.Canceled) || len(s.known) > 0 {
		t.Errorf("%v, %d files are known", err, len(s.known))
	}
}
