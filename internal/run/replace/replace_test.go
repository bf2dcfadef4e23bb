package replace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What this binary is when it is not the tests: a program that replaces one file, and may be ended in the middle of
// that.
const (
	fileEnv = "PLIMSOLL_TEST_FILE"
	endEnv  = "PLIMSOLL_TEST_END"
)

func TestMain(m *testing.M) {
	path := os.Getenv(fileEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	runtime.LockOSThread() // strace counts the calls of each thread
	if err := File(path, 0o644, halves); err != nil {
		os.Exit(1)
	}
}

// halves writes newText in two pieces, between which it may fail, or a signal end the process.
func halves(w io.Writer) error {
	_, first := io.WriteString(w, newText[:len(newText)/2])
	switch os.Getenv(endEnv) {
	case "ERROR":
		return unix.ENOSPC
	case "TERM":
		_ = unix.Kill(os.Getpid(), unix.SIGTERM)
		select {}
	case "KILL":
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	}
	_, rest := io.WriteString(w, newText[len(newText)/2:])
	return errors.Join(first, rest)
}

const oldText, newText = "the old text", "the new text, which is longer"

// old is a file in a directory of its own.
func old(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(oldText), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// left returns the names in a file's directory other than its own.
func left(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestWholeOrNotAtAll: who reads meanwhile reads the old file, and so does everybody if it cannot be written.
func TestWholeOrNotAtAll(t *testing.T) {
	path := old(t)
	full := errors.New("the disk is full")
	for _, fails := range []error{full, nil} {
		err := File(path, 0o644, func(w io.Writer) error {
			if err := halves(w); err != nil {
				return err
			}
			if got := contents(t, path); got != oldText {
				t.Errorf("before it is complete it reads %q", got)
			}
			return fails
		})
		want := map[error]string{full: oldText, nil: newText}[fails]
		if got := contents(t, path); !errors.Is(err, fails) || got != want || left(t, path) != nil {
			t.Errorf("%v: it reads %q, beside it are %q", err, got, left(t, path))
		}
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	if err := File(fresh, 0o644, func(io.Writer) error { return full }); !errors.Is(err, full) || left(t, fresh) != nil {
		t.Errorf("%v: beside it are %q", err, left(t, fresh))
	}
	if _, err := os.Lstat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a file is there: %v", err)
	}
}

// TestModes: a new file has the mode that is asked for, as far as the umask lets it, and one that is replaced keeps its
// own.
func TestModes(t *testing.T) {
	defer unix.Umask(unix.Umask(0o027))
	for _, c := range []struct{ asked, had, want fs.FileMode }{
		{0o644, 0, 0o640}, {0o600, 0, 0o600}, {0o600, 0o664, 0o664}, {0o644, 0o400, 0o400}, {0o644, 0o600, 0o600},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if c.had != 0 {
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, c.had)); err != nil {
				t.Fatal(err)
			}
		}
		err := File(path, c.asked, halves)
		st, _ := os.Stat(path)
		if err != nil || st.Mode() != c.want {
			t.Errorf("asked for %v over %v: %v, %v", c.asked, c.had, st.Mode(), err)
		}
	}
}

// TestLinksAndPipes: a link still leads to the file, and what is no file is written to.
func TestLinksAndPipes(t *testing.T) {
	path, dir := old(t), t.TempDir()
	link, loop, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "loop"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(path, link), os.Symlink(loop, loop), unix.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := File(link, 0o644, halves); err != nil || contents(t, path) != newText {
		t.Errorf("through a link: %v, %q", err, contents(t, path))
	}
	if to, err := os.Readlink(link); err != nil || to != path || left(t, path) != nil {
		t.Errorf("the link leads to %q (%v), beside the file are %q", to, err, left(t, path))
	}
	if err := File(loop, 0o644, halves); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a link to itself: %v", err)
	}
	read, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that the writer need not wait for a reader
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	got := make([]byte, len(newText))
	if err := File(pipe, 0o644, halves); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(read, got); err != nil || string(got) != newText {
		t.Errorf("a pipe got %q, %v", got, err)
	}
}

// traced replaces a file in a process that strace watches and meddles with. It returns what strace wrote of it.
func traced(t *testing.T, path, end string, options ...string) (calls string, err error) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs strace, which make test installs")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("no strace: what a failure or a kill between two system calls leaves is not tried")
	}
	out := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command("strace", append(append([]string{"-f", "-y", "-o", out}, options...), os.Args[0])...)
	cmd.Env = append(os.Environ(), fileEnv+"="+path, endEnv+"="+end)
	said, err := cmd.CombinedOutput()
	if strings.Contains(string(said), "Operation not permitted") {
		t.Skipf("strace may not trace here: %s", said)
	}
	return contents(t, out), err
}

// unnamedFiles skips the test on file systems without unnamed files, as those of some containers.
func unnamedFiles(t *testing.T) {
	t.Helper()
	fd, err := unix.Open(t.TempDir(), unix.O_TMPFILE|unix.O_RDWR, 0o600)
	if err != nil {
		t.Skip(err)
	}
	_ = unix.Close(fd)
}

// noUnnamed are the options with which the file system has no unnamed files, as NFS.
func noUnnamed(path string) []string {
	return []string{"-P", filepath.Dir(path), "-e", "inject=openat:error=EOPNOTSUPP:when=1"}
}

// TestOrderOfSyncs: the contents are on disk before their name, and the name before File returns.
func TestOrderOfSyncs(t *testing.T) {
	unnamedFiles(t)
	path := old(t)
	calls, err := traced(t, path, "", "-e", "trace=fsync,linkat,/^rename")
	if err != nil || contents(t, path) != newText {
		t.Fatalf("%v: it reads %q", err, contents(t, path))
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, c := range regexp.MustCompile(`(?m)^\d+ +(fsync|linkat|rename)\w*\((?:\d+<([^>]*)>)?`).
		FindAllStringSubmatch(calls, -1) {
		what := c[1]
		if c[2] == dir {
			what += " of the directory"
		}
		order = append(order, what)
	}
	if want := []string{"fsync", "linkat", "rename", "fsync of the directory"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q:\n%s", order, want, calls)
	}
}

// TestFailures of each system call are told and leave nothing behind; the old file unless the new one has its name.
func TestFailures(t *testing.T) {
	unnamedFiles(t)
	for _, c := range []struct{ name, inject, want string }{
		{"the new file's mode cannot be set", "inject=fchmod:error=EPERM", oldText},
		{"the new file cannot be synced", "inject=fsync:error=EIO:when=1", oldText},
		{"it cannot be linked", "inject=linkat:error=ENOSPC", oldText},
		{"it cannot be renamed", "inject=/^rename:error=EACCES", oldText},
		{"its name cannot be synced", "inject=fsync:error=EIO:when=2", newText},
	} {
		path := old(t)
		_, err := traced(t, path, "", "-e", c.inject)
		var failed *exec.ExitError
		if got := contents(t, path); !errors.As(err, &failed) || failed.ExitCode() != 1 || got != c.want ||
			left(t, path) != nil {
			t.Errorf("%s: %v, it reads %q, beside it are %q", c.name, err, got, left(t, path))
		}
	}
	for end, want := range map[string]string{"": newText, "ERROR": oldText} {
		path := old(t)
		calls, err := traced(t, path, end, noUnnamed(path)...)
		if (err != nil) != (end != "") || contents(t, path) != want || left(t, path) != nil ||
			!strings.Contains(calls, "INJECTED") {
			t.Errorf("without unnamed files, %q: %v, it reads %q, beside it are %q:\n%s", end, err, contents(t, path),
				left(t, path), calls)
		}
	}
}

// TestInterrupted: whatever ends the process leaves the old file or the whole new one. Beside it is at most one hidden
// file, by a kill between two system calls, or where files cannot be without a name.
func TestInterrupted(t *testing.T) {
	unnamedFiles(t)
	for _, c := range []struct {
		name, end string
		named     bool
		inject    string
		want      []string
		leaves    int
	}{
		{"stopped halfway", "TERM", false, "", []string{oldText}, 0},
		{"killed halfway", "KILL", false, "", []string{oldText}, 0},
		{"stopped halfway, with a name", "TERM", true, "", []string{oldText}, 0},
		{"killed halfway, with a name", "KILL", true, "", []string{oldText}, 1},
		{"killed at the sync", "", false, "inject=fsync:signal=KILL:when=1", []string{oldText}, 0},
		{"killed at the link", "", false, "inject=linkat:signal=KILL", []string{oldText}, 1},
		{"killed at the rename", "", false, "inject=/^rename:signal=KILL", []string{oldText, newText}, 1},
		{"killed at the directory's sync", "", false, "inject=fsync:signal=KILL:when=2", []string{newText}, 0},
	} {
		path := old(t)
		options := []string{"-e", "trace=fsync,linkat,/^rename"}
		if c.named {
			options = noUnnamed(path)
		}
		if c.inject != "" {
			options = append(options, "-e", c.inject)
		}
		calls, err := traced(t, path, c.end, options...)
		beside := left(t, path)
		if got := contents(t, path); err == nil || !slices.Contains(c.want, got) || len(beside) > c.leaves ||
			!strings.Contains(calls, "killed by SIG") {
			t.Errorf("%s: %v, it reads %q, beside it are %q:\n%s", c.name, err, got, beside, calls)
		}
		if len(beside) > 0 && !strings.HasPrefix(beside[0], ".plimsoll-") {
			t.Errorf("%s: %q is left in sight", c.name, beside)
		}
	}
}
