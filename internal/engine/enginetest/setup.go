package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
)

// SetUp sets an engine up where its defaults do not find it, in the user's own cache, where all tests share it: one of
// them does it, others wait. What only root may do is the test's failure.
func SetUp(t testing.TB, e engine.Findable) {
	t.Helper()
	p, err := engine.Resolve(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer alone(t, e.Name())()
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

// alone keeps other tests' processes from setting the same engine up.
func alone(t testing.TB, name string) (release func()) {
	t.Helper()
	dir, err := engine.CacheDir(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".tests"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}
