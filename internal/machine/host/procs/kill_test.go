package procs

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
)

// Who works in the directory and has an environment is somebody's shell.
func TestKillNameless(t *testing.T) {
	simtest.Forks(t)
	dir := t.TempDir()
	run := func(dir string, env []string) *exec.Cmd {
		cmd := exec.Command("/bin/sleep", "100")
		cmd.Dir, cmd.Env = dir, env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd
	}
	nameless, shell, elsewhere := run(dir, []string{}), run(dir, []string{"HOME=/"}), run(t.TempDir(), []string{})
	// A process has no environment for a moment while it starts another program.
	for ready := false; !ready; time.Sleep(killPoll) {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", shell.Process.Pid))
		ready = len(b) > 0
	}
	if err := KillNameless(dir); err != nil {
		t.Error(err)
	}
	if !Ended(hostfs.System(), nameless.Process.Pid) || Ended(hostfs.System(), shell.Process.Pid) ||
		Ended(hostfs.System(), elsewhere.Process.Pid) {
		t.Errorf("ended: nameless %t, a shell %t, one elsewhere %t", Ended(hostfs.System(), nameless.Process.Pid),
			Ended(hostfs.System(), shell.Process.Pid), Ended(hostfs.System(), elsewhere.Process.Pid))
	}
}
