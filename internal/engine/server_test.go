package engine

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
)

// listenVerb makes this binary a server on the address that follows, or a program
// that fails before it is one.
const listenVerb = "engine-test-listen"

func TestMain(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != listenVerb {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", os.Args[2])
	if err != nil {
		fmt.Println("cannot serve:", err)
		os.Exit(7)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(8)
		}
		c.Close()
	}
}

func listener(t *testing.T, addr string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Engine: "listener", Path: self, Args: []string{listenVerb, addr}, ParentDeath: unix.SIGKILL}
}

func TestLaunchOnAnyAddress(t *testing.T) {
	for _, host := range []string{"", "127.0.0.2", "0.0.0.0", "::1", "::"} {
		v, err := Launch(t.Context(), Settings{Scratch: t.TempDir(), Host: host}, func(at netip.AddrPort) (Command, error) {
			return listener(t, at.String()), nil
		})
		if err != nil {
			t.Errorf("host %q: %v", host, err)
			continue
		}
		c, err := net.Dial("tcp", v.Addrs()[0])
		if err != nil {
			t.Errorf("host %q: %v", host, err)
		} else {
			c.Close()
		}
		if err := v.Stop(t.Context()); err != nil {
			t.Errorf("host %q: Stop: %v", host, err)
		}
	}
}

func TestLaunchRefuses(t *testing.T) {
	for _, c := range []struct {
		s    Settings
		want string
	}{
		{Settings{Host: "localhost"}, `listen on "localhost": not an IP address`},
		{Settings{Host: "192.0.2.1"}, "cannot listen on 192.0.2.1"}, // TEST-NET-1, RFC 5737: nobody's
		{Settings{Port: 65536}, "listen on port 65536: not within 0 to 65535"},
	} {
		_, err := Launch(t.Context(), c.s, func(netip.AddrPort) (Command, error) {
			t.Errorf("%+v: it was started", c.s)
			return Command{}, os.ErrInvalid
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

// TestAlive: what waits for a server to do something learns that it has ended, and how.
func TestAlive(t *testing.T) {
	v, err := Launch(t.Context(), Settings{Scratch: t.TempDir()},
		func(at netip.AddrPort) (Command, error) { return listener(t, at.String()), nil })
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := Alive(t.Context(), v)
	defer end()
	if err := ctx.Err(); err != nil {
		t.Error(err)
	}
	if err := unix.Kill(v.Roots()[0], unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if err := context.Cause(ctx); err == nil ||
		!strings.Contains(err.Error(), "listener ended by itself: signal: killed") {
		t.Errorf("%v", err)
	}
}

func TestLaunchQuotesWhatFails(t *testing.T) {
	_, err := Launch(t.Context(), Settings{Scratch: t.TempDir()}, func(netip.AddrPort) (Command, error) {
		return listener(t, "192.0.2.1:1"), nil
	})
	if err == nil || !strings.Contains(err.Error(), "listener ended by itself before it listened at the port") ||
		!strings.Contains(err.Error(), "exit status 7") ||
		!strings.Contains(err.Error(), "\n  cannot serve: ") {
		t.Errorf("a server that failed: %v", err)
	}
}

// A free port that another program takes before the server does is no failure
// of the server.
func TestLaunchLooksForAnotherPort(t *testing.T) {
	var taken []net.Listener
	v, err := Launch(t.Context(), Settings{Scratch: t.TempDir()}, func(at netip.AddrPort) (Command, error) {
		if len(taken) == 0 {
			l, err := net.Listen("tcp", at.String())
			if err != nil {
				return Command{}, err
			}
			taken = append(taken, l)
		}
		return listener(t, at.String()), nil
	})
	for _, l := range taken {
		defer l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if v.Addrs()[0] == taken[0].Addr().String() {
		t.Errorf("it says that it listens on %s, which is another's", v.Addrs()[0])
	}
	if err := v.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// Another program that listens on the port must not be taken for the server.
func TestReadyKnowsItsOwn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := uint64(l.Addr().(*net.TCPAddr).Port)
	sockets, err := procs.Listening(hostfs.System(), port, func(net.IP) bool { return true })
	if err != nil || len(sockets) != 1 {
		t.Fatalf("on port %d listen %v, %v, want one", port, sockets, err)
	}
	if !holds(unix.Getpgrp(), sockets) {
		t.Error("our own socket is not ours")
	}
	v, err := start(Settings{Scratch: t.TempDir()}, listener(t, "127.0.0.1:0"), netip.MustParseAddrPort(l.Addr().String()))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Stop(t.Context())
	if holds(v.Roots()[0], sockets) {
		t.Error("our socket is taken for the server's")
	}
	if owned, err := v.accepts(); owned || err != nil {
		t.Errorf("the server is said to listen on our port: %t, %v", owned, err)
	}
}

// Servers are started from threads that may end: the server must not end with them.
func TestServersOutliveTheirStartersThread(t *testing.T) {
	servers := make([]*Server, 4)
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			v, err := Launch(t.Context(), Settings{Scratch: t.TempDir()}, func(at netip.AddrPort) (Command, error) {
				return listener(t, at.String()), nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			servers[i] = v
		})
	}
	all.Wait()
	endThreads()
	for _, v := range servers {
		if v == nil {
			continue
		}
		c, err := net.Dial("tcp", v.Addrs()[0])
		if err != nil {
			t.Errorf("a server is gone: %v", err)
		} else {
			c.Close()
		}
		if err := v.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if err := v.Wait(); err != nil {
			t.Errorf("it had ended before it was stopped: %v", err)
		}
	}
}
