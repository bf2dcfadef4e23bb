package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// leavesNoTrace checks that an instance writes only to its scratch directory, and leaves no process of its own and
// no open file of ours.
func leavesNoTrace(t *testing.T, x exam) {
	if !*x.warm { // opens what the runtime opens only once
		x.start(t, t.Context(), x.settings(t)).Stop(context.Background())
	}
	home := t.TempDir()
	for _, v := range []string{"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(v, home)
	}
	t.Chdir(home)
	open, shared := openFiles(t), entries(t, "/tmp")
	s := x.settings(t)
	i := x.start(t, t.Context(), s)
	x.answers(t, i)
	members := family(t, i)
	demandInside(t, members, s.Scratch)
	if err := i.Stop(context.Background()); err != nil {
		t.Errorf("Stop: %v", err)
	}
	demandGone(t, members)
	demandChildless(t)
	if left := entries(t, home); len(left) > 0 {
		t.Errorf("in the working directory, HOME and TMPDIR it left %v", left)
	}
	for _, name := range entries(t, "/tmp") {
		if named := byPid(name, members); named && !slices.Contains(shared, name) {
			t.Errorf("it left %s in /tmp", name)
		}
	}
	if now := openFiles(t); len(now) > len(open) {
		t.Errorf("this process has %d files open, before %d:\n%v\n%v", len(now), len(open), now, open)
	}
}

// demandInside checks that all files that processes may write to are in a directory.
func demandInside(t *testing.T, pids []int, dir string) {
	t.Helper()
	for _, pid := range pids {
		p, err := procfs.NewProc(pid)
		var infos procfs.ProcFDInfos
		if err == nil {
			infos, err = p.FileDescriptorsInfo()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH):
			continue // a finished helper of the server
		case err != nil:
			t.Fatal(err)
		}
		for _, info := range infos {
			target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, info.FD))
			flags, parse := strconv.ParseInt(info.Flags, 8, 64)
			if err != nil || parse != nil || flags&unix.O_ACCMODE == unix.O_RDONLY {
				continue
			}
			if strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "/dev/") && !strings.HasPrefix(target, dir+"/") {
				t.Errorf("process %d may write to %s, outside of %s", pid, target, dir)
			}
		}
	}
}

// entries returns the names in a directory and its direct subdirectories.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, names...)
	}
	return out
}

// byPid reports whether a file is named after one of some processes: others may write to the same directory
// concurrently.
func byPid(name string, pids []int) bool {
	return slices.ContainsFunc(pids, func(pid int) bool {
		return strings.Contains(filepath.Base(name), strconv.Itoa(pid))
	})
}

// openFiles returns the targets of this process's open files, except for the runtime's poller.
func openFiles(t *testing.T) []string {
	t.Helper()
	p, err := procfs.Self()
	if err != nil {
		t.Fatal(err)
	}
	targets, err := p.FileDescriptorTargets()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]string{}
	for n, target := range targets {
		if !strings.HasPrefix(target, "anon_inode:[event") && !strings.HasPrefix(target, "/proc/") {
			seen[n] = target
		}
	}
	return slices.Sorted(maps.Values(seen))
}
