package enginetest

import (
	"strings"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

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
	if _, err := engine.Resolve(e, record.Params{"no such": "1"}); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
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
