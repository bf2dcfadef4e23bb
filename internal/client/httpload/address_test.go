package httpload

import (
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestZones: the zone of an IPv6 address is in URLs, where it is written as %25, and not in what the server gets.
func TestZones(t *testing.T) {
	const url = "http://[::1%25lo]:8080/a"
	server, err := Request{URL: url}.Check()
	if err != nil || server != "http://[::1%25lo]:8080" {
		t.Errorf("%s, %v", server, err)
	}
	for _, at := range []string{url, url + "?n={seq}"} {
		target, err := New(Config{URLs: []string{at}, Protocol: HTTP2})
		if err != nil {
			t.Fatal(err)
		}
		filled := target.Filled()
		if !strings.HasPrefix(filled.URL, url) || !slices.Contains(filled.Header, "Host: [::1]:8080") ||
			target.Server() != "http://[::1%25lo]:8080" {
			t.Errorf("%+v, %s", filled, target.Server())
		}
		if _, err := neturl.Parse(filled.URL); err != nil {
			t.Error(err)
		}
		if six, ok := target.servers[0].addr.(*unix.SockaddrInet6); !ok || six.ZoneId == 0 {
			t.Errorf("%+v", target.servers[0].addr)
		}
	}
	_, o, err := Request{URL: url}.render(false, Values{})
	if err != nil || o.host != "[::1]:8080" {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestAddresses: IPv6 and Unix sockets; every connection is used, whatever the rate.
func TestAddresses(t *testing.T) {
	var mu sync.Mutex
	peers := map[string]bool{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		peers[r.RemoteAddr] = true // of a Unix socket "@", all of them
		mu.Unlock()
		if r.Method != "HEAD" || r.Host == "" {
			w.WriteHeader(400)
		}
		w.Header().Set("Content-Length", "12345")
	})
	path, six := filepath.Join(t.TempDir(), "socket"), false
	for network, address := range map[string]string{"tcp6": "[::1]:0", "unix": path} {
		l, err := net.Listen(network, address)
		if err != nil && network == "tcp6" {
			t.Logf("no IPv6 here: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{Handler: handler}
		defer s.Close()
		go s.Serve(l)
		c := Config{URLs: []string{"http://a-name.test/"}, Method: "HEAD", Socket: path}
		if network == "tcp6" {
			six = true
			c = Config{URLs: []string{"http://" + l.Addr().String()}, Method: "HEAD"}
		}
		got := ask(t, c, rate(200), 8, 200*time.Millisecond)
		if got.err != nil || errorsOf(got.Result) > 0 || !whole(got) || got.Bytes != 0 {
			t.Errorf("%s: %d operations, errors %v (%v), %v", network, got.Ops, got.Errors, got.stats.First, got.err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if n := len(peers); six && n != 9 {
		t.Errorf("%d of 8 connections were used", n-1)
	}
}

// TestManyConnections: more than the queue of a listener holds, at once.
func TestManyConnections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrUnix{Name: path})
	}
	if err == nil {
		err = unix.Listen(fd, 4)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), path)
	defer file.Close()
	l, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	defer s.Close()
	time.AfterFunc(50*time.Millisecond, func() { s.Serve(l) })
	got := ask(t, Config{URLs: []string{"http://x/"}, Socket: path}, clients(300), 300, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 || got.Ops < 300 {
		t.Errorf("%d operations, errors %v (%v), %v", got.Ops, got.Errors, got.stats.First, got.err)
	}
}

// TestWeightedRequests arrive as often as they weigh.
func TestWeightedRequests(t *testing.T) {
	var a, b atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a" {
			a.Add(1)
			return
		}
		b.Add(1)
	}))
	defer s.Close()
	got := ask(t, Config{URLs: []string{s.URL + "/a", s.URL + "/b"}, Weights: []int{1, 4}, Seed: 9}, clients(2), 2,
		300*time.Millisecond)
	if share := float64(b.Load()) / float64(a.Load()+b.Load()); got.err != nil || got.Ops < 200 ||
		math.Abs(share-.8) > .1 {
		t.Errorf("%d operations, a share of %.3f, %v", got.Ops, share, got.err)
	}
}

// TestSeveralServers: the connections of all lanes go to servers of one service in turn, with the requests for the
// first, and a server that is not there is named.
func TestSeveralServers(t *testing.T) {
	var mu sync.Mutex
	peers, hosts := make([]map[string]bool, 3), map[string]bool{}
	c := Config{Method: "HEAD"}
	for i := range peers {
		peers[i] = map[string]bool{}
		s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			peers[i][r.RemoteAddr], hosts[r.Host] = true, true
		}))
		defer s.Close()
		c.Addresses = append(c.Addresses, s.Listener.Addr().String())
	}
	c.URLs = []string{"http://" + c.Addresses[0] + "/"}
	target, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 4, 2} {
		lane, err := target.NewLane(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		defer lane.Close()
		var to []string
		for _, conn := range lane.conns {
			to = append(to, conn.server.host)
		}
		want := map[int][]string{1: {c.Addresses[0]}, 4: {c.Addresses[1], c.Addresses[2], c.Addresses[0], c.Addresses[1]},
			2: {c.Addresses[2], c.Addresses[0]}}[n]
		if !slices.Equal(to, want) {
			t.Errorf("a lane of %d connections has them to %v, want %v", n, to, want)
		}
	}
	got := ask(t, c, rate(200), 6, 200*time.Millisecond)
	if got.err != nil || errorsOf(got.Result) > 0 {
		t.Errorf("errors %v (%v), %v", got.Errors, got.stats.First, got.err)
	}
	mu.Lock()
	defer mu.Unlock()
	for i, p := range peers {
		if len(p) != 2 {
			t.Errorf("server %d answered %d connections, not 2 of 6", i, len(p))
		}
	}
	if len(hosts) != 1 || !hosts[c.Addresses[0]] {
		t.Errorf("requests for the hosts %v, want the first server's", hosts)
	}
	c.Addresses[1] = "127.0.0.1:1"
	if target, err = New(c); err != nil {
		t.Fatal(err)
	}
	if _, err := target.NewLane(t.Context(), 2); err == nil || !strings.HasPrefix(err.Error(), "http: 127.0.0.1:1: ") {
		t.Errorf("a server that isn't there: %v", err)
	}
	for _, bad := range []Config{{URLs: c.URLs, Addresses: []string{"nowhere"}},
		{URLs: c.URLs, Addresses: c.Addresses, Address: "127.0.0.1:80"}} {
		if _, err := New(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
