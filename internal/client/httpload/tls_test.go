package httpload

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"

	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
)

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 {
			w.WriteHeader(500)
		}
		io.WriteString(w, strings.Repeat("y", 40_000))
	}))
	defer s.Close()
	trusted := s.Client().Transport.(*http.Transport).TLSClientConfig
	got := ask(t, Config{URLs: []string{s.URL}, TLS: trusted}, clients(4), 4, 300*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.Bytes != 40_000*got.Ops {
		t.Errorf("%d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors, got.stats.First, got.err)
	}
	if got := ask(t, Config{URLs: []string{s.URL}}, clients(1), 1, 50*time.Millisecond); got.err == nil ||
		!strings.Contains(got.err.Error(), "certificate") {
		t.Errorf("a certificate that nobody vouches for: %v", got.err)
	}
	if got := ask(t, Config{URLs: []string{s.URL}, TLS: &tls.Config{InsecureSkipVerify: true}}, clients(1), 1,
		50*time.Millisecond); got.err != nil || got.Ops == 0 {
		t.Errorf("told not to ask: %d, %v", got.Ops, got.err)
	}
}

// secret is a TLS server that hands each connection over with its number; the handshake is the handler's.
func secret(t *testing.T, handle func(i int64, c *tls.Conn)) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	config := s.TLS.Clone()
	s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for i := int64(0); ; i++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				handle(i, tls.Server(c, config))
			}()
		}
	}()
	return "https://" + l.Addr().String()
}

func unverified() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// TestRecordsAfterAnAnswer: a second answer is not taken as the next request's. The end of the connection, or a record
// that is not whole yet, may follow.
func TestRecordsAfterAnAnswer(t *testing.T) {
	const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	for name, c := range map[string]struct {
		after func(*tls.Conn)
		cut   int // bytes of what follows that have not come
		fails bool
		close bool
	}{
		"nothing":           {after: func(*tls.Conn) {}},
		"an answer":         {after: func(c *tls.Conn) { io.WriteString(c, answer) }, fails: true},
		"a part of one":     {after: func(c *tls.Conn) { io.WriteString(c, answer) }, cut: 1},
		"a part of a head":  {after: func(c *tls.Conn) { c.Write([]byte("x")) }, cut: 1 + 16 + 1 + recordHead - 3},
		"the end":           {after: func(c *tls.Conn) { c.CloseWrite() }, close: true},
		"an answer and end": {after: func(c *tls.Conn) { io.WriteString(c, answer); c.CloseWrite() }, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			own, peer, sent := handshaken(t)
			io.WriteString(peer, answer)
			c.after(peer)
			own.parser.reset(false)
			all := sent()
			whole, f := own.unseal(all[:len(all)-c.cut])
			if whole == c.fails || f.some() != c.fails || own.parser.close != c.close {
				t.Errorf("whole %t, %v, close %t", whole, f, own.parser.close)
			}
		})
	}
}

// handshaken is a connection after its handshake with a peer, and what takes the bytes that the peer has sent since.
func handshaken(t *testing.T) (own *conn, peer *tls.Conn, sent func() []byte) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	config := s.TLS.Clone()
	s.Close()
	config.SessionTicketsDisabled, config.MinVersion = true, tls.VersionTLS13
	own, back := &conn{fd: -1}, &conn{fd: -1}
	own.secret = newSession(own, unverified())
	to := &pipe{conn: back}
	peer = tls.Server(to, config)
	to.wait = func() bool {
		if len(back.out) > 0 {
			own.secret.pipe.put(back.out)
			back.out = nil
		}
		own.secret.next()
		if len(own.out) > 0 {
			to.put(own.out)
			own.out = nil
		}
		return own.secret.err == nil && len(to.in) > 0
	}
	if err := peer.Handshake(); err != nil {
		t.Fatal(err, own.secret.err)
	}
	to.wait = nil
	return own, peer, func() []byte {
		out := back.out
		back.out = nil
		return out
	}
}

// TestAnswersUntilTheEnd: an answer that lasts until its connection ends is a doubtful one if only TCP ends it.
func TestAnswersUntilTheEnd(t *testing.T) {
	for _, said := range []bool{false, true} {
		url := secret(t, func(_ int64, c *tls.Conn) {
			if _, err := c.Read(make([]byte, 4096)); err == nil {
				io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nto the end")
			}
			if said {
				c.CloseWrite()
			}
		})
		got := ask(t, Config{URLs: []string{url}, TLS: unverified()}, clients(2), 2, 200*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || got.Ops == 0 || (got.stats.Doubtful >= got.Ops) == said ||
			(got.stats.Doubtful > 0) == said {
			t.Errorf("close_notify %t: %d operations, %d doubtful, errors %v (%v), %v", said, got.Ops, got.stats.Doubtful,
				got.Errors, got.stats.First, got.err)
		}
	}
}

// TestHandshakesHoldNobodyUp: connections whose handshake is never answered do not stop the others of their lane.
func TestHandshakesHoldNobodyUp(t *testing.T) {
	stop := make(chan struct{})
	url := secret(t, func(i int64, c *tls.Conn) {
		if i >= 4 && i%8 == 0 {
			<-stop
			return
		}
		if _, err := c.Read(make([]byte, 4096)); err == nil {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	defer close(stop)
	got := ask(t, Config{URLs: []string{url}, TLS: unverified(), Timeout: 500 * time.Millisecond}, clients(4), 4,
		2*time.Second)
	if got.err != nil || !whole(got) || got.Errors[load.Connect] == 0 || errorsOf(got.Result) != got.Errors[load.Connect] {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
}

func TestHandshakeNeverAnswered(t *testing.T) {
	stop := make(chan struct{})
	url := secret(t, func(int64, *tls.Conn) { <-stop })
	defer close(stop)
	got := ask(t, Config{URLs: []string{url}, TLS: unverified(), Timeout: 50 * time.Millisecond}, clients(2), 2,
		time.Second)
	if got.err == nil || !strings.Contains(got.err.Error(),
		"accepted the connection but did not answer within 50ms\nhint: is the server stuck") {
		t.Errorf("%v", got.err)
	}
}

// TestServerThatDoesNotRead: a request that a TLS server does not take ends by its timeout, and the lane goes on.
func TestServerThatDoesNotRead(t *testing.T) {
	stop := make(chan struct{})
	url := secret(t, func(_ int64, c *tls.Conn) {
		c.Handshake()
		<-stop
	})
	defer close(stop)
	c := Config{URLs: []string{url}, TLS: unverified(), Body: make([]byte, 16<<20), Timeout: 100 * time.Millisecond}
	got := ask(t, c, clients(1), 1, 300*time.Millisecond)
	if got.err != nil || got.Ops > 0 || got.Unanswered == 0 || got.Starved != 1 {
		t.Errorf("%d operations, %d unanswered, errors %v, %v", got.Ops, got.Unanswered, got.Errors, got.err)
	}
}

// TestLargeBodiesOverTLS: both ways, with records that arrive in pieces.
func TestLargeBodiesOverTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		io.WriteString(w, strings.Repeat("z", int(n)))
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL}, TLS: unverified(), Body: make([]byte, 3<<20)}, clients(2), 2,
		300*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops == 0 || got.Bytes != 3<<20*got.Ops {
		t.Errorf("%d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors, got.stats.First, got.err)
	}
}

// TestOneRequestPerConnection: every request has a connection of its own, with a whole or a resumed handshake, and the
// server is the side that closes it.
func TestOneRequestPerConnection(t *testing.T) {
	simtest.Long(t)
	for _, secure := range []bool{false, true} {
		for _, resume := range []bool{false, true} {
			var conns, reused atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !r.Close {
					reused.Add(1)
				}
				io.WriteString(w, "hello")
			}))
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					conns.Add(1)
				}
			}
			if secure {
				s.StartTLS()
			} else {
				s.Start()
			}
			got := ask(t, Config{URLs: []string{s.URL}, TLS: unverified(), Once: true, Resume: resume}, clients(4), 4,
				300*time.Millisecond)
			answers := got.Ops
			if got.err != nil || !whole(got) || errorsOf(got.Result) > 0 || got.Bytes != 5*got.Ops || reused.Load() > 0 ||
				conns.Load() < answers || conns.Load() > answers+4 {
				t.Errorf("TLS %v: %d operations, %d connections, %d kept alive, errors %v (%v), %v", secure, got.Ops, conns.Load(),
					reused.Load(), got.Errors, got.stats.First, got.err)
			}
			if n := got.stats.Handshakes; secure != (n >= answers) || (secure && resume) != (got.stats.Resumed > n/2 && n > 0) ||
				!resume && got.stats.Resumed > 0 {
				t.Errorf("TLS %v, resume %v: %d handshakes, %d resumed", secure, resume, n, got.stats.Resumed)
			}
			if got := ask(t, Config{URLs: []string{s.URL}, TLS: unverified(), Once: true}, rate(200), 8,
				300*time.Millisecond); got.err != nil || !whole(got) || errorsOf(got.Result) > 0 {
				t.Errorf("an open loop: %d of %d, errors %v (%v), %v", got.Ops, got.Offered, got.Errors, got.stats.First, got.err)
			}
			s.Close()
		}
	}
}

// TestServerKeepsConnections: one that does not close a connection when it is asked to does not hold up the load for
// ever, and one that refuses connections fails each request once.
func TestServerKeepsConnections(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	c := accepts(t, func(_ int, c net.Conn) {
		c.Read(make([]byte, 4096))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		<-stop
	})
	c.Protocol, c.Once, c.Timeout = HTTP1, true, 300*time.Millisecond // longer than this machine stalls
	if got := ask(t, c, clients(2), 2, 900*time.Millisecond); got.err != nil || got.Ops < 3 || got.Ops > 40 ||
		errorsOf(got.Result) > 0 {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	got := ask(t, Config{URLs: []string{"http://" + l.Addr().String()}, Once: true}, clients(2), 2, 200*time.Millisecond)
	if got.err != nil || got.Ops > 0 || got.Errors[load.Connect] < 2 || got.Errors[load.Connect] > 100 {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
}
