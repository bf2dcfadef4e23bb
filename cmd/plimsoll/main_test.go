package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run this build as the command plimsoll, also as the
// agent that a run starts: testscript puts it in PATH under that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plimsoll": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			return nil
		},
		Condition: condition,
		Cmds:      commands(),
	})
}
