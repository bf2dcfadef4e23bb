package waits

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

func kernel(names ...string) []record.Frame {
	var out []record.Frame
	for _, n := range names {
		out = append(out, record.Frame{Function: n, Module: record.ModuleKernel})
	}
	return out
}

func TestParseTaskStat(t *testing.T) {
	for text, want := range map[string]taskStat{
		"12 (postgres) S 1 2 3":       {"postgres", 'S'},
		"12 (a) b (c)) D 1 2 3":       {"a) b (c)", 'D'},
		"12 (tokio-runtime-w) R 1 2 ": {"tokio-runtime-w", 'R'},
		"12 postgres S":               {},
		"12 (x)":                      {},
		"":                            {},
	} {
		got, err := parseTaskStat([]byte(text))
		if got != want || (err != nil) != (want == taskStat{}) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// realStack is of a thread of Linux 6.18 that waits for a lock; realModule has the forms that lib/vsprintf.c gives to
// functions of modules, and to those without symbols.
const (
	realStack = "[<0>] futex_do_wait+0x46/0x90\n[<0>] __futex_wait+0x8a/0x100\n[<0>] futex_wait+0x67/0x120\n[<0>] " +
		"do_futex+0xfd/0x250\n[<0>] __x64_sys_futex+0x112/0x210\n[<0>] do_syscall_64+0x71/0x280\n[<0>] " +
		"entry_SYSCALL_64_after_hwframe+0x76/0x7e\n"
	realModule = "[<0>] jbd2_log_wait_commit+0xd9/0x130 [jbd2]\n[<0>] 0xffffffffc0123456\n"
)

func TestParseKernelStack(t *testing.T) {
	for text, want := range map[string][]record.Frame{
		realStack: kernel("futex_do_wait", "__futex_wait", "futex_wait", "do_futex", "__x64_sys_futex", "do_syscall_64",
			"entry_SYSCALL_64_after_hwframe"),
		realModule: kernel("jbd2_log_wait_commit", ""),
		"":         nil,
	} {
		if got, err := parseKernelStack([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if _, err := parseKernelStack([]byte("no stack")); err == nil {
		t.Error("took nonsense for a stack")
	}
}

func TestParseSyscall(t *testing.T) {
	for text, want := range map[string]string{
		"running": "", "-1 0x7ffd 0x7f": "", "": "", "x": "",
		"74 0x3 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f": map[string]string{"amd64": "fsync",
			"arm64": "system call 74"}[runtime.GOARCH],
		"9999 0x1": "system call 9999",
	} {
		if got, ok := parseSyscall([]byte(text)); got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", text, got, ok, want)
		}
	}
	for n, want := range map[int]string{unix.SYS_FUTEX: "futex", unix.SYS_FDATASYNC: "fdatasync",
		unix.SYS_EPOLL_PWAIT: "epoll_pwait"} {
		if got := waitingCall(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestWaitsAreSeen: a thread of this process that waits for a pipe is seen at every look.
func TestWaitsAreSeen(t *testing.T) {
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		t.Fatal(err)
	}
	tids, done := make(chan int), make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		tids <- unix.Gettid()
		for {
			if _, err := unix.Read(pipe[0], make([]byte, 1)); !errors.Is(err, unix.EINTR) {
				return
			}
		}
	}()
	s := NewSampler(hostfs.System(), nil, []int{<-tids})
	s.Start()
	// Looks are rarer where each takes long, as on a CPU that is emulated: what they have cost says that there was one
	// more.
	cost := 0.0
	for looks, end := 0, time.Now().Add(time.Minute); looks < 4 && time.Now().Before(end); time.Sleep(Step / 4) {
		if now := s.CPUSeconds(); now != cost {
			looks, cost = looks+1, now
		}
	}
	got := s.Stop()
	if got.CostS <= 0 || got.CostS != s.CPUSeconds() {
		t.Errorf("it cost %g s, or %g", got.CostS, s.CPUSeconds())
	}
	if again := s.Stop(); again.Looks != got.Looks {
		t.Errorf("stopped twice: %+v", again)
	}
	if _, err := unix.Write(pipe[1], []byte("x")); err != nil {
		t.Fatal(err)
	}
	<-done
	n := int64(0)
	for _, k := range got.Stacks {
		if slices.ContainsFunc(k.Frames, func(f record.Frame) bool {
			return strings.Contains(f.Function, "pipe") || strings.Contains(f.Function, "read")
		}) {
			n += k.N
		}
	}
	if got.Looks < 2 || n < int64(got.Looks)-1 || n > int64(got.Looks) || got.How == "" ||
		got.StepNs < Step.Nanoseconds()/2 {
		t.Errorf("%+v", got)
	}
}

// TestOneThreadSaysNothingOfOthers: one that has ended or been woken between two files of it changes nothing of how
// others are looked at.
func TestOneThreadSaysNothingOfOthers(t *testing.T) {
	dir := t.TempDir()
	thread := func(tid string, files map[string]string) string {
		path := filepath.Join(dir, tid)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	ended := filepath.Join(dir, "41")
	stacked := thread("42", map[string]string{"stack": realModule})
	woken := thread("43", map[string]string{"wchan": "0", "syscall": "running"})
	named := thread("44", map[string]string{"wchan": "do_epoll_wait"})
	s := NewSampler(hostfs.System(), nil, nil)
	for _, c := range []struct {
		dir  string
		want []record.Frame
		how  string
	}{
		{ended, nil, "stack"},
		{stacked, kernel("jbd2_log_wait_commit", ""), "stack"},
		{woken, nil, "syscall"}, // it has no stack: this kernel shows none
		{named, kernel("do_epoll_wait"), "wchan"},
		{woken, nil, "wchan"},
		{named, kernel("do_epoll_wait"), "wchan"},
	} {
		if got := s.waitsIn(c.dir); !reflect.DeepEqual(got, c.want) || s.how() != c.how {
			t.Errorf("%s: %+v by %s, want %+v by %s", c.dir, got, s.how(), c.want, c.how)
		}
	}
}

// futexCall is the number of futex(2) on this architecture.
var futexCall = strconv.Itoa(unix.SYS_FUTEX)

// TestWaitsInTheBestPermittedWay: as a machine shows them that forbids stacks, and then the functions too.
func TestWaitsInTheBestPermittedWay(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		how   string
		want  []record.Frame
	}{
		"stack":   {map[string]string{"stack": realModule, "wchan": "x"}, "stack", kernel("jbd2_log_wait_commit", "")},
		"wchan":   {map[string]string{"wchan": "do_epoll_wait"}, "wchan", kernel("do_epoll_wait")},
		"syscall": {map[string]string{"wchan": "0", "syscall": "9999 0x1"}, "syscall", kernel("system call 9999")},
		"nothing": {map[string]string{"wchan": "0"}, "syscall", nil},
		// As of a thread in pthread_mutex_lock, in pthread_cond_wait, and of one that woke meanwhile.
		"mutex": {map[string]string{"wchan": "futex_do_wait", "syscall": futexCall +
			" 0x55d0c00090e0 0x80 0x2 0x0 0x0 0x0 0x7ffd 0x7f11"}, "wchan", kernel(record.ContendedMutex, "futex_do_wait")},
		"bitset": {map[string]string{"wchan": "futex_do_wait",
			"syscall": futexCall + " 0x55d0c00090e0 0x189 0x2 0x0 0x0 0xffffffff 0x7ffd 0x7f11"}, "wchan",
			kernel(record.ContendedMutex, "futex_do_wait")},
		"condition": {map[string]string{"wchan": "futex_do_wait", "syscall": futexCall +
			" 0x55d0c00090e0 0x189 0x0 0x0 0x0 0xffffffff 0x7ffd 0x7f11"}, "wchan", kernel("futex_do_wait")},
		"woken": {map[string]string{"wchan": "futex_do_wait", "syscall": "running"}, "wchan", kernel("futex_do_wait")},
	} {
		root := hostfs.Root{Proc: t.TempDir()}
		dir := filepath.Join(root.Proc, "42", "task", "43")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		c.files["stat"], c.files["schedstat"] = "43 (wal writer) D 1", "1 2 3\n"
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := NewSampler(root, func() []int { return []int{42, 44} }, nil)
		for range 3 { // the later ones by schedstat alone
			s.look()
		}
		if err := os.WriteFile(filepath.Join(dir, "schedstat"), []byte("1 2 4\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "stat"), []byte("43 (wal writer) R 1"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.look()
		close(s.stopped)
		got := s.Stop()
		want := []record.Stack{{Frames: c.want, Thread: "wal writer", N: 3}}
		if !reflect.DeepEqual(got.Stacks, want) || got.How != c.how || got.Looks != 4 ||
			!slices.Equal(s.Seen(), []int{42, 44}) {
			t.Errorf("%s: %+v, seen %v", name, got, s.Seen())
		}
	}
}

func FuzzTaskStat(f *testing.F) {
	f.Add([]byte("12 (a) b (c)) D 1 2 3"))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = parseTaskStat(b)
		_, _ = parseSyscall(b)
		_, _ = parseWchan(b)
	})
}

func FuzzKernelStack(f *testing.F) {
	f.Add([]byte(realStack))
	f.Add([]byte(realModule))
	f.Fuzz(func(t *testing.T, b []byte) {
		frames, err := parseKernelStack(b)
		if err == nil && len(frames) > strings.Count(string(b), "\n")+1 {
			t.Errorf("%d frames of %q", len(frames), b)
		}
	})
}
