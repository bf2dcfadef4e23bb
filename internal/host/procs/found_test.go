package procs

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/host/hostfs"
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

func TestFind(t *testing.T) {
	if os.Getenv("PLIMSOLL_EMULATED") != "" {
		t.Skip("this binary cannot start itself")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestListenHelper$", "-test.v")
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
	defer func() { stop.Close(); _ = cmd.Wait() }()
	address := ""
	for scan := bufio.NewScanner(out); address == "" && scan.Scan(); {
		address, _ = strings.CutPrefix(scan.Text(), "at ")
		if !strings.HasPrefix(scan.Text(), "at ") {
			address = ""
		}
	}
	root := hostfs.System()
	for name, w := range map[string]Wanted{"address": {Addresses: []string{address}}, "pid": {PID: cmd.Process.Pid}} {
		found, err := Find(root, w)
		if err != nil || !slices.Equal(found.Roots, []int{cmd.Process.Pid}) || found.Program == "" {
			t.Errorf("by %s: %+v, %v; its child is no root", name, found, err)
		}
	}
	_, port, _ := net.SplitHostPort(address)
	for address, want := range map[string]error{"127.0.0.2:" + port: ErrNobody, "/no/such/socket": ErrNobody} {
		if _, err := Find(root, Wanted{Addresses: []string{address}}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
	if _, err := Find(root, Wanted{Unit: "no-such-unit"}); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("%v", err)
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
