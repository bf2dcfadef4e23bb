package account

import (
	"bufio"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

// burn is a shell that uses some CPU itself, more in a child that it waits for,
// and then lives until its input ends.
const burn = `spin() { i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; }; spin; (spin; spin) & wait; echo ` +
	`done; read x`

// tickError is how far two accounts of a few processes may be apart where one of
// them counts in ticks.
const tickError = 0.05

func startBurn(t *testing.T, g Group) (cmd *exec.Cmd, end io.Closer) {
	t.Helper()
	simtest.Forks(t)
	cmd = exec.Command("sh", "-c", burn)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = g.Enter(cmd.SysProcAttr, func() (int, error) {
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("child said %q: %v", line, err)
	}
	return cmd, in
}

func TestGroups(t *testing.T) {
	groups := map[string]func(hostfs.Root, string) (Group, error){
		"version 2": openGroup2,
		"version 1": openGroup1,
		"tree":      func(r hostfs.Root, _ string) (Group, error) { return NewTree(r), nil },
		"best":      New,
	}
	for name, open := range groups {
		t.Run(name, func(t *testing.T) {
			g, err := open(hostfs.System(), "test")
			if err != nil {
				t.Skip("not here: ", err)
			}
			before, err := g.CPUSeconds()
			if err != nil {
				t.Fatal(err)
			}
			cmd, end := startBurn(t, g)
			inside, err := g.CPUSeconds()
			if err != nil {
				t.Fatal(err)
			}
			end.Close()
			cmd.Wait()
			used := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			if math.Abs(inside-before-used) > tickError+0.05*used {
				t.Errorf("account says %.3f s, wait4 %.3f s", inside-before, used)
			}
			after, err := g.CPUSeconds()
			if after < inside || (err != nil) != (g.Source() == record.ChargedTree) {
				t.Errorf("after its end %.3f s (%v), before %.3f s", after, err, inside)
			}
			if err := g.Close(); err != nil {
				t.Error(err)
			}
			t.Logf("%s: %.3f s, wait4 %.3f s", g.Source(), inside-before, used)
		})
	}
}

func TestGroupsLeaveNothingBehind(t *testing.T) {
	for name, open := range map[string]func(hostfs.Root, string) (Group, error){
		"version 2": openGroup2, "version 1": openGroup1} {
		t.Run(name, func(t *testing.T) {
			g, err := open(hostfs.System(), "left")
			if err != nil {
				t.Skip("not here: ", err)
			}
			dir := groupDir(t, g)
			stale := filepath.Join(filepath.Dir(dir), groupPrefix+"999999999-left-1")
			if err := os.Mkdir(stale, 0o755); err != nil {
				t.Fatal(err)
			}
			other, err := open(hostfs.System(), "other")
			if err != nil {
				t.Fatal(err)
			}
			for _, gone := range []string{stale, dir} {
				_, err := os.Stat(gone)
				if (err == nil) != (gone == dir) {
					t.Errorf("%s: %v", gone, err)
				}
			}
			other.Close()
			g.Close()
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: %v, want it removed", dir, err)
			}
		})
	}
}

func groupDir(t *testing.T, g Group) string {
	switch g := g.(type) {
	case *group1:
		return g.dir
	case *group2:
		return g.dir.Name()
	}
	t.Fatalf("%T has no directory", g)
	return ""
}

func TestThreadLeavesVersion1(t *testing.T) {
	g, err := openGroup1(hostfs.System(), "leave")
	if err != nil {
		t.Skip("not here: ", err)
	}
	defer g.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	path := "/proc/self/task/" + strconv.Itoa(unix.Gettid()) + "/cgroup"
	var inside string
	failed := errors.New("cannot start")
	err = g.Enter(&syscall.SysProcAttr{}, func() (int, error) {
		inside, _ = hostfs.ReadText(path)
		return 0, failed
	})
	outside, _ := hostfs.ReadText(path)
	group := filepath.Base(groupDir(t, g))
	if !errors.Is(err, failed) || !strings.Contains(inside, group) || strings.Contains(outside, group) {
		t.Errorf("error %v, inside %q, outside %q", err, inside, outside)
	}
}

func TestCloseOfABusyGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits until the group is given up")
	}
	g, err := New(hostfs.System(), "busy")
	if err != nil {
		t.Fatal(err)
	}
	if g.Source() != record.ChargedGroup {
		t.Skip("no cgroup here")
	}
	cmd, end := startBurn(t, g)
	if err := g.Close(); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("close with a process inside: %v", err)
	}
	end.Close()
	cmd.Wait()
	if err := removeGroup(groupDir(t, g)); err != nil {
		t.Error(err)
	}
}

func TestNewAccountFallsBackToTheTree(t *testing.T) {
	g, err := New(hosttest.Fixture(t, "biglittle"), "x")
	if err != nil || g.Source() != record.ChargedTree {
		t.Errorf("%v, %v", g, err)
	}
	if _, err := New(hostfs.Root{Proc: filepath.Join(t.TempDir(), "none")}, "x"); err == nil {
		t.Error("without /proc there is no account")
	}
}

func BenchmarkGroup(b *testing.B) {
	g, err := New(hostfs.System(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	for b.Loop() {
		if _, err := g.CPUSeconds(); err != nil {
			b.Fatal(err)
		}
	}
}
