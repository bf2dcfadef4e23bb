package procs

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
)

// startMarked starts a shell with env and waits until it says that it is ready.
func startMarked(t *testing.T, env, script string) *exec.Cmd {
	t.Helper()
	simtest.Forks(t)
	cmd := exec.Command("sh", "-c", script)
	cmd.Env = append(os.Environ(), env)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestKillMarked(t *testing.T) {
	mark := fmt.Sprintf("PLIMSOLL_TEST=%d", os.Getpid())
	alike := startMarked(t, mark+"0", "echo ready; exec sleep 100")
	tests := map[string]string{
		"polite":         "echo ready; exec sleep 100",
		"deaf to TERM":   "trap '' TERM; echo ready; while :; do sleep 0.1; done",
		"children, too":  "sleep 100 & sleep 101 & echo ready; wait",
		"forks when hit": "trap 'sleep 100 & sleep 100 & exit' TERM; echo ready; while :; do sleep 0.1; done",
		"once more":      "echo ready; while :; do :; done", // starts no program: one look may miss one that does
	}
	for name, script := range tests {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "deaf to TERM" {
				t.Skip("it waits for the grace to pass")
			}
			kill := KillMarked
			if name == "once more" {
				kill = KillMarkedAgain
			}
			cmd := startMarked(t, mark, script)
			pids, err := Marked(hostfs.System(), mark)
			for range looks { // it has no environment while it starts another program
				if err == nil && len(pids) == 0 {
					time.Sleep(killPoll)
					pids, err = Marked(hostfs.System(), mark)
				}
			}
			if err != nil || !slices.Contains(pids, cmd.Process.Pid) || slices.Contains(pids, alike.Process.Pid) {
				t.Fatalf("marked %v, %v; want %d and not %d", pids, err, cmd.Process.Pid, alike.Process.Pid)
			}
			if err := kill(t.Context(), mark); err != nil {
				t.Fatal(err)
			}
			if pids, _ := Marked(hostfs.System(), mark); len(pids) > 0 {
				t.Errorf("still there: %v", pids)
			}
			cmd.Wait()
		})
	}
	if !hasMark(hostfs.System(), alike.Process.Pid, mark+"0") {
		t.Error("a process with a longer value was killed")
	}
}

func TestKillMarkedOnceCancelled(t *testing.T) {
	mark := fmt.Sprintf("PLIMSOLL_TEST=cancelled-%d", os.Getpid())
	cmd := startMarked(t, mark, "trap '' TERM; echo ready; while :; do sleep 0.1; done")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := KillMarked(ctx, mark); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("ended with %v, want killed", err)
	}
}

func TestKillMarkedSparesItsCaller(t *testing.T) {
	entry, ok := ownEntry()
	if !ok {
		t.Skip("this process was started without an environment")
	}
	if pids, err := Marked(hostfs.System(), entry); err != nil || !slices.Contains(pids, os.Getpid()) {
		t.Fatalf("%q marks %v, %v; want this process too", entry, pids, err)
	}
	if pids, err := others(hostfs.System(), entry); err != nil || slices.Contains(pids, os.Getpid()) {
		t.Errorf("%v, %v: the caller must not be among those to kill", pids, err)
	}
}

func ownEntry() (string, bool) {
	b, err := os.ReadFile("/proc/self/environ")
	entry, _, _ := strings.Cut(string(b), "\x00")
	return entry, err == nil && entry != ""
}

func TestThisIsNoJVM(t *testing.T) {
	if IsJVM(hostfs.System(), os.Getpid()) || IsJVM(hostfs.System(), -1) {
		t.Error("took a Go program for a Java runtime")
	}
}
