package httpload

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
)

// asked is a load that a lane made.
type asked struct {
	load.Result
	stats Stats
	err   error
}

// ask has one lane load a target.
func ask(t *testing.T, c Config, l record.LoadPoint, connections int, d time.Duration) asked {
	t.Helper()
	target, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: l, Lanes: 1, Seed: 3, Duration: d})
	if err != nil {
		t.Fatal(err)
	}
	var out asked
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		lane, err := target.NewLane(t.Context(), connections)
		if err != nil {
			out.err = err
			return
		}
		defer lane.Close()
		g.Start(g.Clock().Now())
		out.err = lane.Run(t.Context(), g.Lane(0))
		out.stats = lane.Stats
		g.Lane(0).Leave()
	}()
	<-done
	out.Result = g.Result()
	return out
}

func clients(n int) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamClients}
}

func rate(r float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Open, Level: r, Unit: record.ParamRate, Arrivals: record.Uniform}
}

func errorsOf(r load.Result) (n int64) {
	for _, k := range r.Errors {
		n += k
	}
	return n
}

func TestClosedLoadOfARealServer(t *testing.T) {
	var served atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		fmt.Fprint(w, "hello, world\n")
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/"}}, clients(8), 8, 300*time.Millisecond)
	if got.err != nil || got.Ops < 100 || errorsOf(got.Result) > 0 || got.Bytes != 13*got.Ops || got.Latency.TotalCount() != got.Ops {
		t.Errorf("%d operations, %d bytes, errors %v, %v", got.Ops, got.Bytes, got.Errors, got.err)
	}
	if n := served.Load(); n < got.Ops || n > got.Ops+8 {
		t.Errorf("%d counted, %d served", got.Ops, n)
	}
}

// TestRequestsArriveAsAsked: method, path in turn, headers and body.
func TestRequestsArriveAsAsked(t *testing.T) {
	paths := map[string]*atomic.Int64{"/a?x=1": {}, "/b": {}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "PUT" || string(body) != "some body" || r.Header.Get("X-Token") != "t" || r.Host != "example.test" || paths[r.RequestURI] == nil {
			w.WriteHeader(400)
			return
		}
		paths[r.RequestURI].Add(1)
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/a?x=1", s.URL + "/b"}, Method: "PUT", Header: []string{"X-Token: t", "Host: example.test"}, Body: []byte("some body")}, rate(500), 4, 200*time.Millisecond)
	a, b := paths["/a?x=1"].Load(), paths["/b"].Load()
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 90 || a-b > 1 || b-a > 1 {
		t.Errorf("%d operations, errors %v (%v), %d and %d, %v", got.Ops, got.Errors, got.stats.First, a, b, got.err)
	}
}

func TestChunkedAndLargeAnswers(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := strings.Repeat("x", 100_000)
		for range 3 {
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL}}, clients(2), 2, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops == 0 || got.Bytes != 300_000*got.Ops {
		t.Errorf("%d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors, got.stats.First, got.err)
	}
}

func TestErrorsByClass(t *testing.T) {
	status := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }))
	defer status.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(300 * time.Millisecond) }))
	defer slow.Close()
	for name, c := range map[string]struct {
		config Config
		class  load.Class
	}{
		"status":   {Config{URLs: []string{status.URL}}, load.Status},
		"timeout":  {Config{URLs: []string{slow.URL}, Timeout: 60 * time.Millisecond}, load.Timeout},
		"protocol": {Config{URLs: []string{raw(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n\r\n") })}}, load.Protocol},
		"closed":   {Config{URLs: []string{raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") })}}, load.ConnClosed},
	} {
		got := ask(t, c.config, rate(100), 4, 250*time.Millisecond)
		if got.err != nil || got.Errors[c.class] == 0 || got.Ops > 0 || int64(len(got.Errors)) != 1 || got.stats.First == nil {
			t.Errorf("%s: %d operations, errors %v, first %v, %v", name, got.Ops, got.Errors, got.stats.First, got.err)
		}
	}
}

// raw is a server that answers each request on a connection of its own as it is told.
func raw(t *testing.T, answer func(net.Conn)) string {
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
			go func() {
				defer c.Close()
				buf := make([]byte, 4096)
				if _, err := c.Read(buf); err == nil {
					answer(c)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// TestConnectionsThatEnd: a server that closes after each answer, with or without a word.
func TestConnectionsThatEnd(t *testing.T) {
	for name, head := range map[string]string{"said": "Connection: close\r\n", "unsaid": ""} {
		url := raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head+"Content-Length: 2\r\n\r\nok") })
		got := ask(t, Config{URLs: []string{url}}, rate(200), 4, 300*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 50 || got.stats.Reconnects < 40 {
			t.Errorf("%s: %d operations, %d connections made anew, %d sent again, errors %v (%v), %v", name, got.Ops, got.stats.Reconnects, got.stats.Retries, got.Errors, got.stats.First, got.err)
		}
	}
	until := raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nto the end") })
	got := ask(t, Config{URLs: []string{until}}, clients(2), 2, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops == 0 || got.Bytes != 10*got.Ops {
		t.Errorf("until the end: %d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors, got.stats.First, got.err)
	}
}

// TestServerByteByByte: framing does not depend on how an answer comes in.
func TestServerByteByByte(t *testing.T) {
	url := raw(t, func(c net.Conn) {
		for _, b := range []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n") {
			c.Write([]byte{b})
			time.Sleep(100 * time.Microsecond)
		}
	})
	got := ask(t, Config{URLs: []string{url}}, rate(20), 4, 300*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 4 || got.Bytes != 3*got.Ops {
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
	if got.err != nil || got.Ops < 100 || got.stats.Reconnects == 0 || got.Ops+errorsOf(got.Result)+got.Outstanding != got.Offered {
		t.Errorf("%d operations of %d, %d outstanding, errors %v (%v), %d reconnects, %v", got.Ops, got.Offered, got.Outstanding, got.Errors, got.stats.First, got.stats.Reconnects, got.err)
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
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 10 || got.Bytes != 40_000*got.Ops {
		t.Errorf("%d operations, %d bytes, errors %v (%v), %v", got.Ops, got.Bytes, got.Errors, got.stats.First, got.err)
	}
	if got := ask(t, Config{URLs: []string{s.URL}}, clients(1), 1, 50*time.Millisecond); got.err == nil || !strings.Contains(got.err.Error(), "certificate") {
		t.Errorf("a certificate that nobody vouches for: %v", got.err)
	}
	if got := ask(t, Config{URLs: []string{s.URL}, TLS: &tls.Config{InsecureSkipVerify: true}}, clients(1), 1, 50*time.Millisecond); got.err != nil || got.Ops == 0 {
		t.Errorf("told not to ask: %d, %v", got.Ops, got.err)
	}
}

// TestFrozenServer is Gil Tene's test of coordinated omission (wrk issue 99): a server that stands still for 5
// of 10 s at a constant rate delays half of all requests, by 0 to 5 s evenly.
func TestFrozenServer(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 10 s")
	}
	frozen := make(chan struct{})
	var still atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if still.Load() {
			<-frozen
		}
	}))
	defer s.Close()
	time.AfterFunc(2500*time.Millisecond, func() { still.Store(true) })
	time.AfterFunc(7500*time.Millisecond, func() { still.Store(false); close(frozen) })
	got := ask(t, Config{URLs: []string{s.URL}, Timeout: 20 * time.Second}, rate(200), 16, 10*time.Second)
	if got.err != nil || errorsOf(got.Result) > 0 {
		t.Fatalf("errors %v, %v", got.Errors, got.err)
	}
	for q, want := range map[float64]float64{75: 2.5, 90: 4.0, 99: 4.9} {
		if v := float64(got.Latency.ValueAtQuantile(q)) * 1e-9; math.Abs(v-want) > .02*want {
			t.Errorf("p%.0f is %.3f s, want %.1f", q, v, want)
		}
	}
	if n := got.Ops + got.Outstanding; n != got.Offered || n < 1990 {
		t.Errorf("%d done, %d outstanding, %d offered", got.Ops, got.Outstanding, got.Offered)
	}
}

// TestFrozenToTheEnd: what never came counts with its age.
func TestFrozenToTheEnd(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer s.Close()
	defer close(stop)
	got := ask(t, Config{URLs: []string{s.URL}}, rate(100), 2, time.Second)
	if got.err != nil || got.Ops != 0 || got.Outstanding < 95 || got.Outstanding != got.Offered {
		t.Errorf("%d done, %d outstanding of %d, %v", got.Ops, got.Outstanding, got.Offered, got.err)
	}
	if p50 := float64(got.Latency.ValueAtQuantile(50)) * 1e-9; p50 < .4 || p50 > 1.2 {
		t.Errorf("their median age is %.2f s", p50)
	}
}

func TestRefusedConfigurations(t *testing.T) {
	for want, c := range map[string]Config{
		"no URL":                      {},
		"asks for HTTP/2":             {URLs: []string{"h2c://x/"}},
		"no scheme":                   {URLs: []string{"localhost:80"}},
		"names no host":               {URLs: []string{"http:///path"}},
		"two servers":                 {URLs: []string{"http://127.0.0.1:1/", "http://127.0.0.1:2/"}},
		"is no method":                {URLs: []string{"http://127.0.0.1/"}, Method: "GE T"},
		"make no load":                {URLs: []string{"http://127.0.0.1/"}, Method: "CONNECT"},
		"is no header":                {URLs: []string{"http://127.0.0.1/"}, Header: []string{"X Y: z"}},
		"is set here":                 {URLs: []string{"http://127.0.0.1/"}, Header: []string{"Content-Length: 3"}},
		"from 1 to 65535":             {URLs: []string{"http://127.0.0.1:99999/"}},
		"with a user":                 {URLs: []string{"http://a:b@127.0.0.1/"}},
		"a timeout of":                {URLs: []string{"http://127.0.0.1/"}, Timeout: -1},
		"the address of no-such.test": {URLs: []string{"http://no-such.test./"}},
	} {
		if _, err := New(c); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "no-such.test.", "no-such.test"), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestHotLoopAllocatesNothing: over thousands of requests.
func TestHotLoopAllocatesNothing(t *testing.T) {
	url := fixedServer(t)
	target, err := New(Config{URLs: []string{url}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := load.New(load.Config{Load: clients(4), Lanes: 1, Warmup: 100 * time.Millisecond, Duration: 400 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	lane, err := target.NewLane(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	defer lane.Close()
	runtime.GC()
	var before, after runtime.MemStats
	g.Start(g.Clock().Now())
	runtime.ReadMemStats(&before)
	err = lane.Run(t.Context(), g.Lane(0))
	runtime.ReadMemStats(&after)
	g.Lane(0).Leave()
	r := g.Result()
	if n := after.Mallocs - before.Mallocs; err != nil || r.Ops < 1000 || n > uint64(r.Ops)/100 {
		t.Errorf("%d allocations in %d requests, %v", n, r.Ops, err)
	}
}

// fixedServer answers each read with one answer, and allocates nothing for it.
func fixedServer(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 12\r\nContent-Type: text/plain\r\n\r\nHello World!")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buf := make([]byte, 4096)
				for {
					if _, err := c.Read(buf); err != nil {
						return
					}
					if _, err := c.Write(answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}
