package procs

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
)

// listenEnv makes this test's binary a server, of two processes that both hold the listening socket.
const listenEnv = "PLIMSOLL_TEST_LISTEN"

func TestListenHelper(t *testing.T) {
	if os.Getenv(listenEnv) == "" {
		t.Skip("it is a helper of TestFind")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "600")
	child.ExtraFiles = []*os.File{f}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	os.Stdout.WriteString("at " + l.Addr().String() + "\n")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// listen starts a server of a copy of this test's binary, by name, and returns its process and its address.
func listen(t *testing.T, name string) (pid int, address string) {
	t.Helper()
	simtest.Forks(t)
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(exe, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestListenHelper$", "-test.v")
	cmd.Env = append(os.Environ(), listenEnv+"=1")
	stop, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop.Close(); _ = cmd.Wait() })
	for scan := bufio.NewScanner(out); scan.Scan(); {
		if at, ok := strings.CutPrefix(scan.Text(), "at "); ok {
			return cmd.Process.Pid, at
		}
	}
	t.Fatal("it does not listen")
	return 0, ""
}

// What publishes a container's port does none of its work.
func TestProxy(t *testing.T) {
	pid, address := listen(t, "docker-proxy")
	if _, err := Find(hostfs.System(), Wanted{Addresses: []string{address}}); !errors.Is(err, ErrProxy) {
		t.Errorf("by its address: %v", err)
	}
	if _, err := Find(hostfs.System(), Wanted{PID: pid}); err != nil {
		t.Errorf("by its pid: %v", err)
	}
}

func TestDataDir(t *testing.T) {
	var dirs []string
	for range 2 {
		dirs = append(dirs, t.TempDir())
	}
	for _, name := range []string{dirs[0] + "/a", dirs[1] + "/b", dirs[1] + "/c"} {
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	for range 4 {
		f, err := os.Open(dirs[0] + "/a")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	var st unix.Stat_t
	if err := unix.Stat(dirs[0], &st); err != nil {
		t.Fatal(err)
	}
	want := dirs[1]
	if unix.Major(st.Dev) == 0 && !onBtrfs(dirs[0]) {
		want = "" // on tmpfs or an overlay
	}
	if got := DataDir(hostfs.System(), []int{os.Getpid()}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFind(t *testing.T) {
	pid, address := listen(t, "server")
	root := hostfs.System()
	for name, w := range map[string]Wanted{"address": {Addresses: []string{address}}, "pid": {PID: pid}} {
		found, err := Find(root, w)
		if err != nil || !slices.Equal(found.Roots, []int{pid}) || found.Program == "" {
			t.Errorf("by %s: %+v, %v; its child is no root", name, found, err)
		}
	}
	_, port, _ := net.SplitHostPort(address)
	for address, want := range map[string]error{"127.0.0.2:" + port: ErrNobody, "/no/such/socket": ErrNobody} {
		if _, err := Find(root, Wanted{Addresses: []string{address}}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
	for want, w := range map[string]Wanted{
		"no process is in the systemd unit no-such-unit":            {Unit: "no-such-unit"},
		"no process is in a container whose id begins with deadbee": {Container: "deadbee"},
		"no process has the pid 4194304":                            {PID: 1 << 22},
	} {
		if _, err := Find(root, w); !errors.Is(err, ErrNone) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if _, err := Find(root, Wanted{Addresses: []string{own.Addr().String()}}); !errors.Is(err, ErrParent) {
		t.Errorf("this process itself: %v", err)
	}
	path := t.TempDir() + "/s"
	local, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	if _, err := Find(root, Wanted{Addresses: []string{path}}); !errors.Is(err, ErrParent) {
		t.Errorf("a UNIX socket of this process: %v", err)
	}
}
