package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
)

// The groups of dead owners go with what runs there; one that is held belongs to somebody whose pid is not seen here.
func TestStaleGroupsAreEmptied(t *testing.T) {
	g, err := NewAccount(System(), "stale")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Source() != record.ChargedGroup {
		t.Skip("no cgroup here")
	}
	parent := filepath.Dir(groupDir(t, g))
	for _, held := range []bool{false, true} {
		t.Run(fmt.Sprintf("held %t", held), func(t *testing.T) {
			stale := filepath.Join(parent, fmt.Sprintf("%s99999999%d-left-1", groupPrefix, os.Getpid()%10))
			if err := os.Mkdir(stale, 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sleep", "100")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { cmd.Process.Kill(); cmd.Wait(); removeGroup(stale) }()
			write(t, filepath.Join(stale, "cgroup.procs"), fmt.Sprint(cmd.Process.Pid))
			f, err := os.Open(stale)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if held {
				if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
					t.Fatal(err)
				}
			}
			RemoveStale(System())
			_, err = os.Stat(stale)
			if ended(System(), cmd.Process.Pid) == held || errors.Is(err, os.ErrNotExist) == held {
				t.Errorf("process ended %t, group %v", ended(System(), cmd.Process.Pid), err)
			}
		})
	}
}

// What left its session and its environment is in the account nevertheless.
func TestKillLeft(t *testing.T) {
	for name, open := range map[string]func() (Group, error){
		"best": func() (Group, error) { return NewAccount(System(), "left") },
		"tree": func() (Group, error) { return NewTree(System()), nil },
	} {
		t.Run(name, func(t *testing.T) {
			g, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			cmd := exec.Command("env", "-i", "/bin/sh", "-c", "/usr/bin/setsid /bin/sleep 100 & wait")
			cmd.SysProcAttr = &syscall.SysProcAttr{}
			if err := g.Enter(cmd.SysProcAttr, func() (int, error) { return start(cmd) }); err != nil {
				t.Fatal(err)
			}
			var pids []int
			for len(pids) < 2 {
				if pids, err = g.Pids(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(killPoll)
			}
			if err := KillLeft(g); err != nil {
				t.Error(err)
			}
			for _, pid := range pids {
				if !ended(System(), pid) {
					t.Errorf("process %d is left", pid)
				}
			}
			cmd.Wait()
		})
	}
}

func start(cmd *exec.Cmd) (int, error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return cmd.Process.Pid, nil
}

// Who works in the directory and has an environment is somebody's shell.
func TestKillNameless(t *testing.T) {
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
	if !ended(System(), nameless.Process.Pid) || ended(System(), shell.Process.Pid) || ended(System(), elsewhere.Process.Pid) {
		t.Errorf("ended: nameless %t, a shell %t, one elsewhere %t", ended(System(), nameless.Process.Pid), ended(System(), shell.Process.Pid), ended(System(), elsewhere.Process.Pid))
	}
}
