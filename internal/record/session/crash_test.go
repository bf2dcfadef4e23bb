package session

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
)

// child is this test binary, doing a job of TestMain's.
func child(t testing.TB, job, path string) *exec.Cmd {
	t.Helper()
	simtest.Forks(t)
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, path)
	cmd.Env = append(os.Environ(), childEnv+"="+job)
	cmd.Stderr = os.Stderr
	return cmd
}

// Every trial whose Trial returned is in the file, whenever its writer is killed.
func TestKill(t *testing.T) {
	needsItself(t)
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	total := 0
	for range 15 {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		done := killedAfter(t, path, time.Duration(r.Int64N(int64(60*time.Millisecond))))
		total += len(done)
		w, log, err := Resume(path)
		must(t, err)
		if len(log.Trials) < len(done) || !slices.Equal(ids(log)[:len(done)], done) {
			t.Fatalf("reported %v, in the file %v", done, ids(log))
		}
		for _, id := range done {
			if series, err := log.Series(id); err != nil || len(series) != 2 {
				t.Fatalf("trial %s has series %v, %v", id, series, err)
			}
		}
		must(t, w.Machine(machineNamed("child", "c")))
		must(t, addTrial(w, trialOn("child", "c", "after")))
		must(t, w.Close())
		again, err := Read(path)
		must(t, err)
		if len(again.Trials) != len(log.Trials)+1 || len(again.Problems) > 0 {
			t.Fatalf("after the resume %d trials, problems %v", len(again.Trials), again.Problems)
		}
	}
	if total == 0 {
		t.Error("no child lived long enough to finish a trial")
	}
	t.Logf("%d trials reported before the kills", total)
}

// killedAfter lets a child append until that long after its first trial, and returns the IDs it reported.
func killedAfter(t *testing.T, path string, wait time.Duration) (done []string) {
	t.Helper()
	cmd := child(t, "append", path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if done = append(done, lines.Text()); len(done) == 1 {
			time.AfterFunc(wait, func() { cmd.Process.Kill() })
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the child was not killed: %v", err)
	}
	return done
}

// A real file system of 256 KiB fills up: committed trials stay, and the run continues once there is room.
func TestFullDisk(t *testing.T) {
	dir, here := smallDisk(t)
	if !here {
		return
	}
	path, ballast := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 128<<10), 0o600))
	w, err := Create(path)
	must(t, err)
	must(t, w.Machine(machineNamed("m", "a")))
	done := fillUp(t, w)
	must(t, w.Close())
	log, err := Read(path)
	must(t, err)
	if !slices.Equal(ids(log), done) || len(log.Problems) > 0 {
		t.Fatalf("committed %v, in the file %v, problems %v", done, ids(log), log.Problems)
	}
	must(t, os.Remove(ballast))
	w, _, err = Resume(path)
	must(t, err)
	must(t, w.Trial(trialOn("m", "a", "after")))
	must(t, w.Close())
	log, err = Read(path)
	must(t, err)
	if !slices.Equal(ids(log), append(done, "after")) {
		t.Fatalf("after the resume %v", ids(log))
	}
}

func fillUp(t *testing.T, w *Writer) (done []string) {
	t.Helper()
	for n := range 1000 {
		trial := typicalTrial(n)
		err := addTrial(w, trial)
		if err == nil {
			done = append(done, trial.ID)
			continue
		}
		if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "no space left on device; runs safe in it: ") ||
			!strings.Contains(err.Error(), "\nhint: make room on that disk, then: plimsoll run --resume ") {
			t.Fatalf("the error is %v", err)
		}
		if again := w.Trial(trial); again != err {
			t.Fatalf("a second call says %v", again)
		}
		return done
	}
	t.Fatal("the disk never filled up")
	return nil
}

// smallDisk mounts a tmpfs. For a user who may not, the test has then run in a
// namespace of its own, not here.
func smallDisk(t *testing.T) (dir string, here bool) {
	t.Helper()
	const inside = "PLIMSOLL_SESSION_NAMESPACE"
	dir = t.TempDir()
	err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k")
	if err == nil {
		t.Cleanup(func() { must(t, unix.Unmount(dir, 0)) })
		return dir, true
	}
	if os.Getenv(inside) != "" {
		t.Fatalf("mount in the namespace: %v", err)
	}
	if exec.Command("unshare", "-Urm", "true").Run() != nil {
		t.Skipf("needs a file system of its own: mount says %v, and unshare -Urm does not work here", err)
	}
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command("unshare", "-Urm", self, "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), inside+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("in the namespace: %v\n%s", err, out)
	}
	return "", false
}
