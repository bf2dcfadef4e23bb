package account

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

func TestTreeKeepsOrphans(t *testing.T) {
	root := hostfs.Root{Proc: t.TempDir()}
	stat := func(pid, ppid, ticks, reaped, start int) {
		dir := root.ProcPath(strconv.Itoa(pid))
		os.MkdirAll(dir, 0o755)
		n := strconv.Itoa
		hosttest.Write(t, dir+"/stat", n(pid)+" (a) b) S "+n(ppid)+" 1 1 0 -1 0 0 0 0 0 "+n(ticks)+" 0 "+n(
			reaped)+" 0 20 0 1 0 "+n(start)+strings.Repeat(" 0", 30)+"\n")
	}
	read := func(tree *Tree, want float64, wantErr error) {
		t.Helper()
		if got, err := tree.CPUSeconds(); got != want || !errors.Is(err, wantErr) {
			t.Errorf("%v s, %v; want %v, %v", got, err, want, wantErr)
		}
	}
	stat(10, 1, 100, 50, 7)
	stat(11, 10, 200, 0, 8)
	stat(12, 11, 300, 0, 9)
	stat(20, 1, 1000, 0, 3)
	tree := NewTree(root, 10)
	read(tree, 6.5, nil)
	os.RemoveAll(root.ProcPath("11"))
	stat(10, 1, 100, 250, 7)
	stat(12, 1, 350, 0, 9)
	read(tree, 7, nil)
	stat(12, 1, 9999, 0, 70) // another process with the number
	read(tree, 7, nil)
	os.RemoveAll(root.ProcPath("10"))
	read(tree, 7, os.ErrProcessDone)
}

func TestTreeOfThisProcess(t *testing.T) {
	tree := NewTree(hostfs.System(), os.Getpid())
	own, _ := cputime.NewThreads().CPUSeconds()
	before, err := tree.CPUSeconds()
	if err != nil || before < own {
		t.Fatalf("tree %v s, %v; this process alone %v s", before, err, own)
	}
	cmd, end := startBurn(t, NewTree(hostfs.System()))
	live, err := tree.CPUSeconds()
	if err != nil {
		t.Error(err)
	}
	end.Close()
	cmd.Wait()
	reaped, err := tree.CPUSeconds()
	used := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if err != nil || live-before < used-tickError || reaped < live {
		t.Errorf("%v s, with a child of %v s %v s, after its end %v s, %v", before, used, live, reaped, err)
	}
}

// TestTreeBelowATick: the work of a process is seen long before it fills a tick.
func TestTreeBelowATick(t *testing.T) {
	simtest.Forks(t)
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	if s, err := NewTree(hostfs.System(), cmd.Process.Pid).CPUSeconds(); err != nil || s <= 0 ||
		s*userHZ == math.Trunc(s*userHZ) {
		t.Errorf("%v s, %v", s, err)
	}
}
