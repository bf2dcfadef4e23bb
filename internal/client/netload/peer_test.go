package netload

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func key() []byte { return []byte("a key of this test") }

// peer starts a peer in this process.
func peer(t *testing.T) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Peer{Key: key(), Most: 4}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = p.Serve(ctx, l)
	}()
	// Each end waits in the kernel on a thread of Go's.
	procs := runtime.GOMAXPROCS(8)
	t.Cleanup(func() {
		l.Close()
		cancel()
		<-served
		runtime.GOMAXPROCS(procs)
	})
	return l.Addr().(*net.TCPAddr).AddrPort()
}

func dial(t *testing.T, at netip.AddrPort, o Order) *Conn {
	t.Helper()
	c, err := Dial(context.Background(), at, key(), o, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestAccounts: both ends count the same, in every mode, and a lost datagram is missing on one side.
func TestAccounts(t *testing.T) {
	at := peer(t)
	for name, o := range map[string]Order{
		"out":          {Mode: Stream, Transport: TCP, Out: true, Size: 4096},
		"in":           {Mode: Stream, Transport: TCP, Size: 4096},
		"trips":        {Mode: RoundTrip, Transport: TCP, Size: 64, Answer: 128},
		"udp trips":    {Mode: RoundTrip, Transport: UDP, Size: 64, Answer: 128},
		"datagrams":    {Mode: Stream, Transport: UDP, Out: true, Size: 512},
		"datagrams in": {Mode: Stream, Transport: UDP, Size: 512},
	} {
		t.Run(name, func(t *testing.T) {
			o.Timeout = 5 * time.Second
			c := dial(t, at, o)
			if err := c.Begin(context.Background()); err != nil {
				t.Fatal(err)
			}
			bytes := int64(0)
			for range 20 {
				m, err := c.Next(3)
				if err != nil || m.Lost {
					t.Fatal(m, err)
				}
				bytes += m.Bytes
			}
			if o.Transport == TCP && c.WirePerByte() <= 1 {
				t.Errorf("%g bytes on the wire for each", c.WirePerByte())
			}
			if err := c.Finish(); err != nil {
				t.Fatal(err)
			}
			got, err := c.Account()
			if err != nil || got.Broken != "" {
				t.Fatal(got, err)
			}
			sender, receiver := c.Own, got
			if !o.Out && o.Mode == Stream {
				sender, receiver = got, c.Own
			}
			switch {
			case sender.Sent < 20, o.Transport == TCP && (sender.Sent != receiver.Received ||
				sender.SentBytes != receiver.GotBytes), receiver.Received > sender.Sent:
				t.Errorf("sent %+v, received %+v", sender, receiver)
			case receiver.GotBytes != receiver.Received*int64(o.Size), sender.SentBytes != sender.Sent*int64(o.Size):
				t.Errorf("bytes: %+v, %+v", sender, receiver)
			case bytes > receiver.GotBytes && o.Mode == Stream && o.Out:
				t.Errorf("%d bytes were confirmed, and %d arrived", bytes, receiver.GotBytes)
			case o.Mode == RoundTrip && (got.Sent != c.Own.Received || c.Own.GotBytes != 20*int64(o.Answer)):
				t.Errorf("answers: %+v, %+v", got, c.Own)
			}
		})
	}
}

// TestStrangers: who does not know the key gets nothing, and neither does who names another's connection.
func TestStrangers(t *testing.T) {
	at := peer(t)
	o := Order{Mode: Stream, Transport: TCP, Out: true, Size: 64, Timeout: time.Second}
	if _, err := Dial(context.Background(), at, []byte("another key"), o, 1); err == nil {
		t.Error("a stranger got in")
	}
	echo := accepting(t, func(c net.Conn) {
		_, _ = c.Write(make([]byte, challengeBytes))
		go func() { _, _ = io.Copy(c, c) }()
	})
	for _, h := range []hello{{Order: &o}, {Data: "a name"}} {
		if _, _, err := proved(context.Background(), echo, key(), h, o); !errors.Is(err, errProof) {
			t.Errorf("a stranger's echo of %+v: %v", h, err)
		}
	}
	_, _, err := proved(context.Background(), at, key(), hello{Data: "made up"}, o)
	if err == nil || !strings.Contains(err.Error(), "no such connection") {
		t.Error(err)
	}
	o.Size = 1
	_, err = Dial(context.Background(), at, key(), o, 1)
	if err == nil || !strings.Contains(err.Error(), "no such order") {
		t.Error(err)
	}
	c, err := net.Dial("tcp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = c.Write([]byte(strings.Repeat("x", 1000)))
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if got, err := io.ReadAll(c); len(got) > challengeBytes || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestFull: a peer has no more connections than it was made for.
func TestFull(t *testing.T) {
	at := peer(t)
	o := Order{Mode: Stream, Transport: TCP, Out: true, Size: 64, Timeout: time.Second}
	for range 4 {
		dial(t, at, o)
	}
	_, err := Dial(context.Background(), at, key(), o, 1)
	if err == nil || !strings.Contains(err.Error(), "4 connections") {
		t.Error(err)
	}
}

// silent accepts connections as a peer does, and then reads nothing.
func silent(t *testing.T) netip.AddrPort {
	t.Helper()
	return accepting(t, func(c net.Conn) {
		if challenge, _, err := challenged(c, key()); err == nil {
			_ = put(c, key(), challenge, welcome{Name: "silent"})
		}
	})
}

// accepting accepts connections, and calls then with each in turn.
func accepting(t *testing.T, then func(net.Conn)) netip.AddrPort {
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
			t.Cleanup(func() { c.Close() })
			then(c)
		}
	}()
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// TestStopsReading: a peer that reads nothing is an error in bounded time, with what was sent.
func TestStopsReading(t *testing.T) {
	c := dial(t, silent(t), Order{Mode: Stream, Transport: TCP, Out: true, Size: 1 << 20, Timeout: 400 * time.Millisecond})
	if err := c.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := c.Next(1); err != nil {
			if !strings.Contains(err.Error(), "has read nothing for 400ms") || !strings.Contains(err.Error(), "\nhint: ") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("a thousand blocks were written to nobody")
}

// TestAnswersNothing: a peer that reads a request and sends no answer is told from one that reads nothing.
func TestAnswersNothing(t *testing.T) {
	c := dial(t, silent(t), Order{Mode: RoundTrip, Transport: TCP, Out: true, Size: 64, Answer: 64,
		Timeout: 400 * time.Millisecond})
	if err := c.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(1); err == nil || !strings.Contains(err.Error(), "has sent nothing for 400ms, after 64 bytes") {
		t.Error(err)
	}
}

// TestCancelled: a context that ends takes a waiting connection with it.
func TestCancelled(t *testing.T) {
	c := dial(t, silent(t), Order{Mode: RoundTrip, Transport: TCP, Size: 64, Answer: 64, Timeout: time.Minute})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestUnreachable: nobody at the port, and a port whose packets are dropped, each have a hint.
func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().(*net.TCPAddr).AddrPort()
	l.Close()
	o := Order{Mode: Stream, Transport: TCP, Out: true, Size: 64, Timeout: 300 * time.Millisecond}
	if _, err := Dial(context.Background(), at, key(), o, 1); !errors.Is(err, unix.ECONNREFUSED) ||
		!strings.Contains(err.Error(), "\nhint: ") {
		t.Error(err)
	}
	late := unreachable(&net.OpError{Err: context.DeadlineExceeded}, o)
	if !strings.Contains(late.Error(), "no answer within 300ms") || !strings.Contains(late.Error(), "firewall") {
		t.Error(late)
	}
}

// TestProbe: a path that works has no error.
func TestProbe(t *testing.T) {
	at := peer(t)
	for _, o := range []Order{
		{Mode: Stream, Transport: TCP, Out: true, Size: 128 << 10, Timeout: time.Second},
		{Mode: Stream, Transport: UDP, Out: true, Size: 1400, Timeout: time.Second},
	} {
		if err := Probe(context.Background(), at, key(), o); err != nil {
			t.Errorf("%s: %v", o.Transport, err)
		}
	}
}

// TestHopsAllocateNothing: no operation of the load takes memory.
func TestHopsAllocateNothing(t *testing.T) {
	at := peer(t)
	for name, o := range map[string]Order{
		"out":       {Mode: Stream, Transport: TCP, Out: true, Size: 4096},
		"trips":     {Mode: RoundTrip, Transport: TCP, Size: 64, Answer: 64},
		"udp trips": {Mode: RoundTrip, Transport: UDP, Size: 64, Answer: 64},
	} {
		o.Timeout = 5 * time.Second
		c := dial(t, at, o)
		if err := c.Begin(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(50, func() {
			if _, err := c.Next(1); err != nil {
				t.Error(err)
			}
		}); n >= 1 {
			t.Errorf("%s: %g allocations for an operation", name, n)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte("\x00\x02{}"))
	f.Add([]byte("\xff\xff{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var h hello
		if err := get(strings.NewReader(string(b)), key(), make([]byte, challengeBytes), &h); err == nil {
			t.Errorf("%q has no MAC, and is accepted", b)
		}
		var w word
		if err := get(strings.NewReader(string(b)), nil, nil, &w); err == nil && !json.Valid(b[2:2+int(b[0])<<8+int(b[1])]) {
			t.Errorf("%q is no JSON, and is accepted", b)
		}
	})
}
