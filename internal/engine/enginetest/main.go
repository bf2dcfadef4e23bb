package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"plimsoll/internal/engine"
	"plimsoll/internal/record"
)

// parentVerb makes a test's binary a parent that starts an engine, reports so, and waits to be killed.
const parentVerb = "enginetest-parent"

// parenthood is the input, and then the report, of such a parent.
type parenthood struct {
	Params  record.Params `json:"params,omitempty"`
	Scratch string        `json:"scratch,omitempty"`
	Addrs   []string      `json:"addrs,omitempty"`
	Roots   []int         `json:"roots,omitempty"`
}

// Main is TestMain for the package of an engine whose conformance is tested with Run. verbs are the binary's other
// roles, by its first argument.
func Main(m *testing.M, e engine.Engine, verbs map[string]func(args []string) int) {
	if len(os.Args) > 1 {
		if os.Args[1] == parentVerb {
			if err := beParent(e); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
		if verb, ok := verbs[os.Args[1]]; ok {
			os.Exit(verb(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

func beParent(e engine.Engine) error {
	var told parenthood
	if err := json.NewDecoder(os.Stdin).Decode(&told); err != nil {
		return err
	}
	ctx := context.Background()
	p, err := engine.Resolve(e, told.Params)
	if err != nil {
		return err
	}
	in, err := e.Find(ctx, p)
	if err != nil {
		return err
	}
	i, err := e.Start(ctx, in, engine.Settings{Params: p, Scratch: told.Scratch})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(parenthood{Addrs: i.Addrs(), Roots: i.Roots()}); err != nil {
		return err
	}
	return i.Wait()
}

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
