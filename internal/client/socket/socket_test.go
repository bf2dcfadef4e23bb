package socket

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pair returns a socket and the connection at its other end.
func pair(t *testing.T) (*Socket, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	other, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Take(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), s.Close(), other.Close()); err != nil {
			t.Error(err)
		}
	})
	return s, other
}

// TestMoves: what one end writes the other reads, and its end is io.EOF.
func TestMoves(t *testing.T) {
	s, other := pair(t)
	if n, err := s.Write([]byte("abc")); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	b := make([]byte, 3)
	if _, err := io.ReadFull(other, b); err != nil || string(b) != "abc" {
		t.Fatal(string(b), err)
	}
	if _, err := other.Write([]byte("de")); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Read(b); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if err := other.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(b); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestWaitsNoLonger: a limit and a context end a call in which nothing moves, although Go's scheduler interrupts it.
func TestWaitsNoLonger(t *testing.T) {
	s, _ := pair(t)
	s.Limit = 300 * time.Millisecond
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, ErrStalled) {
		t.Error(err)
	}
	if err := unix.SetsockoptInt(s.FD, unix.SOL_SOCKET, unix.SO_SNDBUF, 1<<16); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Write(make([]byte, 64<<20)); !errors.Is(err, ErrStalled) || n == 0 {
		t.Error(n, err)
	}
	s.Limit = 0
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	s.Within(ctx)
	cancel(why)
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, why) {
		t.Error(err)
	}
}

// TestTakesDescriptorsOnly: a connection without a descriptor is closed.
func TestTakesDescriptorsOnly(t *testing.T) {
	a, b := net.Pipe()
	defer b.Close()
	if _, err := Take(a); err == nil {
		t.Error("a pipe in memory was taken")
	}
	if _, err := a.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}
