// Package enginetest is the conformance suite of engines: found, started twice at once, kept to its CPUs, stopped
// without a trace, and reported when it dies.
package enginetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// Case is one set of parameters to run an engine with.
type Case struct {
	Name   string
	Params record.Params
	// Answers returns an error if the instance does not answer as it should; nil: it is a web server (see Web).
	Answers func(p engine.Params, i engine.Instance) error
}

// Run puts an engine through the suite, by day with its first case, and at night with each: what does not depend on
// parameters need not be shown again, so that the others are started once and answer. It must be installed here; if its
// absence is no fault, the caller skips before. The package's TestMain is Main.
func Run(t *testing.T, e engine.Engine, cases ...Case) {
	t.Run("declaration", func(t *testing.T) { declaration(t, e) })
	for i, c := range cases {
		if c.Answers == nil {
			c.Answers = Web
		}
		parts := []part{{"found", found}, {"answers", answersOnce}}
		if i == 0 || simtest.Night() {
			parts = []part{
				{"found", found},
				{"two at once", twoAtOnce},
				{"placed", placed},
				{"refused", refusedByEnter},
				{"no trace", leavesNoTrace},
				{"context has ended", cancelledStart},
				{"parent dies", parentDies},
			}
		}
		t.Run(c.Name, func(t *testing.T) {
			x := newExam(t, e, c)
			for _, part := range parts {
				t.Run(part.name, func(t *testing.T) { part.run(t, x) })
			}
		})
	}
}

// part is one of the suite.
type part struct {
	name string
	run  func(*testing.T, exam)
}

func answersOnce(t *testing.T, x exam) { x.answers(t, x.start(t, t.Context(), x.settings(t))) }

// exam is one engine and case.
type exam struct {
	engine engine.Engine
	c      Case
	params engine.Params
	in     engine.Install
	warm   *bool // an instance was started before
}

func newExam(t *testing.T, e engine.Engine, c Case) exam {
	t.Helper()
	p, err := engine.Resolve(e, c.Params)
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Find(t.Context(), p)
	var missing *engine.Missing
	if errors.As(err, &missing) {
		t.Fatalf("%v\nscripts/setup-tests installs what the tests need", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return exam{e, c, p, in, new(bool)}
}

// settings returns those of a plain start in a directory of its own.
func (x exam) settings(t *testing.T) engine.Settings {
	return engine.Settings{Params: x.params, Scratch: scratch(t)}
}

// scratch returns a directory that a server of another user can reach.
func scratch(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// start starts an instance, which is stopped when the test ends.
func (x exam) start(t *testing.T, ctx context.Context, s engine.Settings) engine.Instance {
	t.Helper()
	i, err := x.engine.Start(ctx, x.in, s)
	if err != nil {
		t.Fatal(err)
	}
	*x.warm = true
	t.Cleanup(func() {
		if err := i.Stop(context.Background()); err != nil {
			t.Errorf("Stop: %v", err)
		}
	})
	return i
}

func (x exam) answers(t *testing.T, i engine.Instance) {
	t.Helper()
	if err := x.c.Answers(x.params, i); err != nil {
		t.Fatal(err)
	}
}

// declaration checks an engine's name, doc and parameters.
func declaration(t *testing.T, e engine.Engine) {
	if n := e.Name(); n == "" || strings.ToLower(n) != n || strings.ContainsAny(n, " .=") {
		t.Errorf("the name %q is not lower case without spaces, dots and equals signs", n)
	}
	if d := e.Doc(); d == "" || strings.HasSuffix(d, ".") || strings.Contains(d, "\n") {
		t.Errorf("the doc %q is not one line without a full stop", d)
	}
	for _, p := range e.Params() {
		got, err := p.Canonical(p.Default)
		if err != nil || got != p.Default {
			t.Errorf("parameter %s: the default %q is written %q, %v", p.Name, p.Default, got, err)
		}
		if p.Phase != record.Server || p.Doc == "" {
			t.Errorf("parameter %s: phase %q and doc %q, want the phase %q and a doc",
				p.Name, p.Phase, p.Doc, record.Server)
		}
	}
	if _, err := engine.Resolve(e, record.Params{"no such": "1"}); err == nil ||
		!strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("a parameter that is not declared: %v, want an error with a hint", err)
	}
}

// found checks the result of Find.
func found(t *testing.T, x exam) {
	if x.in.Name != x.engine.Name() || x.in.Path == "" || x.in.From == "" {
		t.Errorf("found %+v, want name, path and how it was found", x.in)
	}
	for key, version := range x.in.Keys() {
		if !strings.HasPrefix(key, "engine.") || version == "" {
			t.Errorf("the trial's key %q is %q, want engine.NAME and a version", key, version)
		}
		t.Logf("%s = %s", key, version)
	}
}
