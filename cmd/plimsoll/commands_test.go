package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// commands are what our scripts can do beside testscript's own.
func commands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"exitcode": exitcode,
		"flip":     flip,
		"cut":      cut,
	}
}

// exitcode CODE COMMAND... runs a command that must end with exactly that code.
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%q: exit code %d, want %d", args[1:], got, want)
	}
}

// flip FILE OFFSET turns one bit of a file over; a negative offset counts from
// its end.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	path, at, b := at(ts, args)
	b[at] ^= 1
	ts.Check(os.WriteFile(path, b, 0o644))
}

// cut FILE OFFSET shortens a file.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE OFFSET")
	}
	path, at, b := at(ts, args)
	ts.Check(os.WriteFile(path, b[:at], 0o644))
}

func at(ts *testscript.TestScript, args []string) (path string, offset int, b []byte) {
	path = ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	offset, err = strconv.Atoi(args[1])
	ts.Check(err)
	if offset < 0 {
		offset += len(b)
	}
	if offset < 0 || offset >= len(b) {
		ts.Fatalf("%s has no byte %s", args[0], args[1])
	}
	return path, offset, b
}

// condition adds [root] and [tmpfs] to the conditions of scripts.
func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// crashing is a command of the scripts: it dies without a word, as a program
// does whose machine fails.
func crashing() {
	_ = os.Remove(filepath.Join(os.TempDir(), "crashing"))
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		_ = p.Kill()
	}
	select {}
}
