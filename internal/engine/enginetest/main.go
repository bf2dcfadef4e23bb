package enginetest

import (
	"context"
	"encoding/json"
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
