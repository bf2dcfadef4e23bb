package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/ring"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/minio"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/record/session"
)

// commands are what our scripts can do beside testscript's own.
func commands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"exitcode":  exitcode,
		"flip":      flip,
		"cut":       cut,
		"await":     await,
		"gone":      gone,
		"slay":      slay,
		"busy":      busy,
		"halt":      halt,
		"send":      send,
		"present":   present,
		"misbehave": misbehave,
		"network":   network,
		"sshd":      sshd,
		"hangup":    hangup,
		"deserted":  deserted,
		"answer":    answer,
		"provide":   provide,
		"profiled":  profiledSession,
		"nights":    nights,
		"loopdisk":  loopdisk,
		"freeport":  freeport,
		"written":   filled,
		"recorded":  recorded,
	}
}

// exitcode CODE COMMAND... runs a command that must end with exactly that code.
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%q: exit code %d, want %d", args[1:], got, want)
	}
}

// flip FILE OFFSET turns one bit of a file over; a negative offset counts from
// its end.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	path, at, b := at(ts, args)
	b[at] ^= 1
	ts.Check(os.WriteFile(path, b, 0o644))
}

// cut FILE OFFSET shortens a file.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE OFFSET")
	}
	path, at, b := at(ts, args)
	ts.Check(os.WriteFile(path, b[:at], 0o644))
}

func at(ts *testscript.TestScript, args []string) (path string, offset int, b []byte) {
	path = ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	offset, err = strconv.Atoi(args[1])
	ts.Check(err)
	if offset < 0 {
		offset += len(b)
	}
	if offset < 0 || offset >= len(b) {
		ts.Fatalf("%s has no byte %s", args[0], args[1])
	}
	return path, offset, b
}

// condition adds to the conditions of scripts [mounts], file systems can be
// mounted in a namespace made by `unshare $UNSHARE`, [netns], network namespaces can be made and linked, [direct],
// files of a script take direct reads and writes, [loop], files can be made devices, [rings], there is io_uring, and
// [ondisk], the tests' files lie on a disk that can be seen. [night] are the scripts of `make test-night`.
func condition(cond string) (bool, error) {
	switch cond {
	case "mounts":
		return exec.Command("unshare", unshareFlag(), "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
	case "night":
		return simtest.Night(), nil
	case "logarithms": // Debian's busybox is built without mathematics, and awk can be its
		return exec.Command("awk", "BEGIN { exit log(1) }").Run() == nil, nil
	case "onecpu":
		return runtime.NumCPU() == 1, nil
	case "netns":
		return networks()
	case "direct":
		return takesDirect(os.TempDir()), nil
	case "loop":
		return os.Geteuid() == 0 && loops(), nil
	case "bashcompletion":
		_, missing := os.Stat("/usr/share/bash-completion/bash_completion")
		return missing == nil && has("script"), nil
	case "pytools":
		_, missing := os.Stat(filepath.Join(pythonTools(), "otava"))
		return missing == nil, nil
	case "ansible":
		return hasAnsible(), nil
	case "kubernetes":
		_, missing := os.Stat(filepath.Join(kubernetesDir(), "installed"))
		return missing == nil, nil
	case "slurm":
		return hasSlurm(), nil
	case "minio": // its build takes minutes, and belongs to the night
		_, missing := engine.FindDefault(context.Background(), minio.Engine{})
		return missing == nil, nil
	case "rings":
		return ring.Available() == nil, nil
	case "ondisk":
		// Where testscript puts its directories.
		where, err := storage.Of(hostfs.System(), cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir()))
		return err == nil && len(where.Disks) > 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// takesDirect says whether files in a directory can be opened past the page cache, lie on a disk, and have room there.
func takesDirect(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || uint32(fs.Type) == unix.TMPFS_MAGIC {
		return false
	}
	// What the workload leaves free, and as much again as any script takes.
	if free := int64(fs.Bavail) * fs.Bsize; free < max(int64(fs.Blocks)*fs.Bsize/20, 1<<30)+1<<30 {
		return false
	}
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_DIRECT|unix.O_CLOEXEC, 0o600)
	return err == nil && unix.Close(fd) == nil
}

// loops says whether a file can be made a device.
func loops() bool {
	f, err := os.CreateTemp("", "loop")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if f.Truncate(1<<20) != nil {
		return false
	}
	dev, err := exec.Command("losetup", "-f", "--show", f.Name()).Output()
	return err == nil && exec.Command("losetup", "-d", strings.TrimSpace(string(dev))).Run() == nil
}

// unshareFlag is what makes a mount namespace here: one of a user's own needs
// a kernel that lets users have them.
func unshareFlag() string {
	if os.Geteuid() == 0 {
		return "-m"
	}
	return "-Urm"
}

// answer VAR puts the URL of a web server into the environment, that stands until the script ends. Its /orders takes
// authorized POST requests with a JSON body only.
func answer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answer VAR")
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		switch {
		case r.URL.Path != "/orders":
		case err != nil, r.Method != http.MethodPost, r.Header.Get("Content-Type") != "application/json",
			string(body) != `{"item":1}`+"\n":
			w.WriteHeader(http.StatusBadRequest)
		case r.Header.Get("Authorization") != "Bearer s3same":
			w.WriteHeader(http.StatusUnauthorized)
		}
		fmt.Fprint(w, "here")
	}))
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
}

// patience is how long a script waits for what must come.
const patience = 5 * time.Minute

func until(ts *testscript.TestScript, what string, done func() bool) {
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// await N FILE waits until a session holds N trials that are not void, as those are in which the machine stood still,
// or that are over what the target carries.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await N FILE")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	path := ts.MkAbs(args[1])
	until(ts, "trials in "+args[1], func() bool {
		b, _ := os.ReadFile(path)
		n := 0
		for line := range bytes.Lines(b) {
			if bytes.HasPrefix(line, []byte(`{"kind":"trial"`)) &&
				(!bytes.Contains(line, []byte(`"void":"`)) || bytes.Contains(line, []byte(`"over":true`))) {
				n++
			}
		}
		return n >= want
	})
}

// filled is written FILE, which waits until a file holds something.
func filled(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: written FILE")
	}
	path := ts.MkAbs(args[0])
	until(ts, args[0], func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	})
}

// recorded NAME[=AS]... gives a script NAME.plimsoll.jsonl of testdata/recorded, under another name if one is stated: a
// session that scripts/record-sessions has measured, for scripts that only read one.
func recorded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: recorded NAME[=AS]...")
	}
	for _, arg := range args {
		name, as, renamed := strings.Cut(arg, "=")
		if !renamed {
			as = name
		}
		text, err := os.ReadFile(recordedSession(name))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(as+session.Suffix), text, 0o600))
	}
}

// recordedSession is the file of a recorded session.
func recordedSession(name string) string {
	return filepath.Join("testdata", "recorded", name+session.Suffix)
}

// freeport VAR... puts ports into the environment on which nobody listens, and that the kernel gives to no connection
// meanwhile.
func freeport(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: freeport VAR...")
	}
	ports, err := engine.FreePorts(len(args))
	ts.Check(err)
	for i, name := range args {
		ts.Setenv(name, strconv.Itoa(int(ports[i])))
	}
}

// gone TEXT waits until no process has TEXT in its command line.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone TEXT")
	}
	until(ts, "the end of "+args[0], func() bool { return len(processes(ts, args[0])) == 0 })
}

// present TEXT waits until a process has TEXT in its command line.
func present(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: present TEXT")
	}
	until(ts, "a process "+args[0], func() bool { return len(processes(ts, args[0])) > 0 })
}

// slay NAME kills the agent that the background command NAME has running.
func slay(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: slay NAME")
	}
	parent := background(ts, args[0]).Pid
	var agents []int
	until(ts, "an agent of "+args[0], func() bool {
		agents = children(parent)
		return len(agents) > 0
	})
	for _, pid := range agents {
		ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	}
}

// busy NAME waits until the agent that the background command NAME has running has used a second of CPU time: more than
// it takes before its window begins.
func busy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: busy NAME")
	}
	parent := background(ts, args[0]).Pid
	until(ts, "work of an agent of "+args[0], func() bool {
		for _, pid := range children(parent) {
			if p, err := procfs.NewProc(pid); err == nil {
				if stat, err := p.Stat(); err == nil && stat.CPUTime() > .5 {
					return true
				}
			}
		}
		return false
	})
}

// halt NAME DURATION stops the agent that the background command NAME has running for so long, as a debugger or a
// frozen container would.
func halt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: halt NAME DURATION")
	}
	d, err := time.ParseDuration(args[1])
	ts.Check(err)
	agents := children(background(ts, args[0]).Pid)
	for _, pid := range agents {
		ts.Check(syscall.Kill(pid, syscall.SIGSTOP))
	}
	time.Sleep(d)
	for _, pid := range agents {
		ts.Check(syscall.Kill(pid, syscall.SIGCONT))
	}
}

// send SIGNAL NAME sends a signal to the background run that writes NAME.plimsoll.jsonl. After STOP it waits until that
// has stopped: a thread that runs goes on until the one that got the signal has its turn.
func send(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: send SIGNAL NAME")
	}
	sig := unix.SignalNum("SIG" + args[0])
	if sig == 0 {
		ts.Fatalf("no signal %s", args[0])
	}
	run := background(ts, args[1])
	ts.Check(run.Signal(sig))
	for stopped := sig != unix.SIGSTOP; !stopped; {
		err := unix.Waitid(unix.P_PID, run.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if stopped = err == nil; !stopped && !errors.Is(err, unix.EINTR) {
			ts.Fatalf("waiting until %s has stopped: %v", args[1], err)
		}
	}
}

// background is the background run that writes NAME.plimsoll.jsonl.
func background(ts *testscript.TestScript, name string) *os.Process {
	for _, cmd := range ts.BackgroundCmds() {
		if strings.Contains(strings.Join(cmd.Args, " "), " "+name+".plimsoll.jsonl") {
			return cmd.Process
		}
	}
	ts.Fatalf("no run in the background writes %s.plimsoll.jsonl", name)
	return nil
}

// processes are those of this script with text in their command line, without the runs that
// were asked to start them.
func processes(ts *testscript.TestScript, text string) []int {
	var out []int
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range dirs {
		b, err := os.ReadFile(path)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		line := string(bytes.ReplaceAll(b, []byte{0}, []byte(" ")))
		if err == nil && strings.Contains(line, text) && !strings.Contains(line, "plimsoll run") &&
			ofScript(pid, line, ts.Getenv("WORK")) {
			out = append(out, pid)
		}
	}
	return out
}

// ofScript says whether a process may be of the script that works in a directory: it does not work in that of another
// script. Some have no environment, or have written over it.
func ofScript(pid int, line, work string) bool {
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for _, e := range bytes.Split(environ, []byte{0}) {
		if dir, ok := bytes.CutPrefix(e, []byte("WORK=")); ok {
			return string(dir) == work
		}
	}
	return !strings.Contains(line, "testscript") || strings.Contains(line, work)
}

func children(pid int) []int {
	var out []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range tasks {
		b, _ := os.ReadFile(path)
		for _, f := range strings.Fields(string(b)) {
			child, err := strconv.Atoi(f)
			if err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}

// provide ENGINE... has engines set up below the script's XDG_CACHE_HOME: those that all tests share.
func provide(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || ts.Getenv("XDG_CACHE_HOME") == "" {
		ts.Fatalf("usage: XDG_CACHE_HOME=DIR, provide ENGINE...")
	}
	for _, name := range args {
		ts.Check(share(name, ts.Getenv("XDG_CACHE_HOME")))
	}
}

// share sets an engine up in the user's own cache, where it is not there yet, and links it into another one.
func share(name, cache string) error {
	out, err := exec.Command("plimsoll", "setup", name).CombinedOutput()
	if err != nil {
		return fmt.Errorf("plimsoll setup %s: %w: %s", name, err, out)
	}
	name, _, _ = strings.Cut(name, engine.ReleaseMark) // releases are beside each other
	from, err := engine.CacheDir(name)
	if err != nil {
		return err
	}
	to := filepath.Join(cache, "plimsoll", "engines")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := os.Symlink(from, filepath.Join(to, name)); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}
