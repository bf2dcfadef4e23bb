package netty_test

import (
	"errors"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/engine/netty"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) { enginetest.Main(m, netty.Engine{}, nil) }

// TestConformance sets the engine up in a cache of its own first, as users do, at night; by day in that of all tests.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs Java and Maven")
	}
	if simtest.Night() {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		setUp(t)
	} else {
		enginetest.SetUp(t, netty.Engine{})
	}
	enginetest.Run(t, netty.Engine{},
		enginetest.Case{Name: "defaults"},
		enginetest.Case{Name: "epoll", Params: record.Params{"transport": "epoll", "body": "1MiB"}},
		enginetest.Case{Name: "TLS", Params: record.Params{"tls": "true"}},
	)
}

func setUp(t *testing.T) {
	t.Helper()
	e := netty.Engine{}
	p, err := engine.Resolve(e, record.Params{"transport": "epoll"})
	if err != nil {
		t.Fatal(err)
	}
	var missing *engine.Missing
	if _, err := e.Find(t.Context(), p); !errors.As(err, &missing) {
		t.Fatalf("in an empty cache: %v, want that it is missing", err)
	}
	steps, err := e.Setup(t.Context())
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
	in, err := e.Find(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("found %+v", in)
}
