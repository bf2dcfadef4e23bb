package enginetest

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
)

// killed checks that the death of a server that answers is noticed, and nothing of it left.
func killed(t *testing.T, x exam, i engine.Instance) {
	t.Helper()
	members := family(t, i)
	if err := unix.Kill(i.Roots()[0], unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	demandError(t, i.Wait(), x.engine.Name(), "ended by itself", "killed", "printed")
	demandGone(t, members)
	demandSilent(t, i.Addrs())
	if err := i.Stop(t.Context()); err != nil {
		t.Errorf("Stop of a server that has died: %v", err)
	}
	if i.Wait() == nil {
		t.Error("after Stop, Wait no longer says that the server had died")
	}
}

// parentDies checks that a server does not outlive a killed parent.
func parentDies(t *testing.T, x exam) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, parentVerb)
	cmd.Stderr = os.Stderr
	told, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	tells, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	if err := json.NewEncoder(told).Encode(parenthood{Params: x.c.Params, Scratch: scratch(t)}); err != nil {
		t.Fatal(err)
	}
	var p parenthood
	if err := json.NewDecoder(tells).Decode(&p); err != nil {
		t.Fatalf("the parent said nothing: %v", err)
	}
	members := descendants(t, p.Roots)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	demandGone(t, members)
	demandSilent(t, p.Addrs)
}

// patience bounds the wait for an expected event.
const patience = 20 * time.Second

// until waits for a condition, and fails the test if it does not come true.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}
