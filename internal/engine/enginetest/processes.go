package enginetest

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/engine"
)

// living returns the processes that have not ended, by id.
func living(t *testing.T) map[int]procfs.ProcStat {
	t.Helper()
	all, err := procfs.AllProcs()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]procfs.ProcStat{}
	for _, p := range all {
		if st, err := p.Stat(); err == nil && st.State != "Z" && st.State != "X" {
			out[p.PID] = st
		}
	}
	return out
}

// family returns the processes of an instance.
func family(t *testing.T, i engine.Instance) []int {
	t.Helper()
	return descendants(t, i.Roots())
}

// descendants returns the living descendants of some processes, including these.
func descendants(t *testing.T, roots []int) []int {
	t.Helper()
	all := living(t)
	var out []int
	for todo := slices.Clone(roots); len(todo) > 0; todo = todo[1:] {
		if _, ok := all[todo[0]]; ok {
			out = append(out, todo[0])
		}
		for pid, st := range all {
			if st.PPID == todo[0] {
				todo = append(todo, pid)
			}
		}
	}
	if len(out) < len(roots) {
		t.Fatalf("of the processes %v only %v live", roots, out)
	}
	return out
}

// threadsOf returns the threads of a process; none if it has ended, as a backend does with its connection.
func threadsOf(t *testing.T, pid int) []int {
	t.Helper()
	threads, err := procfs.AllThreads(pid)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, th := range threads {
		out = append(out, th.PID)
	}
	return out
}

// demandGone waits until all of some processes have ended.
func demandGone(t *testing.T, pids []int) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("there was no process")
	}
	until(t, fmt.Sprintf("the end of processes %v", pids), func() bool {
		all := living(t)
		return !slices.ContainsFunc(pids, func(pid int) bool { _, ok := all[pid]; return ok })
	})
}

// demandChildless checks that this process has no child.
func demandChildless(t *testing.T) {
	t.Helper()
	for pid, st := range living(t) {
		if st.PPID == os.Getpid() {
			t.Errorf("process %d (%s) is left", pid, st.Comm)
		}
	}
}

// demandSilent waits until no connections are accepted at some addresses.
func demandSilent(t *testing.T, addrs []string) {
	t.Helper()
	if len(addrs) == 0 {
		t.Fatal("there was no address")
	}
	for _, a := range addrs {
		until(t, "silence at "+a, func() bool {
			c, err := net.DialTimeout("tcp", a, time.Second)
			if err == nil {
				c.Close()
			}
			return err != nil
		})
	}
}

// demandError checks that an error contains all of some words.
func demandError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not have %q", err, w)
		}
	}
}
