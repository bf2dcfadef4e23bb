package account

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

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// The groups of dead owners go with what runs there; one that is held belongs to somebody whose pid is not seen here.
func TestStaleGroupsAreEmptied(t *testing.T) {
	simtest.Forks(t)
	g, err := New(hostfs.System(), "stale")
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
			f := heldFor(t, stale)
			defer f.Close()
			cmd := exec.Command("sleep", "100")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { cmd.Process.Kill(); cmd.Wait(); removeGroup(stale) }()
			hosttest.Write(t, filepath.Join(stale, "cgroup.procs"), fmt.Sprint(cmd.Process.Pid))
			if !held {
				f.Close()
			}
			for start := time.Now(); ; time.Sleep(time.Millisecond) {
				RemoveStale(hostfs.System())
				_, err := os.Stat(stale)
				ended, gone := procs.Ended(hostfs.System(), cmd.Process.Pid), errors.Is(err, os.ErrNotExist)
				if ended != held && gone != held {
					break
				}
				if held || time.Since(start) > 10*time.Second { // else another agent of this machine may be at it
					t.Fatalf("process ended %t, group %v", ended, err)
				}
			}
		})
	}
}

// heldFor makes a group and locks it: agents of other tests empty groups without an owner as well, also before this one
// is locked.
func heldFor(t *testing.T, dir string) *os.File {
	t.Helper()
	for range 100 {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
			t.Fatal(err)
		}
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); err == nil {
			return f
		}
		f.Close()
	}
	t.Fatalf("%s is always removed", dir)
	return nil
}

// What left its session and its environment is in the account nevertheless.
func TestKillLeft(t *testing.T) {
	simtest.Forks(t)
	for name, open := range map[string]func() (Group, error){
		"best": func() (Group, error) { return New(hostfs.System(), "left") },
		"tree": func() (Group, error) { return NewTree(hostfs.System()), nil },
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
				time.Sleep(10 * time.Millisecond)
			}
			if err := procs.KillAll(g.Pids); err != nil {
				t.Error(err)
			}
			for _, pid := range pids {
				if !procs.Ended(hostfs.System(), pid) {
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
