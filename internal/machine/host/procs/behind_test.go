package procs

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/procfs"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	diag "plimsoll/internal/machine/host/sockets"
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
		// On a busy machine one search may miss every brief connection: they are closed before its list is complete.
		for range 20 {
			if err == nil && tc.of == brief && len(got.Roots) == 0 {
				got, err = BehindOf(hostfs.System(), []int{tc.of})
			}
		}
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
}

// TestBehindAcrossNamespaces: a service in one container and its database in another, by the addresses of both; a
// loopback is a container's own.
func TestBehindAcrossNamespaces(t *testing.T) {
	web, store := net.IPv4(172, 17, 0, 2), net.IPv4(172, 17, 0, 3)
	link := func(inode uint64, local, remote string) diag.Link {
		return diag.Link{Inode: inode, Local: netip.MustParseAddrPort(local), Remote: netip.MustParseAddrPort(remote)}
	}
	v := connections{spaces: []space{{},
		{here: []net.IP{web}, links: []diag.Link{link(1, "172.17.0.2:40000", "172.17.0.3:5432"),
			link(2, "127.0.0.1:40001", "127.0.0.1:6379"), link(3, "172.17.0.2:40002", "192.0.2.1:443"),
			link(4, "172.17.0.2:80", "172.17.0.1:50000")},
			tcp: procfs.NetTCP{{St: listening, Inode: 10, LocalPort: 80, LocalAddr: net.IPv4zero}}},
		{here: []net.IP{store}, tcp: procfs.NetTCP{
			{St: listening, Inode: 20, LocalPort: 5432, LocalAddr: net.IPv4zero},
			{St: listening, Inode: 21, LocalPort: 6379, LocalAddr: net.IPv4(127, 0, 0, 1)}}},
	}}
	listeners, elsewhere := v.ledTo(map[uint64]bool{1: true, 2: true, 3: true, 4: true, 10: true})
	if !slices.Equal(listeners, []string{"socket:[20]"}) || !slices.Equal(elsewhere, []string{"192.0.2.1:443"}) {
		t.Errorf("%v, %v", listeners, elsewhere)
	}
}

// TestLocalAddresses: as a container's files have them.
func TestLocalAddresses(t *testing.T) {
	root := hostfs.Root{Proc: t.TempDir()}
	dir := filepath.Join(root.Proc, "7", "net")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"fib_trie": "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 172.17.0.0\n        /16 link UNICAST\n     |-- 172.17.0.2\n" +
			"        /32 host LOCAL\n     |-- 172.17.255.255\n        /32 link BROADCAST\n",
		"if_inet6": "fe80000000000000004211fffe110002 05 40 20 80     eth0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(localAddresses(root, "7")); got != "[172.17.0.2 fe80::42:11ff:fe11:2]" {
		t.Error(got)
	}
}
