package httpload

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
)

// asked is a load made by a lane.
type asked struct {
	load.Result
	stats Stats
	spots []Spot
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
		out.stats, out.spots = lane.Stats, lane.Spots()
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

// whole reports whether something succeeded, and each operation that was due succeeded, failed or is outstanding.
func whole(got asked) bool {
	return got.Ops > 0 && (got.Offered == 0 || got.Ops+errorsOf(got.Result)+got.Outstanding == got.Offered)
}

func TestClosedLoadOfARealServer(t *testing.T) {
	var served atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		fmt.Fprint(w, "hello, world\n")
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/"}}, clients(8), 8, 300*time.Millisecond)
	if got.err != nil || !whole(got) || errorsOf(got.Result) > 0 || got.Bytes != 13*got.Ops ||
		got.Latency.TotalCount() != got.Ops {
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
		if r.Method != "PUT" || string(body) != "some body" || r.Header.Get("X-Token") != "t" || r.Host != "example.test" ||
			paths[r.RequestURI] == nil {
			w.WriteHeader(400)
			return
		}
		paths[r.RequestURI].Add(1)
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/a?x=1", s.URL + "/b"}, Method: "PUT",
		Header: []string{"X-Token: t", "Host: example.test"}, Body: []byte("some body")}, rate(500), 4, 200*time.Millisecond)
	a, b := paths["/a?x=1"].Load(), paths["/b"].Load()
	if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || a-b > 1 || b-a > 1 {
		t.Errorf("%d operations, errors %v (%v), %d and %d, %v", got.Ops, got.Errors, got.stats.First, a, b, got.err)
	}
}

// TestRequestsThatDiffer arrive each with its own method, header and body, as often as their weights say, and an answer
// to HEAD has no body.
func TestRequestsThatDiffer(t *testing.T) {
	kinds := map[string]*atomic.Int64{"GET /a 1 ": {}, "POST /b  some body": {}, "HEAD /c  ": {}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		n := kinds[r.Method+" "+r.RequestURI+" "+r.Header.Get("X-N")+" "+string(body)]
		if n == nil {
			w.WriteHeader(400)
			return
		}
		n.Add(1)
		w.Header().Set("Content-Length", "2")
		io.WriteString(w, "ok")
	}))
	defer s.Close()
	got := ask(t, Config{Weights: []int{6, 3, 1}, Seed: 5, Requests: []Request{
		{URL: s.URL + "/a", Header: []string{"X-N: 1"}}, {URL: s.URL + "/b", Body: []byte("some body")},
		{URL: s.URL + "/c", Method: "HEAD"},
	}}, clients(4), 4, 500*time.Millisecond)
	a, b, c := kinds["GET /a 1 "].Load(), kinds["POST /b  some body"].Load(), kinds["HEAD /c  "].Load()
	if n := float64(a + b + c); got.err != nil || errorsOf(got.Result) > 0 || n < 500 || float64(a)/n < .5 ||
		float64(a)/n > .7 || float64(c)/n < .05 || float64(c)/n > .15 {
		t.Errorf("%d, %d and %d requests, errors %v (%v), %v", a, b, c, got.Errors, got.stats.First, got.err)
	}
	broken := ask(t, Config{Requests: []Request{{Name: "reqs.txt:7", URL: s.URL + "/d"}}}, clients(1), 1,
		50*time.Millisecond)
	if broken.stats.First == nil || broken.stats.First.Error() != "an answer with status 400 to reqs.txt:7" {
		t.Errorf("first failure: %v", broken.stats.First)
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
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
	}))
	defer slow.Close()
	for name, c := range map[string]struct {
		config Config
		class  load.Class
	}{
		"status":  {Config{URLs: []string{status.URL}}, load.Status},
		"timeout": {Config{URLs: []string{slow.URL}, Timeout: 60 * time.Millisecond}, load.Timeout},
		"protocol": {Config{URLs: []string{raw(t, func(c net.Conn) { io.WriteString(c, "SSH-2.0-x\r\n\r\n") })}},
			load.Protocol},
		"closed": {
			Config{
				URLs: []string{raw(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") })}},
			load.ConnClosed},
	} {
		got := ask(t, c.config, rate(100), 4, 250*time.Millisecond)
		if got.err != nil || got.Errors[c.class] == 0 || got.Ops > 0 || int64(len(got.Errors)) != 1 ||
			got.stats.First == nil {
			t.Errorf("%s: %d operations, errors %v, first %v, %v", name, got.Ops, got.Errors, got.stats.First, got.err)
		}
	}
}

// raw starts a server that answers each connection by a function.
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
