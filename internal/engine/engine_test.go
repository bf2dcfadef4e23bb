package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// fake is an engine that only declares parameters.
type fake struct{ Engine }

func (fake) Name() string           { return "fake" }
func (fake) Params() []record.Param { return WebParams() }

func TestResolve(t *testing.T) {
	p, err := Resolve(fake{}, record.Params{"body": "2048", "tls": "1"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Text("body") != "2KiB" || p.Int("body") != 2048 || !p.Bool("tls") || p.Text("none") != "" ||
		p.Number("none") != 0 {
		t.Errorf("resolved %+v", p)
	}
	if p, err = Resolve(fake{}, nil); err != nil || p.Int("body") != 128 || p.Bool("tls") {
		t.Errorf("the defaults are %+v, %v", p, err)
	}
	for _, c := range []struct {
		set  record.Params
		want string
	}{
		{record.Params{"body": "0B"}, "fake: parameter body: 0B is outside 1B to 64MiB"},
		{record.Params{"boddy": "1B"}, "fake: there is no parameter \"boddy\"\nhint: available: body, tls"},
	} {
		if _, err := Resolve(fake{}, c.set); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %q", c.set, err, c.want)
		}
	}
}

func TestKeys(t *testing.T) {
	in := Install{Name: "netty", Version: "4", Uses: []Install{{Name: "java", Version: "17"}}}
	keys := in.Keys()
	if len(keys) != 2 || keys["engine.netty"] != "4" || keys["engine.java"] != "17" {
		t.Errorf("keys %v", keys)
	}
	if u, ok := in.Use("java"); !ok || u.Version != "17" {
		t.Errorf("it uses %v, %t", u, ok)
	}
	if _, ok := in.Use("none"); ok {
		t.Error("it uses what it does not")
	}
}

func TestBody(t *testing.T) {
	for _, n := range []int{0, 1, 35, 36, 37, 100_000} {
		b := Body(n)
		if len(b) != n || n > 36 && (b[0] != '0' || b[35] != 'z' || b[36] != '0') {
			t.Errorf("a body of %d bytes is %d long: %.40q", n, len(b), b)
		}
	}
}

func TestOutputKeepsTheEnd(t *testing.T) {
	var o Output
	if got := o.Last(); got != "; it printed nothing" {
		t.Errorf("of nothing: %q", got)
	}
	for range 1000 {
		o.Write([]byte("a line that is forgotten\n"))
	}
	for range keptLines {
		o.Write([]byte("\x1b[31mkept\n"))
	}
	got := o.Last()
	if strings.Count(got, "kept") != keptLines || strings.Contains(got, "forgotten") || strings.Contains(got, "\x1b") {
		t.Errorf("the last lines are %q", got)
	}
	o.Write([]byte(strings.Repeat("x", 1<<20)))
	if len(o.tail) != keptBytes {
		t.Errorf("%d bytes are kept, want %d", len(o.tail), keptBytes)
	}
}

func TestProgramIsFound(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "thing")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho 1.2 >&2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("THING", "")
	t.Setenv("PATH", t.TempDir())
	var missing *Missing
	if _, _, err := Program("e", "thing", "THING"); !errors.As(err, &missing) ||
		!strings.HasSuffix(err.Error(), "\nhint: plimsoll setup e") {
		t.Errorf("nowhere: %v", err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	if got, from, err := Program("e", "thing", "THING"); got != path || from != "PATH" || err != nil {
		t.Errorf("in PATH: %s, %s, %v", got, from, err)
	}
	t.Setenv("THING", path)
	t.Setenv("PATH", "/bin:/usr/bin")
	if got, from, err := Program("e", "thing", "THING"); got != path || from != "THING" || err != nil {
		t.Errorf("by the variable: %s, %s, %v", got, from, err)
	}
	if text, err := Answer(context.Background(), "e", path); text != "1.2\n" || err != nil {
		t.Errorf("it says %q, %v", text, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Answer(ended, "e", path, "again"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	t.Setenv("THING", "thing")
	if _, _, err := Program("e", "thing", "THING"); err == nil || errors.As(err, &missing) {
		t.Errorf("a variable that is no path: %v, want an error that setting up does not cure", err)
	}
}

// A package manager that is killed at work leaves a broken system: it ends by itself.
func TestWholeStepsAreNotInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	s := Step{Does: "install", Command: []string{"sh", "-c",
		"touch begun; while ! [ -e told ]; do sleep 0.01; done; sleep 0.1; touch ended"}, Dir: dir, Whole: true}
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
		os.WriteFile(filepath.Join(dir, "told"), nil, 0o600)
	}()
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ended")); err != nil {
		t.Error(err)
	}
	os.Remove(filepath.Join(dir, "begun"))
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
		t.Error("it began after it was cancelled")
	}
}

func TestStepsSayWhatFailed(t *testing.T) {
	s := Step{Does: "try", Command: []string{"sh", "-c", "echo $WORD; echo last; exit 3"}, Env: []string{"WORD=first"}}
	err := s.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") ||
		!strings.HasSuffix(err.Error(), "\n  first\n  last") {
		t.Errorf("the step gave %v", err)
	}
	done := false
	s = Step{Do: func(context.Context) error { done = true; return nil }}
	if err := s.Run(t.Context()); err != nil || !done || s.Line() != "" {
		t.Errorf("a step of our own: %v, done: %t, line %q", err, done, s.Line())
	}
}

func TestCacheDir(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for cache, want := range map[string]string{
		"":          "/home/me/.cache/plimsoll/engines/e",
		"relative":  "/home/me/.cache/plimsoll/engines/e",
		"/my/cache": "/my/cache/plimsoll/engines/e",
	} {
		t.Setenv("XDG_CACHE_HOME", cache)
		if got, err := CacheDir("e"); got != want || err != nil {
			t.Errorf("XDG_CACHE_HOME=%s: %s, %v, want %s", cache, got, err, want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	if got, err := CacheDir("e"); err == nil {
		t.Errorf("without a home: %s, want an error", got)
	}
}
