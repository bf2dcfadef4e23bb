package kept

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/workload"
)

// working starts a process in a directory with an environment, and returns once that can be read: while a program
// starts, every process has none.
func working(t *testing.T, dir string, env ...string) (pid int) {
	t.Helper()
	cmd := exec.Command("/bin/sleep", "1000")
	cmd.Dir, cmd.Env = dir, append([]string{}, env...) // nil would be this process's
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		is, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", cmd.Process.Pid))
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", cmd.Process.Pid))
		if string(name) == "sleep\n" && len(is) == len(strings.Join(env, "\x00"))+min(1, len(env)) {
			return cmd.Process.Pid
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has the environment %q", name, is)
		}
	}
}

// TestDeadTrialsProcesses: what a killed agent's trial left running ends at the next start, also a server that has
// written over its environment and with it the mark; what works in the scratch directory of an agent that lives stays,
// as a shell does.
func TestDeadTrialsProcesses(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const dead, alive = "ab12-r0-g0-c0-a0", "ab12-r1-g0-c0-a0"
	for _, order := range []string{dead, alive} {
		k, err := OpenScratch(order)
		if err != nil {
			t.Fatal(err)
		}
		if t.Cleanup(k.Close); order == dead {
			k.Close()
		}
	}
	processes := []struct {
		name string
		pid  int
		ends bool
	}{
		{"marked", working(t, t.TempDir(), workload.MarkVar+"="+dead), true},
		{"nameless", working(t, ScratchDir(dead)), true},
		{"a shell", working(t, ScratchDir(dead), "HOME=/"), false},
		{"nameless, of an agent that lives", working(t, ScratchDir(alive)), false},
		{"marked, of an agent that lives", working(t, t.TempDir(), workload.MarkVar+"="+alive), false},
	}
	RemoveDead(t.Context())
	for _, p := range processes {
		for killed := time.Now(); p.ends && !procs.Ended(hostfs.System(), p.pid) && time.Since(killed) < time.Minute; {
			time.Sleep(time.Millisecond) // who dies loses its mark first
		}
		if ended := procs.Ended(hostfs.System(), p.pid); ended != p.ends {
			t.Errorf("%s: ended %t", p.name, ended)
		}
	}
	if isThere(ScratchDir(dead)) || !isThere(ScratchDir(alive)) {
		t.Errorf("scratch directories: the dead agent's is there: %t, the other's: %t", isThere(ScratchDir(dead)),
			isThere(ScratchDir(alive)))
	}
}
