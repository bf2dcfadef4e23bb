package enginetest

import (
	"errors"
	"testing"

	"plimsoll/internal/engine"
)

// SetUp sets an engine up if its defaults do not find it, in the user's own cache, where all tests share it: one of
// them does it, others wait. Steps that need root fail the test.
func SetUp(t testing.TB, e engine.Findable) {
	t.Helper()
	p, err := engine.Resolve(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	release, err := engine.Alone(t.Context(), e.Name(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	_, err = e.Find(t.Context(), p)
	var missing *engine.Missing
	if err == nil {
		return
	}
	if !errors.As(err, &missing) {
		t.Fatal(err)
	}
	steps, err := e.(engine.Setup).Setup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if s.Root {
			t.Fatalf("%s is missing\nscripts/setup-tests installs what the tests need", s.Line())
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", s.Does, err)
		}
	}
	if _, err := e.Find(t.Context(), p); err != nil {
		t.Fatalf("after it was set up: %v", err)
	}
}
