package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/workload"
)

// What this binary is when it is not the tests: an agent as plimsoll's own is,
// or a client, which can be killed.
const (
	graceEnv   = "PLIMSOLL_TEST_GRACE"
	overrunEnv = "PLIMSOLL_TEST_OVERRUN"
	clientEnv  = "PLIMSOLL_TEST_CLIENT"
	deafEnv    = "PLIMSOLL_TEST_DEAF"
	stateEnv   = "PLIMSOLL_TEST_STATE"
)

func TestMain(m *testing.M) {
	os.Setenv("PLIMSOLL_SAMPLE", "20ms") // of the state with which each agent begins
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "agent":
		err = testAgent().Serve(os.Stdin, os.Stdout)
	case os.Getenv(clientEnv) != "":
		err = beClient()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func testAgent() Agent {
	return Agent{
		Workloads: []workload.Spec{fakeSpec("fake"), fakeSpec("other"), fakeSpec("keeper"), fakeSpec("starter"),
			fakeSpec("waiter"), elsewhereSpec()}, Version: "test",
		Root: hostfs.System(), State: os.Getenv(stateEnv),
		Grace: envTime(graceEnv), Overrun: envTime(overrunEnv), Deaf: envTime(deafEnv),
	}
}

// envTime returns 0 if the variable is not set.
func envTime(name string) time.Duration {
	d, _ := time.ParseDuration(os.Getenv(name))
	return d
}

// beClient carries out the request on standard input.
func beClient() error {
	var req Request
	if err := json.NewDecoder(os.Stdin).Decode(&req); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	os.Unsetenv(clientEnv)
	return Client{Self: self}.Do(context.Background(), req, func(Message) error { return nil })
}
