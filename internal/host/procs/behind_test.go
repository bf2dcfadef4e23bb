package procs

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/simtest"
)

// relayEnv makes this test's binary a server at an address, "NETWORK ADDRESS", which connects to others, one a line.
const relayEnv = "PLIMSOLL_TEST_RELAY"

func TestRelayHelper(t *testing.T) {
	told := strings.Split(os.Getenv(relayEnv), "\n")
	if told[0] == "" {
		t.Skip("it is a helper of TestBehind")
	}
	network, address, _ := strings.Cut(told[0], " ")
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = c.Write([]byte("x"))
				_, _ = c.Read(make([]byte, 1)) // until the client has gone
				c.Close()
			}()
		}
	}()
	for _, to := range told[1:] {
		network, address, _ := strings.Cut(to, " ")
		briefly := network == "brief"
		if briefly {
			network = "tcp"
		}
		for {
			c, err := net.Dial(network, address)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Read(make([]byte, 1))
			if !briefly {
				break
			}
			os.Stdout.WriteString("at " + l.Addr().String() + "\n")
			time.Sleep(time.Millisecond)
			c.Close()
		}
	}
	os.Stdout.WriteString("at " + l.Addr().String() + "\n")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// relay starts a server, and returns its process and "NETWORK ADDRESS".
func relay(t *testing.T, told ...string) (pid int, at string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRelayHelper$", "-test.v")
	cmd.Env = append(os.Environ(), relayEnv+"="+strings.Join(told, "\n"))
	out, err := cmd.StdoutPipe()
	if err == nil {
		_, err = cmd.StdinPipe() // its end ends the server
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	network, _, _ := strings.Cut(told[0], " ")
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		if at, ok := strings.CutPrefix(scan.Text(), "at "); ok {
			go func() {
				for scan.Scan() { // so that it can go on writing
				}
			}()
			return cmd.Process.Pid, network + " " + at
		}
	}
	t.Fatal("it does not listen")
	return 0, ""
}

// TestBehind: what a server is connected to is found over TCP and UNIX sockets, directly and in turn, also if its
// connections are brief; who is connected to the server is not behind it.
func TestBehind(t *testing.T) {
	simtest.Forks(t)
	socket := "unix " + filepath.Join(t.TempDir(), "s")
	store, at := relay(t, "tcp 127.0.0.1:0")
	cache, local := relay(t, socket)
	app, front := relay(t, "tcp 127.0.0.1:0", at, local)
	pooler, door := relay(t, "tcp 127.0.0.1:0", front)
	brief, _ := relay(t, "tcp 127.0.0.1:0", "brief "+strings.TrimPrefix(at, "tcp "))
	relay(t, "tcp 127.0.0.1:0", door) // a client of the pooler
	for _, tc := range []struct {
		of   int
		want []int
	}{{store, nil}, {cache, nil}, {app, []int{store, cache}}, {pooler, []int{app, store, cache}}, {brief, []int{store}}} {
		got, err := BehindOf(hostfs.System(), []int{tc.of})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got.Roots)
		slices.Sort(tc.want)
		if !slices.Equal(got.Roots, tc.want) || len(got.Elsewhere) > 0 ||
			(len(tc.want) > 0) != slices.Equal(got.Programs, []string{filepath.Base(os.Args[0])}) {
			t.Errorf("%d: %+v, want %v", tc.of, got, tc.want)
		}
	}
	v := connections{tcp: nil}
	if v.isHere(net.IPv4(192, 0, 2, 1)) || !v.isHere(net.IPv6loopback) {
		t.Error("192.0.2.1 is another host's")
	}
}
