package door

import (
	"context"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
)

// TestOnlyWhoHoldsTheKeyAnswers: a target proves its own address, and nobody else's.
func TestOnlyWhoHoldsTheKeyAnswers(t *testing.T) {
	here, other := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.5")
	d, err := Open(here, "key", "here")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := Ask(t.Context(), here, d.Port(), "key", "here"); err != nil {
		t.Error(err)
	}
	echo := listening(t, func(c net.Conn) { _, _ = io.Copy(c, c) })
	for name, c := range map[string]struct {
		at   netip.Addr
		port uint16
		key  string
	}{
		"another host":       {other, d.Port(), "key"},
		"another run's":      {here, d.Port(), "other"},
		"one that echoes":    {here, echo, "key"},
		"one that hangs up":  {here, listening(t, func(net.Conn) {}), "key"},
		"no port":            {here, 0, "key"},
		"no key":             {here, d.Port(), ""},
		"nobody":             {here, 1, "key"},
		"anywhere, in words": {netip.IPv4Unspecified(), echo, "key"},
	} {
		if err := Ask(t.Context(), c.at, c.port, c.key, "here"); err == nil ||
			!strings.Contains(err.Error(), "cannot prove it") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Ask(t.Context(), here, d.Port(), "key", "there"); err == nil {
		t.Error("what was not said is proven")
	}
	var closed *Door
	if closed.Close(); closed.Port() != 0 {
		t.Error("a closed door has a port")
	}
}

// TestAskingEnds: who never answers is not waited for longer than the caller waits.
func TestAskingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	port := listening(t, func(c net.Conn) { cancel(); _, _ = io.Copy(io.Discard, c) })
	if err := Ask(ctx, netip.MustParseAddr("127.0.0.1"), port, "key", "here"); err == nil {
		t.Error("no error")
	}
}

func listening(t *testing.T, do func(net.Conn)) uint16 {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); do(c) }()
		}
	}()
	return uint16(l.Addr().(*net.TCPAddr).Port)
}
