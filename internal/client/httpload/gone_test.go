package httpload

import (
	"bufio"
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestConnectionsThatEnd: a server that closes after each answer, with or without a word.
func TestConnectionsThatEnd(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		load record.LoadPoint
	}{
		"said": {"Connection: close\r\n", rate(200)},
		// An open loop does not resend a request that a late close has met.
		"unsaid": {"", clients(4)},
	} {
		url := raw(t, func(to net.Conn) {
			io.WriteString(to, "HTTP/1.1 200 OK\r\n"+c.head+"Content-Length: 2\r\n\r\nok")
		})
		got := ask(t, Config{URLs: []string{url}}, c.load, 4, 300*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.stats.Reconnects == 0 {
			t.Errorf("%s: %d operations, %d connections made anew, %d sent again, errors %v (%v), %v", name, got.Ops,
				got.stats.Reconnects, got.stats.Retries, got.Errors, got.stats.First, got.err)
		}
	}
	until := raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nto the end") })
	got := ask(t, Config{URLs: []string{until}}, clients(2), 2, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops == 0 || got.Bytes != 10*got.Ops {
		t.Errorf("until the end: %d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors,
			got.stats.First, got.err)
	}
}

// TestServerByteByByte: framing does not depend on how an answer comes in.
func TestServerByteByByte(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		for _, b := range []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n" +
			"abc\r\n0\r\n\r\n") {
			c.Write([]byte{b})
			time.Sleep(100 * time.Microsecond)
		}
	})
	got := ask(t, Config{URLs: []string{url}}, rate(20), 4, 300*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.Bytes != 3*got.Ops {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
}

// TestServerThatGoes: when it is gone, requests fail and the lane goes on; when it is back, they succeed.
func TestServerThatGoes(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.Start()
	addr := s.Listener.Addr().String()
	back := make(chan *http.Server, 1)
	time.AfterFunc(150*time.Millisecond, func() {
		s.CloseClientConnections()
		s.Close()
		time.Sleep(200 * time.Millisecond)
		l, err := net.Listen("tcp", addr)
		if err != nil {
			back <- nil
			return
		}
		again := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
		back <- again
		again.Serve(l)
	})
	got := ask(t, Config{URLs: []string{"http://" + addr}, Timeout: 2 * time.Second}, rate(300), 4, 800*time.Millisecond)
	if again := <-back; again != nil {
		again.Close()
	}
	if got.err != nil || !whole(got) || got.stats.Reconnects == 0 {
		t.Errorf("%d operations of %d, %d outstanding, errors %v (%v), %d reconnects, %v", got.Ops, got.Offered,
			got.Outstanding, got.Errors, got.stats.First, got.stats.Reconnects, got.err)
	}
}

func TestNothingListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	target, err := New(Config{URLs: []string{"http://" + l.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.NewLane(context.Background(), 2); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
}

// TestRetries: after a reused connection ends without an answer, a request is resent only in a closed loop, and only
// if it is idempotent.
func TestRetries(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		c.Read(make([]byte, 4096)) // the second request is read, and not answered
	})
	for _, c := range []struct {
		load   record.LoadPoint
		method string
		again  bool
	}{{clients(2), "GET", true}, {clients(2), "POST", false}, {rate(200), "GET", false}} {
		got := ask(t, Config{URLs: []string{url}, Method: c.method}, c.load, 2, 200*time.Millisecond)
		failed := got.Errors[load.ConnClosed]
		if got.err != nil || !whole(got) || (got.stats.Retries > 0) != c.again || (failed == 0) != c.again ||
			errorsOf(got.Result) != failed {
			t.Errorf("%s, %s: %d operations, %d sent again, errors %v, %v", c.load.Kind, c.method, got.Ops, got.stats.Retries,
				got.Errors, got.err)
		}
	}
}

// TestServerThatIsGoneForGood: requests of both loads fail to connect, and the lane ends in time.
func TestServerThatIsGoneForGood(t *testing.T) {
	for _, l := range []record.LoadPoint{clients(4), rate(500)} {
		s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		time.AfterFunc(100*time.Millisecond, func() {
			s.CloseClientConnections()
			s.Close()
		})
		got := ask(t, Config{URLs: []string{s.URL}}, l, 4, 500*time.Millisecond)
		if got.err != nil || !whole(got) || got.Errors[load.Connect] == 0 {
			t.Errorf("%s: %d operations of %d, %d outstanding, errors %v (%v), %v", l.Kind, got.Ops, got.Offered,
				got.Outstanding, got.Errors, got.stats.First, got.err)
		}
	}
}

// TestAnswerBeforeTheEndOfTheRequest: one that refuses a body counts, though the body was not taken.
func TestAnswerBeforeTheEndOfTheRequest(t *testing.T) {
	stop := make(chan struct{})
	url := raw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
		<-stop
	})
	defer close(stop)
	got := ask(t, Config{URLs: []string{url}, Body: make([]byte, 32<<20)}, clients(1), 1, 200*time.Millisecond)
	if got.err != nil || got.Errors[load.Status] < 2 || got.stats.FirstStatus != 413 ||
		errorsOf(got.Result) != got.Errors[load.Status] {
		t.Errorf("errors %v (%v), status %d, %v", got.Errors, got.stats.First, got.stats.FirstStatus, got.err)
	}
}

// TestSlowAnswers: bytes that keep coming do not put a timeout off.
func TestSlowAnswers(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		for _, b := range []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: slowly\r\n\r\nok") {
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	got := ask(t, Config{URLs: []string{url}, Timeout: 100 * time.Millisecond}, clients(2), 2, 300*time.Millisecond)
	if got.err != nil || got.Ops > 0 || got.Unanswered < 4 || got.Starved != 2 || errorsOf(got.Result) > 0 {
		t.Errorf("%d operations, %d unanswered, %d starved, errors %v, %v", got.Ops, got.Unanswered, got.Starved,
			got.Errors, got.err)
	}
}

// TestTimeoutAfterAnswers: of a client that has had answers, a request that times out in the window is a failed one.
// One that was in flight at the end of the window is unanswered.
func TestTimeoutAfterAnswers(t *testing.T) {
	var answers atomic.Int64
	url := raw(t, func(c net.Conn) {
		for from := bufio.NewReader(c); answers.Add(1) <= 5; {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			if _, err := http.ReadRequest(from); err != nil {
				return
			}
		}
		io.Copy(io.Discard, c)
	})
	got := ask(t, Config{URLs: []string{url}, Timeout: 400 * time.Millisecond}, clients(1), 1, time.Second)
	if got.err != nil || got.Ops != 5 || got.Errors[load.Timeout] != 2 || got.Unanswered != 1 || got.Starved != 0 {
		t.Errorf("%d operations, %d unanswered, %d starved, errors %v, %v", got.Ops, got.Unanswered, got.Starved,
			got.Errors, got.err)
	}
}

// TestOneWorker: a server whose only worker keeps its first connection answers one client of four. The rate is its,
// over the window.
func TestOneWorker(t *testing.T) {
	const length = 500 * time.Millisecond
	first := make(chan struct{}, 1)
	first <- struct{}{}
	url := raw(t, func(c net.Conn) {
		select {
		case <-first:
		default:
			io.Copy(io.Discard, c)
			return
		}
		for from := bufio.NewReader(c); ; {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			if _, err := http.ReadRequest(from); err != nil {
				return
			}
		}
	})
	got := ask(t, Config{URLs: []string{url}, Timeout: time.Second}, clients(4), 4, length)
	rate := float64(got.Ops) / length.Seconds()
	if got.err != nil || got.Ops < 100 || math.Abs(got.OpsPerSecond/rate-1) > .02 || got.Unanswered != 3 ||
		got.Starved != 3 || errorsOf(got.Result) > 0 {
		t.Errorf("%d operations, %g/s, %d unanswered, %d starved, errors %v, %v", got.Ops, got.OpsPerSecond, got.Unanswered,
			got.Starved, got.Errors, got.err)
	}
	if got.InFlight < 3.5 || got.InFlight > 4.001 {
		t.Errorf("%g in flight of 4 clients", got.InFlight)
	}
}

// TestAnswerAndEndTogether: the end of a connection that comes with its answer is not missed.
func TestAnswerAndEndTogether(t *testing.T) {
	for _, head := range []string{"", "Content-Length: 4\r\n"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				// Corked, the answer and the end leave in one segment.
				raw, _ := c.(*net.TCPConn).SyscallConn()
				raw.Control(func(fd uintptr) { unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_CORK, 1) })
				c.Read(make([]byte, 4096))
				io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head+"\r\nbody")
				c.Close()
			}
		}()
		got := ask(t, Config{URLs: []string{"http://" + l.Addr().String()}, Method: "POST"}, rate(200), 2,
			300*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.Bytes != 4*got.Ops {
			t.Errorf("%q: %d operations, errors %v (%v), %v", head, got.Ops, got.Errors, got.stats.First, got.err)
		}
	}
}
