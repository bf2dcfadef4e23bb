package httpload

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/sys/unix"

	"plimsoll/internal/client/load"
)

// TestReadsOfOneEvent: a connection that always has bytes to read is left after mostReads of them.
func TestReadsOfOneEvent(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	buf := make([]byte, 64)
	head := []byte("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
	if _, err := unix.Write(pair[1], append(head, bytes.Repeat([]byte{'x'}, 2*mostReads*len(buf))...)); err != nil {
		t.Fatal(err)
	}
	c := conn{fd: pair[0], streams: make([]stream, 1), state: awaiting}
	c.parser.reset(false)
	if whole, f := c.receive(buf, true); whole || f.some() || !c.more {
		t.Fatalf("whole %t, %v, more %t", whole, f, c.more)
	}
	left := make([]byte, 4*mostReads*len(buf))
	if n, err := unix.Read(pair[0], left); err != nil || n != len(head)+mostReads*len(buf) {
		t.Errorf("%d bytes left, %v", n, err)
	}
}

// TestEndlessChunks: an answer of endless chunks of a byte ends by its timeout, and the other client goes on.
func TestEndlessChunks(t *testing.T) {
	var conns atomic.Int64
	chunks := bytes.Repeat([]byte("1\r\nx\r\n"), 1<<14)
	url := raw(t, func(peer net.Conn) {
		if conns.Add(1) == 1 {
			for _, err := io.WriteString(peer, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"); err == nil; {
				_, err = peer.Write(chunks)
			}
			return
		}
		for from := bufio.NewReader(peer); ; {
			io.WriteString(peer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			if _, err := http.ReadRequest(from); err != nil {
				return
			}
		}
	})
	got := ask(t, Config{URLs: []string{url}, Timeout: 200 * time.Millisecond}, clients(2), 2, 500*time.Millisecond)
	if got.err != nil || got.Ops == 0 || got.Unanswered+got.Errors[load.Timeout] == 0 ||
		errorsOf(got.Result) != got.Errors[load.Timeout] {
		t.Errorf("%d operations, %d unanswered, errors %v (%v), %v", got.Ops, got.Unanswered, got.Errors, got.stats.First,
			got.err)
	}
}

// TestBytesBeforeTheLoad: what comes on a connection that is established while others aren't yet is read in the load,
// although nothing follows it.
func TestBytesBeforeTheLoad(t *testing.T) {
	widened := make(chan struct{})
	c := accepts(t, func(i int, c net.Conn) {
		if _, err := io.ReadFull(c, make([]byte, len(preface))); err != nil {
			return
		}
		if i > 0 {
			<-widened
			time.Sleep(50 * time.Millisecond) // for the lane to meet the event
		}
		f := http2.NewFramer(c, c)
		f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 30})
		if i == 0 {
			time.Sleep(50 * time.Millisecond) // for the connection to be established
		}
		f.WriteWindowUpdate(0, 1<<30)
		if i == 0 {
			close(widened)
		}
		for {
			got, err := f.ReadFrame()
			if err != nil {
				return
			}
			if d, ok := got.(*http2.DataFrame); ok && d.StreamEnded() {
				answers(f, d.StreamID, 8)
			}
		}
	})
	c.Body = make([]byte, 2*usualWindow)
	target, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: clients(2), Lanes: 1, Duration: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	lane, err := target.NewLane(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer lane.Close()
	g.Start(g.Clock().Now())
	err = lane.Run(t.Context(), g.Lane(0))
	g.Lane(0).Leave()
	if r := g.Result(); err != nil || r.Ops == 0 || r.Unanswered > 0 || errorsOf(r) > 0 {
		t.Errorf("%d operations, %d unanswered, errors %v, %v", r.Ops, r.Unanswered, r.Errors, err)
	}
}

// TestAnswerOfManyReads: what one event leaves is read although the server sends nothing more, in an answer and after
// one.
func TestAnswerOfManyReads(t *testing.T) {
	const length = 100_000
	for name, c := range map[string]struct{ length, sent int }{
		"in an answer": {length, length}, "after one": {2, length},
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, func(peer net.Conn) {
				fmt.Fprintf(peer, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\nok", c.length)
				time.Sleep(5 * time.Millisecond) // what follows comes apart from the first two bytes
				peer.Write(make([]byte, c.sent-2))
				io.Copy(io.Discard, peer)
			})
			target, err := New(Config{URLs: []string{url}, Once: true, Timeout: 5 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			g, err := load.New(load.Config{Load: clients(1), Lanes: 1, Seed: 3, Duration: 200 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				runtime.LockOSThread()
				lane, err := target.NewLane(t.Context(), 1)
				if err == nil {
					defer lane.Close()
					lane.buf = lane.buf[:64]
					g.Start(g.Clock().Now())
					err = lane.Run(t.Context(), g.Lane(0))
					g.Lane(0).Leave()
				}
				ended <- err
			}()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			if r := g.Result(); r.Ops == 0 || errorsOf(r) > 0 || r.Unanswered > 0 {
				t.Errorf("%d operations, errors %v, %d unanswered", r.Ops, r.Errors, r.Unanswered)
			}
		})
	}
}
