package site

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/session"
)

// TestBounded: sessions of more runs than one analysis takes are refused before they are read, and told what to do.
func TestBounded(t *testing.T) {
	served := served{t: t, dir: t.TempDir()}
	for _, name := range []string{"a", "b"} {
		w := served.start(name, "vm", 1, 1, 2, 3)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.OpenRoot(served.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	s := newSite(t.Context(), dir, Analyses{}, store{})
	for _, c := range []struct {
		most    int
		names   []string
		refused bool
	}{{3, []string{"a"}, false}, {2, []string{"a"}, true}, {5, []string{"a", "b"}, true}, {6, []string{"a", "b"}, false},
		{mostRuns, []string{"a", "b"}, false}} {
		s.mostRuns = c.most
		var names []string
		for _, n := range c.names {
			names = append(names, n+session.Suffix)
		}
		chosen, err := s.chosen(names)
		if err != nil {
			t.Fatal(err)
		}
		err = s.bounded(t.Context(), chosen)
		if (err != nil) != c.refused || c.refused &&
			(!usage.Is(err) || !strings.Contains(err.Error(), "pick fewer sessions")) {
			t.Errorf("%q of at most %d runs: %v", c.names, c.most, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	chosen, _ := s.chosen([]string{"a" + session.Suffix})
	if s.mostRuns = 3; !errors.Is(s.bounded(gone, chosen), context.Canceled) {
		t.Error("it counts for nobody")
	}
}
