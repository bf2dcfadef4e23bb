package sockets

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// TestTraffic: what a connection carried is counted at both of its ends.
func TestTraffic(t *testing.T) {
	if simtest.Emulated() {
		t.Skip("qemu-user passes on no sockets of NETLINK_SOCK_DIAG")
	}
	const bytes = 300_000
	for _, network := range []string{"tcp4", "tcp"} {
		l, err := net.Listen(network, map[string]string{"tcp4": "127.0.0.1:0", "tcp": ":0"}[network])
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		port := uint16(l.Addr().(*net.TCPAddr).Port)
		client, err := net.DialTCP("tcp4", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(port)})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go func() { _, _ = io.Copy(client, strings.NewReader(strings.Repeat("x", bytes))) }()
		if _, err := io.ReadFull(server, make([]byte, bytes)); err != nil {
			t.Fatal(err)
		}
		at := func(port uint16) (c Conn) {
			all, err := Connections(1, port)
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(all, func(c Conn) bool { return c.Port == port }); i >= 0 {
				c = all[i]
			}
			return c
		}
		own := uint16(client.LocalAddr().(*net.TCPAddr).Port)
		for deadline := time.Now().Add(5 * time.Second); at(own).Acked < bytes && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond) // the last acknowledgement is under way
		}
		if c := at(port); c.Received != bytes || c.ID == 0 {
			t.Errorf("%s: the server's end: %+v", network, c)
		}
		to, err := ConnectionsTo(1, port)
		if err != nil || len(to) != 1 || to[0].Port != own || to[0].Remote.Port() != port ||
			to[0].Remote.Addr() != netip.MustParseAddr("127.0.0.1") {
			t.Errorf("%s: connections to port %d: %+v, %v", network, port, to, err)
		}
		if c := at(own); c.Acked < bytes || c.Acked > bytes+1 { // and the handshake
			t.Errorf("%s: the client's end: %+v", network, c)
		}
	}
}

func TestTornAnswers(t *testing.T) {
	for _, b := range [][]byte{{1, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{255, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}} {
		if _, _, err := parse(nil, b); err == nil {
			t.Errorf("%v was taken", b)
		}
	}
	if _, ok := connOf(make([]byte, messageBytes+2)); ok {
		t.Error("a connection without counters was taken")
	}
}
